import type { ResourceKind } from '../../model/kind.ts';
import { type DesiredPrompt, decide } from './decide.ts';
import { describe } from './describe.ts';
import { fileReferences } from './file-references.ts';
import { operations } from './operations.ts';

export const promptPartials: ResourceKind<DesiredPrompt, never> = {
  name: 'prompt_partials',
  section: 'prompts',
  title: 'Prompt partials',
  operations,
  entries: (section) => Object.keys(section as object).map((prompt) => ({ key: prompt, pointer: `/${prompt}`, keyPointer: `/${prompt}` })),
  fileReferences,
  decide,
  describe,
};
