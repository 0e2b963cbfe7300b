import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../contract/path.ts';
import { encodeQuery } from '../contract/query.ts';
import { InternalError } from '../model/internal-error.ts';
import type { ListOperation } from '../model/operation.ts';
import type { Listing, Reader } from '../model/reader.ts';
import { incompleteListing } from './incomplete-listing.ts';
import type { ReadWire } from './open-read-wire.ts';
import type { Session } from './open-session.ts';
import { readPage } from './read-page.ts';
import { retryRules } from './retry-rules.ts';
import { sendAuthorized } from './send-authorized.ts';
import { unknownFieldsReporter } from './unknown-fields-reporter.ts';

/**
 * Reads every page, or says why not (service specification 4.1, 4.5). A list is what the tenant holds only when nothing was
 * missed and nothing came twice: a cursor or an id seen before means that the pages do not add up, and nothing may be deleted
 * on the strength of them.
 */
export function pageReader(session: Session, wire: ReadWire): Reader {
  const reportUnknown = session.debug ? unknownFieldsReporter(session.emit) : async () => {};

  const fetchPage = async (operation: ListOperation, query: Readonly<Record<string, unknown>>, number: number) => {
    const path = session.basePath + buildPath(operation, {}) + encodeQuery(query);
    return readPage(session, operation, number, await sendAuthorized(session, operation.id, retryRules.GET, (token) => wire.get(path, token)));
  };

  const listAll = async (operation: ListOperation, query: object): Promise<Listing<unknown>> => {
    if (operation.method !== 'GET') throw new InternalError(`${operation.id} is no listing`);
    const asked: Readonly<Record<string, unknown>> = { ...query, take: operation.paging.maxTake };
    const collected = startCollecting(asked['from']);
    let answer = await fetchPage(operation, asked, 1);
    for (let number = 1; ; number += 1) {
      if (!answer.ok) return answer;
      const { next } = answer;
      const query = { ...asked, from: next };
      const goesOn = next !== null && number < session.limits.maxPages && collected.isNew(next) && operation.query?.validate(query) !== false;
      // While this page is judged, the next one is on its way (once its request has had a turn to leave); when this one is bad,
      // what comes of that one does not matter.
      const following = goesOn ? fetchPage(operation, query, number + 1) : null;
      following?.catch(() => {});
      await setImmediate();
      const page = answer.check();
      const fault = page.ok ? collected.add(page.items, next) : null;
      if (!page.ok || fault !== null) {
        await following?.catch(() => {});
        return page.ok ? incompleteListing(operation, session.mask.clean(`page ${number}: ${fault}`)) : page;
      }
      session.emit({ type: 'page', operation: operation.id, items: page.items.length, total: collected.items.length });
      await reportUnknown(operation, page.value);
      if (next === null) return { ok: true, items: collected.items };
      if (following === null) return incompleteListing(operation, `there are more than ${session.limits.maxPages} pages`);
      answer = await following;
    }
  };

  // A page that its schema has accepted holds items of the operation's own type.
  return {
    list: <Query extends object, Item>(operation: ListOperation<Query, Item>, query: Query) =>
      listAll(operation as ListOperation, query) as Promise<Listing<Item>>,
  };
}

function startCollecting(from: unknown) {
  const items: unknown[] = [];
  const ids = new Set<unknown>();
  const cursors = new Set<unknown>([from]);
  /** The reason why the page does not belong to the others, or null. */
  const add = (more: readonly unknown[], next: string | null): string | null => {
    for (const item of more) {
      const id = (item as { readonly id?: unknown }).id;
      if (id !== undefined && ids.has(id)) return `the item with the id ${String(id)} came before`;
      ids.add(id);
      items.push(item);
    }
    if (next === null) return null;
    if (cursors.has(next)) return `the cursor ${next} came before`;
    cursors.add(next);
    return null;
  };
  return { items, add, isNew: (cursor: string) => !cursors.has(cursor) };
}
