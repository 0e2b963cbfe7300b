import type { AnyKind, KeepRules, Reading, UndeclaredRule } from '../model/kind.ts';
import { type ApiLevel, isAvailable } from '../model/operation.ts';
import type { Unreadable } from '../model/reader.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { matcherOfAny } from '../values/selector.ts';

/** The operations that files may use by default. */
export const defaultApi: ApiLevel = 'full';

/** How a kind is read with the operations that the files allow; null if they cannot read it. */
export function readingOf({ reading }: AnyKind, api: ApiLevel): Reading<unknown, unknown> | null {
  return reading?.operations.every((operation) => isAvailable(operation, api)) ? reading : null;
}

export function noReadOperation(kind: AnyKind, api: ApiLevel): Unreadable {
  return {
    readable: false,
    structural: true,
    code: 'LIVE_UNREADABLE',
    message: `no operation of api: ${api} reads ${kind.title.toLowerCase()}`,
  };
}

export function keepRules(kind: AnyKind, tenant: TenantHeader): KeepRules {
  const rules: Readonly<Record<string, UndeclaredRule | undefined>> = { ...tenant.undeclared };
  const keepsParts = Array.isArray(tenant.keep_undeclared) && tenant.keep_undeclared.includes(kind.name);
  const matchers = new Map(
    Object.entries(tenant.protect ?? {}).map(([name, patterns]) => [name, matcherOfAny(patterns)]),
  );
  return {
    patterns: tenant.protect?.[kind.name] ?? [],
    undeclared: rules[kind.name] ?? (keepsParts && kind.undeclared === 'delete' ? 'report' : kind.undeclared),
    keepsParts,
    isProtected: (name, of = kind.name) => matchers.get(of)?.(name) === true,
  };
}
