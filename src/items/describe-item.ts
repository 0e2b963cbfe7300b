import type { Fields } from '../model/field.ts';
import type { Description, LabelOf, Part } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import type { Resource } from '../model/resource.ts';
import { maskSecretFields } from '../secrets/secret-spellings.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { memberPath } from '../values/part-path.ts';
import { comparable } from './comparable.ts';
import { identitiesIn, lackingIn } from './set-corrections.ts';

/** How an item of a kind is described, a live or a declared one: both have their fields under the same names. */
export type SummaryOf<Item> = (item: Item) => Description;

export function describeItem<Item extends object>(
  { before, after, reason, changes = [] }: Action,
  summaryOf: SummaryOf<Item>,
): Description {
  if (reason === 'rotated') return { summary: 'resends its secret' };
  return changes.length > 0 ? {} : summaryOf((after ?? before ?? {}) as Item);
}

/** The elements that an action adds to a set of an item, or removes from it. */
export function describeElements(
  action: Action,
  resources: Resource['resources'],
  labelOf: LabelOf = () => '',
): Description {
  const { before, after } = action;
  const [[list, elements] = ['', []]] = Object.entries(after ?? before ?? {});
  const [name, resource] = Object.entries(resources).find(([own, { absent }]) => own === list || absent === list) ?? [
    list,
  ];
  if (resource?.named && before !== null && after !== null)
    return describeNamedSet(action.action, resource, before[name], after[name]);
  const partOf = (element: unknown): Part => {
    const label = labelOf(memberPath(jsonPointer(name), canonicalJson(element)));
    const { short, key: [only = '', ...rest] = [] } = resource ?? {};
    const own = rest.length === 0 ? memberOf(element, only) : undefined;
    if (short === undefined) return { name: textOf(own ?? element) + label };
    const key = [only, ...rest];
    const [other = ''] = key.filter((field) => field !== short);
    return { name: String(memberOf(element, other)) + label, of: String(memberOf(element, short)) };
  };
  const parts = Array.isArray(elements) ? elements.map(partOf) : [];
  const does = action.action === 'add' ? 'gained' : 'lost';
  const lead = resource?.short === undefined && { lead: name.replaceAll('_', ' ') };
  return { parts: [{ does, ...lead, parts }], access: does };
}

/** Both sides have the complete set. */
function describeNamedSet(
  action: Action['action'],
  { key: [only = ''], noun = { one: 'element', many: 'elements' } }: Resource,
  before: unknown,
  after: unknown,
): Description {
  const [old, now] = [identitiesIn(before, only), identitiesIn(after, only)];
  const parts = (action === 'add' ? lackingIn(old, now) : lackingIn(now, old)).map((name) => ({ name }));
  const lead = parts.length === 1 ? noun.one : noun.many;
  return parts.length === 0 ? {} : { parts: [{ does: action === 'add' ? 'adds' : 'deletes', lead, parts }] };
}

/** The fields that are marked for it, without secrets, in case a tenant returns them. */
export function fieldSummary(fields: Fields): SummaryOf<object> {
  return (item) => {
    const values = new Map<string, unknown>(Object.entries(item));
    const texts = Object.entries(fields)
      .filter(([name, { summary, secret }]) => summary && !secret && values.has(name))
      .map(([name, field]) => textOf(comparable(field, maskSecretFields(values.get(name)))));
    return texts.length === 0 ? {} : { summary: texts.join(', ') };
  };
}

/** The same, with the elements of the sets that are fields of an item. */
export function itemSummary({ fields, resources }: Pick<Resource, 'fields' | 'resources'>): SummaryOf<object> {
  const summaryOf = fieldSummary(fields);
  const sets = Object.entries(resources).filter(([, set]) => set.in);
  if (sets.length === 0) return summaryOf;
  return (item) => {
    const parts = sets.flatMap(
      ([
        name,
        {
          scalar,
          key: [only = ''],
        },
      ]) => {
        const elements = memberOf(item, name);
        const nameOf = (element: unknown) => String(scalar === undefined ? memberOf(element, only) : element);
        const names = Array.isArray(elements) ? elements.map((element) => ({ name: nameOf(element) })) : [];
        return names.length === 0 ? [] : [{ lead: name.replaceAll('_', ' '), parts: names }];
      },
    );
    const { summary } = summaryOf(item);
    return parts.length > 0 && summary === undefined ? { parts } : { summary: summary ?? '' };
  };
}

/** `colour red, reach 12`; the elements of a list are separated by semicolons. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, child]) => `${name} ${textOf(child)}`)
    .join(', ');
}
