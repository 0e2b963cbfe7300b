import type { KeepRules } from '../../src/model/kind.ts';

export const keepNothing: KeepRules = {
  undeclared: 'delete',
  keepsParts: false,
  patterns: [],
  isProtected: () => false,
};

export function keeping(rules: Partial<KeepRules>): KeepRules {
  return { ...keepNothing, ...rules };
}
