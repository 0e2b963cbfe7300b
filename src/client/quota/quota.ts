import { bareLedger } from './bare-ledger.ts';
import { inFlightLimit } from './in-flight-limit.ts';
import { type Ledger, openLedger } from './ledger.ts';
import type { QuotaHeaders } from './quota-headers.ts';
import { serverClock } from './server-clock.ts';

/**
 * The quota of one host, as far as its answers tell: who may go now, and how long the others wait. It has no clock and waits for
 * nothing; times are arguments, in milliseconds on a monotonic clock.
 *
 * There is one ledger for each limit that was advertised. One that belongs to a group of endpoints (partials: 5 a minute) counts for
 * requests of that group; one that was seen without a group counts for every request.
 *
 *   ask('', 0)  { ms: 0 }      leave('', 0)      the first request of a run goes alone: its answer tells the limit
 *   ask('', 1)  { ms: ∞ }                        nobody else goes before
 *   learn(…, limit 10, 9 left)                   now up to four at once, and more when the service keeps up
 */
export interface Quota {
  ask(group: string, now: number): Verdict;
  /** `operation`: what is asked for. */
  leave(group: string, now: number, operation?: string): Ticket;
  learn(ticket: Ticket, result: Result): void;
  seen(): readonly SeenLimit[];
}

/** `ms`: 0 to go, infinite when only an answer can tell. */
export interface Verdict {
  readonly ms: number;
  readonly why: 'status 429' | 'quota';
  /** The moment of the service until which it refuses, by its own word. */
  readonly until: number | null;
  /** Nothing was let through since. */
  readonly refusedSince: number | null;
}

export interface Ticket {
  readonly group: string;
  readonly operation: string;
  readonly sentAt: number;
  /** Requests under way, itself included. */
  readonly inFlight: number;
  readonly ordinals: ReadonlyMap<Booked, number>;
}

type Booked = Omit<Ledger, 'limit'>;

/** `status` is null when there was no answer. `random` from 0 to 1. */
export interface Result {
  readonly status: number | null;
  readonly headers: QuotaHeaders | null;
  readonly at: number;
  readonly random: number;
}

/** A limit that was advertised; for a forecast. */
export interface SeenLimit {
  /** '' for all requests. */
  readonly group: string;
  readonly limit: number;
  readonly mode: 'unknown' | 'window' | 'drip';
  /** Known of a bucket that drips. */
  readonly perSecond: number | null;
}

export interface QuotaTerms {
  readonly share: number;
  readonly mostInFlight: number;
  /** Local wall clock - monotonic clock. */
  readonly wallOffset: number;
  readonly maxWaitMs: number;
}

const plausibleMs = { past: -1100, byDate: 24 * 3_600_000 };

export function openQuota({ share, mostInFlight, wallOffset, maxWaitMs }: QuotaTerms): Quota {
  const clock = serverClock(wallOffset);
  const places = inFlightLimit(mostInFlight);
  const groups = new Map<string, { readonly bare: Booked; readonly limits: Map<number, Ledger> }>();
  const underWay = new Set<Ticket>();
  let taught = false;

  const groupOf = (name: string) => {
    const known = groups.get(name) ?? { bare: bareLedger(mostInFlight, clock), limits: new Map<number, Ledger>() };
    groups.set(name, known);
    return known;
  };
  const booksOf = (group: string): Booked[] =>
    (group === '' ? [''] : ['', group]).flatMap((name) => {
      const { bare, limits } = groupOf(name);
      return [bare, ...limits.values()];
    });

  /** A limit that all requests have is not opened once more for a group. */
  const ledgerFor = (ticket: Ticket, limit: number): Ledger => {
    const known = groupOf('').limits.get(limit) ?? groupOf(ticket.group).limits.get(limit);
    if (known !== undefined) return known;
    const inFlight = 1 + [...underWay].filter(({ group }) => ticket.group === '' || group === ticket.group).length;
    const ledger = openLedger({ limit, share, clock, inFlight });
    groupOf(ticket.group).limits.set(limit, ledger);
    return ledger;
  };

  /** What is not believed is not known: a reset that has passed, one that is days away, one that only the local clock makes far. */
  const plausible = (moment: number | null, at: number): number | null => {
    if (moment === null) return null;
    const distance = moment - clock.momentOf(at);
    return distance >= plausibleMs.past && distance <= (clock.known() ? plausibleMs.byDate : maxWaitMs) ? moment : null;
  };

  const refuse = (ticket: Ticket, headers: QuotaHeaders, { at, random }: Result): Booked => {
    const { date } = headers;
    const after =
      headers.retryAfter === null || headers.retryAfter === 0 ? null : clock.momentOf(at) + headers.retryAfter;
    const resetAt = plausible(headers.resetAt, at) ?? plausible(after, at);
    const known =
      headers.limit === null
        ? undefined
        : (groupOf('').limits.get(headers.limit) ?? groupOf(ticket.group).limits.get(headers.limit));
    const ledger =
      headers.limit !== null && (known !== undefined || resetAt !== null)
        ? ledgerFor(ticket, headers.limit)
        : groupOf(ticket.group).bare;
    ledger.refused(requestOf(ticket, ledger), { at, remaining: 0, resetAt, date }, random);
    return ledger;
  };

  const grant = (ticket: Ticket, headers: QuotaHeaders, { at }: Result): Booked | null => {
    const { limit, remaining, date } = headers;
    if (limit === null || remaining === null || remaining > limit) return null;
    const ledger = ledgerFor(ticket, limit);
    ledger.granted(requestOf(ticket, ledger), { at, remaining, resetAt: plausible(headers.resetAt, at), date });
    return ledger;
  };

  return {
    ask(group, now) {
      const books = booksOf(group);
      const closest = books
        .map((book) => ({ book, ms: book.wait(now) }))
        .reduce((longest, one) => (one.ms > longest.ms ? one : longest));
      const ms =
        underWay.size >= places.most() || (!taught && underWay.size > 0) ? Number.POSITIVE_INFINITY : closest.ms;
      const refusedSince = closest.book.refusedSince();
      return {
        ms,
        why: refusedSince === null ? 'quota' : 'status 429',
        until: closest.book.refusedUntil(),
        refusedSince,
      };
    },
    leave(group, now, operation = '') {
      const ordinals = new Map(booksOf(group).map((book) => [book, book.leave(now)]));
      const ticket = { group, operation, sentAt: now, inFlight: underWay.size + 1, ordinals };
      underWay.add(ticket);
      return ticket;
    },
    learn(ticket, result) {
      const { status, headers, at } = result;
      underWay.delete(ticket);
      if (headers !== null && headers.date !== null) clock.learn(headers.date, ticket.sentAt, at);
      if (status !== null) taught = true;
      const refused = status === 429;
      if (!refused)
        places.learn({
          operation: ticket.operation,
          well: status !== null && status < 500,
          ms: at - ticket.sentAt,
          inFlight: ticket.inFlight,
          at,
        });
      const booked =
        headers === null ? null : refused ? refuse(ticket, headers, result) : grant(ticket, headers, result);
      for (const book of booksOf(ticket.group)) {
        if (book !== booked) book.back(requestOf(ticket, book), at, headers?.date ?? null, status !== null && !refused);
      }
    },
    seen: () =>
      [...groups].flatMap(([group, { limits }]) =>
        [...limits.values()].map((ledger) => ({ group, limit: ledger.limit, ...ledger.describe() })),
      ),
  };
}

function requestOf({ ordinals, sentAt }: Ticket, book: Booked) {
  return { ordinal: ordinals.get(book) ?? 0, sentAt };
}
