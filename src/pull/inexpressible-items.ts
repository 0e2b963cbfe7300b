// Which items cannot be written: what files accept is decided by loading them, and by nothing else.
import { emptySource, overlaidSource } from '../config/files/overlaid-source.ts';
import { loadDesired } from '../config/load-desired.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { writtenProblem } from '../edit/written-problem.ts';
import { ReferenceText } from '../edit/written-value.ts';
import type { HasCredential } from '../engine/credential-values.ts';
import type { AnyKind } from '../model/kind.ts';
import type { ApiLevel } from '../model/operation.ts';
import { groupBy } from '../values/group-by.ts';
import { type ItemChange, itemId } from './item-changes.ts';
import { literal, withSecrets } from './rewrite-value.ts';

type Valued = Exclude<ItemChange, { readonly change: 'remove' }>;

/**
 * Values that YAML files of this package cannot have, such as a key `__proto__`, and values that a tenant repeats although
 * they are secrets; by item, with the reason.
 */
export function unwritableItems(changes: readonly ItemChange[], isSecret: HasCredential): Map<string, string> {
  const found = new Map<string, string>();
  for (const change of changes) {
    if (change.change === 'remove') continue;
    const problem = writtenProblem(change.value);
    const reason = problem?.reason ?? (hasSecret(change.value, isSecret) ? 'it contains the value of a secret' : null);
    if (reason !== null) found.set(itemId(change.kind.name, change.key), reason);
  }
  return found;
}

function hasSecret(value: unknown, isSecret: HasCredential): boolean {
  if (typeof value === 'string') return isSecret(value);
  if (typeof value !== 'object' || value === null || value instanceof ReferenceText) return false;
  return Object.entries(value).some(([name, child]) => isSecret(name) || hasSecret(child, isSecret));
}

/** The items whose files would have an error, and the error. Few are expected, so halves without any are not split. */
export async function refusedItems(
  changes: readonly ItemChange[],
  kinds: readonly AnyKind[],
  api: ApiLevel,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const valued = changes.filter((change) => change.change !== 'remove');
  for (const [kind, ofKind] of groupBy(valued, (change) => change.kind)) await search(kind, ofKind);
  return found;

  async function search(kind: AnyKind, some: readonly Valued[]): Promise<void> {
    const error = await firstError(kind, some, kinds, api);
    const [only, ...others] = some;
    if (error === null || only === undefined) return;
    if (others.length === 0) {
      found.set(itemId(kind.name, only.key), error);
      return;
    }
    const half = Math.ceil(some.length / 2);
    await search(kind, some.slice(0, half));
    await search(kind, some.slice(half));
  }
}

async function firstError(
  kind: AnyKind,
  items: readonly Valued[],
  kinds: readonly AnyKind[],
  api: ApiLevel,
): Promise<string | null> {
  const pairs = items.map(
    ({ key, value }) => [key, withSecrets(literal(value), kind.pull?.secrets?.(value) ?? [])] as const,
  );
  const section = kind.pull?.form === 'list' ? pairs.map(([, value]) => value) : Object.fromEntries(pairs);
  const text = printYaml({ tenant: { api }, [kind.name]: section });
  const { diagnostics } = await loadDesired(overlaidSource(emptySource, new Map([['items.yaml', text]])), kinds);
  return diagnostics.find(({ severity }) => severity === 'error')?.message.replace(/\.$/, '') ?? null;
}
