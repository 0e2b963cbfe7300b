/** Passes over lists whose pages have numbers. */
import { groupBy } from '../../../src/values/group-by.ts';
import type { History, RequestStep } from '../history.ts';
import { onceFor, requestsOf } from './steps-and-items.ts';
import { isFirstPage } from './targets.ts';

export interface Pass {
  /** Virtual milliseconds. */
  readonly endedAt: number;
  /** All pages were read, they have the same total, and no item is on two of them: otherwise some may have been missed. */
  readonly fits: boolean;
}

/** By the request for the first page. */
export const passesOf: (history: History) => ReadonlyMap<RequestStep, Pass> = onceFor((history) => {
  const pages = requestsOf(history).filter(
    (step) => step.fault !== 'cut' && (step.page !== undefined || isRefused(step)),
  );
  const lists = groupBy(pages, ({ path, query }) => `${path}?${withoutPage(query)}`);
  return new Map([...lists.values()].flatMap(passesOver));
});

/** A page that ends its pass: what is requested again has another status. */
function isRefused({ status, query }: RequestStep): boolean {
  return status !== null && status >= 400 && status < 500 && ![401, 429].includes(status) && /[?&]page=/.test(query);
}

/** Passes can overlap: the later pages of one are the first ones that are requested after its first page was there. */
function passesOver(pages: readonly RequestStep[]): (readonly [RequestStep, Pass])[] {
  const byTime = pages.toSorted((one, other) => one.at - other.at);
  const taken = new Set<RequestStep>();
  const firsts = byTime.filter(isFirstPage).toSorted((one, other) => one.endedAt - other.endedAt);
  return firsts.map((first) => {
    const found = new Map([[0, first]]);
    for (const step of byTime.slice(byTime.indexOf(first) + 1)) {
      const number = numberOf(step);
      if (step.at < first.endedAt || taken.has(step) || found.has(number)) continue;
      if (number >= Math.ceil((first.page?.total ?? 0) / (first.page?.ids.length || 1))) continue;
      found.set(number, step);
      taken.add(step);
    }
    return [first, passOf([...found.values()])];
  });
}

function passOf(pages: readonly RequestStep[]): Pass {
  const ids = pages.flatMap(({ page }) => page?.ids ?? []);
  const totals = new Set(pages.map(({ page }) => page?.total));
  return {
    endedAt: Math.max(...pages.map(({ endedAt }) => endedAt)),
    fits: totals.size === 1 && totals.has(ids.length) && new Set(ids).size === ids.length,
  };
}

function numberOf({ query }: RequestStep): number {
  return Number(new URLSearchParams(query).get('page') ?? 0);
}

function withoutPage(query: string): string {
  const others = [...new URLSearchParams(query)].filter(([name]) => name !== 'page' && name !== 'per_page');
  return String(new URLSearchParams(others));
}
