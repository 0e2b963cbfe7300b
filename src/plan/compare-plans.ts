import type { Plan } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** What differs between a saved plan and the same plan made now, in sentences that name the items; empty when nothing does. */
export function comparePlans(saved: Plan, now: Plan): string[] {
  return [
    ...(canonicalJson(saved.tenant) === canonicalJson(now.tenant)
      ? []
      : [`tenant: ${canonicalJson(saved.tenant)} was planned, now it is ${canonicalJson(now.tenant)}`]),
    ...compareLists('action', byName(saved.actions, 'id'), byName(now.actions, 'id')),
    ...compareLists('finding', byName(saved.findings, 'key'), byName(now.findings, 'key')),
  ];
}

/** Texts by name. Several findings may share a name; together they are one text. */
function byName<Item extends { readonly kind: string }>(
  items: readonly Item[],
  nameField: keyof Item,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const item of items) {
    const name = nameField === 'id' ? String(item[nameField]) : `${item.kind}/${String(item[nameField])}`;
    texts.set(name, (texts.get(name) ?? '') + canonicalJson(item));
  }
  return texts;
}

function compareLists(noun: string, saved: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const gone = [...saved.keys()]
    .filter((name) => !now.has(name))
    .map((name) => `${noun} ${name}: planned but no longer needed`);
  const fresh = [...now.keys()]
    .filter((name) => !saved.has(name))
    .map((name) => `${noun} ${name}: not in the saved plan`);
  const changed = [...now]
    .filter(([name, text]) => saved.has(name) && saved.get(name) !== text)
    .map(([name]) => `${noun} ${name}: changed since the plan was saved`);
  return [...gone, ...fresh, ...changed];
}
