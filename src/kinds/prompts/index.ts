import type { ResourceKind } from '../../model/kind.ts';
import { layeredTo } from '../../model/layering.ts';
import { operations } from '../../service/prompts/operations.ts';
import { shapes } from '../../service/prompts/shapes.generated.ts';
import { check, checkTogether } from './check.ts';
import { decide } from './decide.ts';
import { describe, inspect } from './describe.ts';
import { head } from './head.ts';
import { type DesiredPrompt, fileReferences, type LivePrompt } from './partials.ts';
import { pull } from './pull.ts';
import { fix, reading } from './read.ts';

const byText = layeredTo(3);

export const prompts: ResourceKind<DesiredPrompt, LivePrompt> = {
  ...head,
  operations,
  section: shapes.section,
  // Texts, by screen and insertion point.
  layering: () => byText,
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
