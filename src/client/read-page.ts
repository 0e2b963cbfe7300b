import type { Unreadable } from '../model/live-state.ts';
import type { ListOperation } from '../model/operation.ts';
import { describeFaults } from './describe-faults.ts';
import { explainSent } from './explain-sent.ts';
import { incompleteListing } from './incomplete-listing.ts';
import type { Session } from './open-session.ts';
import { parseJson } from './parse-json.ts';
import type { Sent } from './send-with-retries.ts';
import { unauthorizedError } from './unauthorized-error.ts';
import { unreachableError } from './unreachable-error.ts';

/**
 * An answer that may be a page. Its cursor can be followed before `check` has judged it, so that the service works on the next
 * page meanwhile; its items are only there once it is judged.
 */
export interface Page {
  readonly ok: true;
  /** Null on the last page. */
  readonly next: string | null;
  check(): CheckedPage | NotRead;
}

export interface CheckedPage {
  readonly ok: true;
  readonly value: unknown;
  readonly items: readonly unknown[];
}

export interface NotRead {
  readonly ok: false;
  readonly why: Unreadable;
}

export type PageResult = Page | NotRead;

/** Judges the answer to a request for a page. Throws what ends a run: no token, no host, the caller's signal. */
export function readPage(session: Session, operation: ListOperation, number: number, sent: Sent): PageResult {
  const { last } = sent;
  session.signal.throwIfAborted();
  if ('noToken' in last) throw last.noToken;
  if (!last.answered && !session.reached()) throw unreachableError(session.host, last.failure, sent.tries);
  const status = last.answered ? last.answer.status : null;
  if (last.answered && status === operation.success) return openPage(session, operation, number, last.answer.body);
  if (status === 401) throw unauthorizedError(session.host, explainSent(sent, session.mask));
  const why = `page ${number}: ${explainSent(sent, session.mask)}`;
  if (status === 403) return { ok: false, why: scopeMissing(operation, why) };
  if (status === 404 || status === 405 || status === 501) return incompleteListing(operation, `${why}; the service does not have the operation`);
  return incompleteListing(operation, why);
}

/** A plan that lacks the feature answers 403 too; the service's own words tell the two apart, for people. */
function scopeMissing(operation: ListOperation, why: string): Unreadable {
  const message = `${operation.id}: ${why}; the operation needs the scope ${operation.scope}`;
  return { readable: false, structural: false, code: 'LIVE_SCOPE_MISSING', message };
}

function openPage(session: Session, operation: ListOperation, number: number, body: { readonly bytes: Buffer; readonly fault: unknown }): PageResult {
  if (body.fault !== null) return incompleteListing(operation, `page ${number}: the answer is larger than ${session.limits.maxAnswerBytes} bytes`);
  const parsed = parseJson(body.bytes);
  if (!parsed.ok) return incompleteListing(operation, `page ${number}: ${parsed.why}`);
  return { ok: true, next: cursorOf(parsed.value), check: () => checkPage(session, operation, number, parsed.value) };
}

function cursorOf(value: unknown): string | null {
  const next = typeof value === 'object' && value !== null && 'next' in value ? value.next : null;
  return typeof next === 'string' && next !== '' ? next : null;
}

function checkPage({ mask }: Session, operation: ListOperation, number: number, value: unknown): CheckedPage | NotRead {
  if (!operation.answer.validate(value)) {
    const where = itemAt(value, operation.answer.validate.errors?.[0]?.instancePath ?? '');
    return incompleteListing(operation, mask.clean(`page ${number}: ${describeFaults(operation.answer)}${where}`));
  }
  const page = value as Readonly<Record<string, unknown>>; // the schema of a page accepts objects only
  return { ok: true, value: page, items: page[operation.paging.items] as readonly unknown[] };
}

/** The id of the item that a pointer such as /items/3/name leads into, for people who look for it. */
function itemAt(page: unknown, pointer: string): string {
  const [, key = '', index = ''] = pointer.split('/');
  const item = (page as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null)?.[key]?.[index];
  const id = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? `; the item's id is ${id}` : '';
}
