import type { Diagnostic } from '../model/diagnostic.ts';
import type { Field, Fields } from '../model/field.ts';
import type { DesiredItem } from '../model/kind.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { isListOfKeys, membersOf } from './members.ts';

type Report = (diagnostic: Diagnostic) => void;
type Path = readonly (string | number)[];

/**
 * A rule that a schema cannot express: two elements of a list do not have one key. An element that has nothing else may
 * be repeated.
 */
export function checkLists(fields: Fields, item: DesiredItem<object>, report: Report): void {
  if (item.state === 'present') checkMembers(fields, item.value, [], item, report);
}

function checkMembers(fields: Fields, value: object, path: Path, item: DesiredItem<object>, report: Report): void {
  for (const [name, child] of Object.entries(value)) {
    const field = fields[name];
    if (field !== undefined) checkValue(field, child, [...path, name], item, report);
  }
}

function checkValue(field: Field, value: unknown, path: Path, item: DesiredItem<object>, report: Report): void {
  if (Array.isArray(value)) {
    checkKeys(field, value, path, item, report);
    for (const [index, one] of value.entries()) checkValue(field.items ?? {}, one, [...path, index], item, report);
  } else if (isRecord(value)) checkMembers(membersOf(field, value), value, path, item, report);
}

function checkKeys(field: Field, list: readonly unknown[], path: Path, item: DesiredItem, report: Report): void {
  const { key } = field;
  if (key === undefined || isListOfKeys(field)) return;
  const seen = new Map<unknown, number>();
  for (const [index, one] of list.entries()) {
    const name = memberOf(one, key);
    const first = seen.get(name);
    if (first === undefined) {
      seen.set(name, index);
      continue;
    }
    const { file, line, column } = item.at(jsonPointer(...path, first, key));
    report({
      code: 'CONFIG_DUPLICATE_ELEMENT',
      severity: 'error',
      message: `"${String(name)}" is listed twice in ${path.join('.')}, first at ${file}:${line}:${column}.`,
      hint: 'remove one of the two entries',
      source: item.at(jsonPointer(...path, index, key)),
    });
  }
}
