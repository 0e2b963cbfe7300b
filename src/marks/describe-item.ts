import type { Field, Fields } from '../model/field.ts';
import type { Description } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { maskSecretFields } from '../secrets/secret-spellings.ts';
import { isRecord } from '../values/is-record.ts';
import { comparable } from './comparable.ts';

/** How the items of a kind are described, live ones and declared ones: both have their fields under the same names. */
export interface ItemTexts<Item> {
  linesOf(item: Item): readonly string[];
  summaryOf(item: Item): Pick<Description, 'summary' | 'parts'>;
}

export function describeItem<Item extends object>(
  { key, before, after, reason, changes = [] }: Action,
  { linesOf, summaryOf }: ItemTexts<Item>,
): Description {
  const item = (after ?? before ?? {}) as Item;
  const summary = reason === 'rotated' ? { summary: 'resends its secret' } : changes.length === 0 && summaryOf(item);
  return {
    title: key,
    ...summary,
    get lines() {
      return linesOf(item);
    },
  };
}

/** A line for each field beside the identity, and a summary of those that are marked for it. */
export function fieldTexts(fields: Fields): ItemTexts<object> {
  return {
    linesOf: (item) => shownFields(fields, item, isLine).map(([name, text]) => `${name}: ${text}`),
    summaryOf: (item) => {
      const texts = shownFields(fields, item, isSummary).map(([, text]) => text);
      return texts.length === 0 ? {} : { summary: texts.join(', ') };
    },
  };
}

const isLine = ({ identity }: Field) => identity !== true;
const isSummary = ({ summary }: Field) => summary === true;

/** Without secrets, in case a tenant returns them. */
function shownFields(fields: Fields, item: object, isShown: (field: Field) => boolean): [string, string][] {
  const values = new Map<string, unknown>(Object.entries(item));
  return Object.entries(fields)
    .filter(([name, field]) => isShown(field) && field.secret !== true && values.has(name))
    .map(([name, field]) => [name, textOf(comparable(field, maskSecretFields(values.get(name))))]);
}

/** `colour red, reach 12`; the elements of a list are separated by semicolons. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, child]) => `${name} ${textOf(child)}`)
    .join(', ');
}
