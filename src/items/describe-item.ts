import type { Fields } from '../model/field.ts';
import type { Description } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { maskSecretFields } from '../secrets/secret-spellings.ts';
import { isRecord } from '../values/is-record.ts';
import { comparable } from './comparable.ts';

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
export function describeElements({ action, before, after }: Action): Description {
  const [[lead, elements] = ['', []]] = Object.entries(after ?? before ?? {});
  const names = Array.isArray(elements) ? elements.map((one) => ({ name: textOf(one) })) : [];
  const access = action === 'add' ? 'gained' : 'lost';
  return { parts: [{ does: access, lead: lead.replaceAll('_', ' '), parts: names }], access };
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

/** `colour red, reach 12`; the elements of a list are separated by semicolons. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, child]) => `${name} ${textOf(child)}`)
    .join(', ');
}
