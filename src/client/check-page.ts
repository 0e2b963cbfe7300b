import type { ListOperation } from '../model/operation.ts';
import type { NotRead } from '../model/reader.ts';
import { describeFaults } from './describe-faults.ts';
import { incomplete } from './not-read.ts';
import type { Session } from './open-session.ts';

/** A page that the schema of its operation has accepted. */
export interface CheckedPage {
  readonly ok: true;
  readonly value: Readonly<Record<string, unknown>>;
  readonly items: readonly unknown[];
}

export function checkPage(
  { mask }: Session,
  operation: ListOperation,
  number: number,
  value: unknown,
): CheckedPage | NotRead {
  if (!operation.answer.validate(value)) {
    const where = itemAt(value, operation.answer.validate.errors?.[0]?.instancePath ?? '');
    return incomplete(operation, mask.clean(`page ${number}: ${describeFaults(operation.answer)}${where}`));
  }
  const items = (value as Readonly<Record<string, unknown>>)[operation.paging.items];
  if (!Array.isArray(items))
    return incomplete(operation, `page ${number}: it is a bare list, although totals were asked for`);
  return { ok: true, value: value as Readonly<Record<string, unknown>>, items };
}

/** The id of the item that a pointer such as /items/3/name leads into, for people who look for it. */
function itemAt(page: unknown, pointer: string): string {
  const [, key = '', index = ''] = pointer.split('/');
  const item = (page as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null)?.[key]?.[index];
  const id = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? `; the item's id is ${id}` : '';
}
