// Which items cannot be written: what files accept is decided by loading them, and by nothing else.
import { emptySource, overlaidSource } from '../config/files/overlaid-source.ts';
import { loadDesired } from '../config/load-desired.ts';
import type { KindSource } from '../config/load-kinds.ts';
import { literal } from '../edit/edits.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { whyUnwritable } from '../edit/written-value.ts';
import { type HasCredential, orPrivateKey, pointersTo } from '../engine/credential-values.ts';
import { defaultApi } from '../engine/kind-rules.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { changedId, type ItemChange, type ValuedChange } from './item-changes.ts';
import { printSection } from './new-texts.ts';
import { withSecrets } from './references.ts';

/** Why no file gets a value: a key such as `__proto__`, or a secret that a tenant repeats; null for any other value. */
export function whyNotWritten(value: unknown, isSecret: HasCredential): string | null {
  return (
    whyUnwritable(value) ??
    (pointersTo(value, orPrivateKey(isSecret)).length > 0 ? 'it contains the value of a secret' : null)
  );
}

/** The items whose files would have an error, and the error. Each item has a file of its own, which the error names. */
export async function refusedItems(
  changes: readonly ItemChange[],
  kinds: readonly KindSource[],
  { api = defaultApi, protect = {} }: Pick<TenantHeader, 'api' | 'protect'>,
): Promise<Map<string, string>> {
  const valued = changes.filter((change) => change.change !== 'remove');
  const items = new Map(valued.map((change, index) => [`items-${index}.yaml`, change]));
  const texts = new Map([...items].map(([file, change]) => [file, textOf(change)]));
  texts.set('tenant.yaml', printYaml({ tenant: { api, protect: literal(protect) } }));
  const { diagnostics } = await loadDesired(overlaidSource(emptySource, texts), kinds);
  const found = new Map<string, string>();
  for (const { severity, source, message } of diagnostics) {
    const item = severity === 'error' && source ? items.get(source.file) : undefined;
    if (item === undefined) continue;
    const id = changedId(item);
    if (!found.has(id)) found.set(id, message.replace(/\.$/, ''));
  }
  return found;
}

function textOf({ kind, key, value }: ValuedChange): string {
  return printSection(kind, [[key, withSecrets(kind, value)]]);
}
