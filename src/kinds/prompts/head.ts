import type { KindHead } from '../../model/kind.ts';

export const head = {
  name: 'prompts',
  title: 'Prompts',
  noun: { one: 'prompt', many: 'prompts' },
  keyHint: 'NAME',
  undeclared: 'ignore',
} satisfies KindHead;
