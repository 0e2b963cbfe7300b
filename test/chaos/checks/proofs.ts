/** G2 and N1: what was read in between, and what is left undone although nothing went wrong. */

import type { Action } from '../../../src/model/plan.generated.ts';
import type { Item } from '../effects.ts';
import type { History, RequestStep } from '../history.ts';
import { reliedOn } from './freshness.ts';
import { passesOf } from './passes.ts';
import { isReached } from './report.ts';
import {
  actionOf,
  type Check,
  createdIdentity,
  foreignOf,
  identityOf,
  isWrite,
  itemsOf,
  nameOf,
  requestsOf,
  stepsOf,
  violation,
  writesOf,
} from './steps-and-items.ts';
import { isAboutItem, isFirstPage, isReadable, pathsOf } from './targets.ts';

/**
 * G2: before something is taken away, or added to an item that the run has created, readings that began after the responses
 * of what it relies on show that, and their pages fit together. And what is verified was read in the same way.
 */
export const readAfterResponses: Check = (history) => {
  if (history.command === 'plan' || !history.told.readable) return [];
  return [...unprovenWrites(history), ...unprovenResults(history)].map((message) => violation('G2', message));
};

function unprovenWrites(history: History): string[] {
  const { plan } = history.told;
  return writesOf(history).flatMap((step) => {
    const action = actionOf(step, plan, history.environment);
    if (action === undefined) return [];
    return grantsOf(action, history)
      .filter((grant) => {
        const last = stepsOf(grant, history).findLast(({ at }) => at < step.at);
        return last !== undefined && !isShown(grant, history, last.endedAt, step);
      })
      .map((grant) => `${nameOf(step)} was sent, and no reading since its response shows ${grant.id}`);
  });
}

function unprovenResults(history: History): string[] {
  const { told } = history;
  if (told.code !== 0 || told.verification?.result !== 'verified') return [];
  const actions = told.plan?.actions ?? [];
  const lastResponses = new Map<Action, number>();
  for (const action of actions) {
    const { endedAt } = stepsOf(action, history).at(-1) ?? {};
    if (endedAt === undefined) continue;
    // What it relied on may have been undone until then.
    for (const about of [action, ...grantsOf(action, history)])
      lastResponses.set(about, Math.max(lastResponses.get(about) ?? 0, endedAt));
  }
  return actions
    .filter((action) => {
      const since = lastResponses.get(action);
      return since !== undefined && isReadable(action, history) && !isShown(action, history, since);
    })
    .map(
      ({ id }) => `${id} is verified, and no reading since the last response of it, or of what relies on it, shows it`,
    );
}

/** What has to be shown before a write is sent. */
function grantsOf(action: Action, history: History): Action[] {
  if (!['add', 'remove', 'delete'].includes(action.action)) return [];
  const grants = reliedOn(action, history).filter(
    (grant) => grant !== action && ['add', 'create'].includes(grant.action) && isReadable(grant, history),
  );
  if (action.action !== 'add') return grants;
  const needed = grants.filter(({ id }) => action.needs.includes(id));
  return needed.some((grant) => grant.action === 'create') ? needed : [];
}

/** Where changes become visible late, a reading shows an earlier state: that there was one has to do. */
function isShown(action: Action, history: History, since: number, before?: RequestStep): boolean {
  const created = stepsOf(action, history).flatMap(({ path, answeredId }) =>
    answeredId === undefined ? [] : [`${path}/${answeredId}`],
  );
  const paths = [...pathsOf(action), ...created];
  const until = before?.at ?? Number.POSITIVE_INFINITY;
  const isWhole = (step: RequestStep) => {
    const { endedAt, fits } = passesOf(history).get(step) ?? { endedAt: step.endedAt, fits: true };
    return fits && endedAt <= until;
  };
  return requestsOf(history).some(
    (step) =>
      step.method === 'GET' &&
      step.status === 200 &&
      step.at >= since &&
      step.endedAt <= until &&
      paths.includes(step.path) &&
      isFirstPage(step) &&
      isWhole(step) &&
      isAboutItem(step.query, action) &&
      (history.lagMs > 0 || isReached(action, step.before) || isOnLaterPage(action, step, history, until)),
  );
}

/** Whether a create is performed while a list is read, and a page after the first one has its item. */
function isOnLaterPage(action: Action, first: RequestStep, history: History, until: number): boolean {
  if (action.action !== 'create') return false;
  const pages = requestsOf(history).filter(
    ({ path, query, at, endedAt }) =>
      path === first.path && query.includes('from=') && at >= first.endedAt && endedAt <= until,
  );
  return pages.some(({ before, query }) => {
    const from = new URLSearchParams(query).get('from') ?? '';
    const isCreated = (item: Item) => identityOf(action.kind, item) === createdIdentity(action) && item.id > from;
    return itemsOf(before, action.kind).some(isCreated);
  });
}

/** N1: where nothing goes wrong but that a write is refused with 5xx and accepted later, and nobody else writes, everything is done. */
export const undisturbedIsDone: Check = (history) => {
  const { command, told, signal, approved, isSaved, lagMs } = history;
  // Where every reading takes long, a write that is refused twice may have no time left for a third try, and what many
  // slow readings show may be too old by the time that the last of them is there.
  const givenUp = /no success within|after 5 tries|so long to read that it is never known/;
  const isGivenUp = told.outcomes?.some(({ message }) => givenUp.test(message ?? '')) ?? false;
  // Without the code, only what an apply has begun with it is approved.
  const isRefused = told.code === 4 && (told.plan?.refusals.some(({ approve }) => approve !== approved) ?? false);
  const isCalm =
    signal === null && lagMs === 0 && foreignOf(history).length === 0 && requestsOf(history).every(isUndisturbed);
  if (command === 'plan' || isSaved || isRefused || isGivenUp || !isCalm || !told.readable || told.code === null)
    return [];
  return (told.outcomes ?? [])
    .filter(({ outcome }) => outcome !== 'done')
    .map(({ id, outcome, message }) => violation('N1', `${id} is told as ${outcome}: ${message}`));
};

function isUndisturbed(step: RequestStep): boolean {
  const { fault, lie, status, operation } = step;
  const isRefused = fault === 'status' && isWrite(step) && (status ?? 0) > 500;
  return (fault === null || isRefused) && lie === null && status !== 429 && (operation !== 'token' || status === 200);
}
