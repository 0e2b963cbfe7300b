/** I7, I8 and Q1: secrets, bounds, and the quota. */
import type { RequestStep } from '../history.ts';
import { type Check, isWrite, nameOf, requestsOf, violation } from './steps-and-items.ts';

/** I7: no secret in anything that was written, in no usual spelling. */
export const noSecret: Check = ({ told, secrets }) => {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ]);
  const text = told.texts.join('\n');
  return [...new Set(spellings)]
    .filter((spelling) => text.includes(spelling))
    .map((found) => violation('I7', `the output holds ${found.slice(0, 4)}…`));
};

/** Tries of one request, and one more with a new token. */
const mostTries = 6;
/**
 * Passes over a listing, the readings that settle and explain, and those that wait for what is shown late, twice 30 seconds. Each time
 * that a write is sent again, its readings wait again. Where many wait for what is never shown, one reading a second serves
 * all of them.
 */
const mostReadings = 14;
/** An hour: a write may wait five times for a place behind its readings, ten minutes each, before it is given up. */
const longestMs = 3_600_000;
/**
 * A tenant that refuses every third request, at any pace, is asked twice a minute in the end. A write waits for the time
 * of two or three requests, because it leaves together with its readings.
 */
const slowestMs = 45_000;

/** I8: it ends, in time, and asks for nothing without end. */
export const bounded: Check = (history) => {
  const { told, elapsedMs } = history;
  const violations = told.hung ? [violation('I8', 'it did not end')] : [];
  const most = Math.max(longestMs, requestsOf(history).length * slowestMs);
  if (elapsedMs > most) violations.push(violation('I8', `it took ${Math.round(elapsedMs / 1000)} s`));
  const tries = new Map<string, number>();
  let repeated = 0;
  for (const step of requestsOf(history)) {
    if (step.operation === 'token') continue;
    const name = requestName(step);
    const count = (tries.get(name) ?? 0) + 1;
    tries.set(name, count);
    if (isWrite(step) && count > 1) repeated += 1;
    const mostSent = isWrite(step) ? mostTries : Math.max((mostTries + repeated) * mostReadings, elapsedMs / 1000);
    if (count === mostSent + 1)
      violations.push(violation('I8', `${nameOf(step)} was sent more than ${mostSent} times`));
  }
  return violations;
};

/** Milliseconds after a refusal in which nothing may be asked for. */
const closedMs = 100;
/** Requests that may be on their way when a refusal arrives. */
const mostInFlight = 17;

/**
 * Q1: after a refusal by the quota the gate is closed for a while. What was under way at that very moment may still arrive, but not
 * the refused request again. Two readings of the same may be under way: then one of them comes again later. Groups of
 * endpoints have limits of their own.
 */
export const gateCloses: Check = (history) => {
  const requests = requestsOf(history).filter(({ operation }) => operation !== 'token');
  return requests.flatMap((refused, index) => {
    if (refused.status !== 429) return [];
    // A slow tenant refuses late: what is sent before that is under way.
    const since = refused.endedAt;
    const soon = requests
      .slice(index + 1)
      .filter((step) => step.at >= since && step.at - since < closedMs && groupOf(step) === groupOf(refused));
    const isSame = (step: RequestStep) => requestName(step) === requestName(refused);
    const isLater = requests.some((step) => isSame(step) && step.at - since >= closedMs);
    const isUnderWay = ({ method, at }: RequestStep) => method === 'GET' && at === since && isLater;
    const again = soon.find((step) => isSame(step) && !isUnderWay(step));
    if (again !== undefined)
      return [violation('Q1', `${nameOf(again)} was sent again ${again.at - since} ms after a 429`)];
    // A write has its part of the quota before its reading, and leaves as that returns.
    const hadPlace = (step: RequestStep) =>
      isWrite(step) &&
      requests.some(({ method, at, endedAt }) => method === 'GET' && at < since && endedAt === step.at);
    const late = soon.find((step) => step.at > since && !hadPlace(step));
    if (late !== undefined) return [violation('Q1', `${nameOf(late)} was sent ${late.at - since} ms after a 429`)];
    return soon.length > mostInFlight ? [violation('Q1', `${soon.length} requests came after a 429 at once`)] : [];
  });
};

function groupOf({ path, method }: RequestStep): string {
  if (!path.endsWith('/partials')) return 'default';
  return method === 'GET' ? 'partials-read' : 'partials-write';
}

function requestName(step: RequestStep): string {
  return `${nameOf(step)} ${JSON.stringify(step.body ?? null)}`;
}
