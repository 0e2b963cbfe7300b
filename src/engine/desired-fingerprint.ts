import type { Declared } from '../apply/conflict.ts';
import type { Desired } from '../model/desired.ts';
import type { Decision, DesiredItem, DesiredSection } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';

/** A decision whose actions have fingerprints of the declared items: a saved plan shows whether the files changed. */
export function withDesired(decision: Decision, { items }: DesiredSection): Decision {
  if (decision.actions.length === 0) return decision;
  const declared = new Map(items.map((item) => [item.key, item]));
  return {
    ...decision,
    actions: decision.actions.map((action) => {
      const item = declared.get(action.key);
      return item === undefined ? action : { ...action, desired: fingerprintOf(item) };
    }),
  };
}

/** How the files declare the item of an action, compared with when it was planned. */
export function declaredNow({ kind, key, desired }: Action, { sections }: Desired): Declared {
  const item = sections.get(kind)?.items.find((candidate) => candidate.key === key);
  return {
    isSame: desired === (item === undefined ? undefined : fingerprintOf(item)),
    value: item?.state === 'present' ? (item.value as Declared['value']) : null,
  };
}

/** Of the complete desired state. */
export function desiredFingerprint({ tenant, sections }: Desired): string {
  const items = [...sections].map(([kind, section]) => [
    kind,
    section.items.map((item) => [item.key, fingerprintOf(item)]),
  ]);
  return fingerprint({ tenant, items });
}

function fingerprintOf({ state, value, renamedFrom }: DesiredItem): string {
  if (renamedFrom !== undefined) return fingerprint({ renamedFrom, value });
  return fingerprint(state === 'present' ? value : { [state]: value });
}
