import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/prompts/operations.ts';
import { check, checkTogether } from './check.ts';
import { decide } from './decide.ts';
import { describe, inspect } from './describe.ts';
import { type DesiredPrompt, fileReferences, type LivePrompt } from './partials.ts';
import { pull } from './pull.ts';
import { fix, reading } from './read.ts';

export const prompts: ResourceKind<DesiredPrompt, LivePrompt> = {
  name: 'prompts',
  title: 'Prompts',
  noun: { one: 'prompt', many: 'prompts' },
  keyHint: 'NAME',
  undeclared: 'ignore',
  operations,
  // Texts, by screen and insertion point.
  layerDepth: 3,
  identity: [],
  keyOf: (_item, prompt) => prompt,
  check,
  checkTogether,
  fileReferences,
  reading,
  decide,
  describe,
  inspect,
  pull,
  fix,
};
