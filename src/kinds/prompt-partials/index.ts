import type { ResourceKind } from '../../model/kind.ts';
import { check } from './check.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import { fileReferences } from './file-references.ts';
import { operations } from './operations.ts';
import type { DesiredPrompt, LivePrompt } from './partials.ts';
import { reading } from './read.ts';
import { remedy } from './remedy.ts';

export const promptPartials: ResourceKind<DesiredPrompt, LivePrompt> = {
  name: 'prompt_partials',
  section: 'prompts',
  title: 'Prompt partials',
  operations,
  entries: (section) =>
    Object.keys(section as object).map((prompt) => ({ key: prompt, pointer: `/${prompt}`, keyPointer: `/${prompt}` })),
  check,
  fileReferences,
  reading,
  decide,
  describe,
  remedy,
};
