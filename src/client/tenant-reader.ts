import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../contract/path.ts';
import { encodeQuery } from '../contract/query.ts';
import { InternalError } from '../model/internal-error.ts';
import type { GetOperation, ListOperation } from '../model/operation.ts';
import type { Listing, NotRead, PathParams, Reader, Reading } from '../model/reader.ts';
import { checkPage } from './check-page.ts';
import { describeFaults } from './describe-faults.ts';
import { incomplete } from './not-read.ts';
import type { ReadWire } from './open-read-wire.ts';
import type { Session } from './open-session.ts';
import { type PageQuery, type Pager, pagerFor } from './pager.ts';
import { type RawAnswer, readAnswer } from './read-answer.ts';
import { retryRules } from './retry-rules.ts';
import { sendAuthorized } from './send-authorized.ts';
import { unknownFieldsReporter } from './unknown-fields-reporter.ts';

/**
 * Reads every page, or says why not (service specification 4.1, 4.5). A list is what the tenant holds only when nothing was
 * missed and nothing came twice: a cursor or an item seen before means that the pages do not add up, and nothing may be deleted
 * on the strength of them.
 */
export function tenantReader(session: Session, wire: ReadWire): Reader {
  const reportUnknown = session.debug ? unknownFieldsReporter(session.emit) : async () => {};

  const fetchAnswer = async (operation: GetOperation | ListOperation, path: string, where: string) => {
    if (operation.method !== 'GET') throw new InternalError(`${operation.id} does not read`);
    const send = (token: string) => wire.get(session.basePath + path, token);
    return readAnswer(session, operation, where, await sendAuthorized(session, operation, retryRules.GET, send));
  };

  const listAll = async (operation: ListOperation, query: PageQuery, params: PathParams): Promise<Listing<unknown>> => {
    if (operation.paging === undefined) throw new InternalError(`${operation.id} is no listing`);
    const pager = pagerFor(operation, query);
    const collected = startCollecting(operation, pager);
    const fetchPage = (asked: PageQuery, number: number) =>
      fetchAnswer(operation, buildPath(operation, params) + encodeQuery(asked), `page ${number}: `);
    let answer: RawAnswer | NotRead = await fetchPage(pager.first, 1);
    for (let number = 1; ; number += 1) {
      if (!answer.ok) return answer;
      const next = pager.next(answer.value);
      const goesOn = next !== null && number < session.limits.maxPages && operation.query?.validate(next) !== false;
      // While this page is judged, the next one is on its way (once its request has had a turn to leave); when this one is bad,
      // what comes of that one does not matter.
      const following = goesOn ? fetchPage(next, number + 1) : null;
      following?.catch(() => {});
      await setImmediate();
      const page = checkPage(session, operation, number, answer.value);
      const fault = page.ok ? collected.add(page.value, page.items) : null;
      if (!page.ok || fault !== null) {
        await following?.catch(() => {});
        return page.ok ? incomplete(operation, session.mask.clean(`page ${number}: ${fault}`)) : page;
      }
      session.emit({ type: 'page', operation: operation.id, items: page.items.length, total: collected.items.length });
      await reportUnknown(operation, page.value);
      if (next === null) return { ok: true, items: collected.items, ...(number > 1 && { pages: number }) };
      if (following === null) return incomplete(operation, `there are more than ${session.limits.maxPages} pages`);
      answer = await following;
    }
  };

  const getOne = async (operation: GetOperation, params: PathParams): Promise<Reading<unknown>> => {
    const answer = await fetchAnswer(operation, buildPath(operation, params), '');
    if (!answer.ok) return answer;
    if (!operation.answer.validate(answer.value))
      return incomplete(operation, session.mask.clean(describeFaults(operation.answer)));
    session.emit({ type: 'page', operation: operation.id, items: 1, total: 1 });
    await reportUnknown(operation, answer.value);
    return { ok: true, value: answer.value };
  };

  // What the schema of an operation's answer has accepted has the operation's own type.
  return {
    list: <Query extends object, Item>(operation: ListOperation<Query, Item>, query: Query, params: PathParams = {}) =>
      listAll(operation as ListOperation, query as PageQuery, params) as Promise<Listing<Item>>,
    get: <Answer>(operation: GetOperation<unknown, Answer>, params: PathParams) =>
      getOne(operation, params) as Promise<Reading<Answer>>,
  };
}

function startCollecting({ paging }: ListOperation, pager: Pager) {
  const items: unknown[] = [];
  const seen = new Set<string>();
  /** The reason why the page does not belong to the others, or null. */
  const add = (page: Readonly<Record<string, unknown>>, more: readonly unknown[]): string | null => {
    for (const item of more) {
      const identity = paging.identity.map((field) => (item as Readonly<Record<string, unknown>>)[field]);
      const name = JSON.stringify(identity);
      if (seen.has(name))
        return `the item with the ${paging.identity.join(' and the ')} ${identity.join(' and ')} came before`;
      seen.add(name);
      items.push(item);
    }
    return pager.misfit(page, more);
  };
  return { items, add };
}
