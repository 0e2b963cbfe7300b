/** I6 and I10: what holds over several runs, once nothing goes wrong any more. */
import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { unreachedApplications } from './checks/applications.ts';
import { identityOf, itemsOf, violation } from './checks/steps-and-items.ts';
import type { Violation } from './history.ts';
import { heldTexts, isProtected, type Meaning, type MeantRole, pairName, textsOf } from './meaning.ts';

/** With the faults off, an apply has to reach its goal in so many runs. */
export const mostRuns = 2;

export interface Series {
  readonly meaning: Meaning;
  /** Exit codes of the applies with the faults off; guards that were approved apart. */
  readonly codes: readonly number[];
  /** The plan after them, with its exit code. */
  readonly last: { readonly code: number; readonly plan: Plan | null };
  readonly after: Seed;
  /** Plans that were made one after the other while nobody changed anything. */
  readonly repeated: readonly string[];
}

export function checkSeries(series: Series): Violation[] {
  return [...converges(series).map((message) => violation('I6', message)), ...isDeterministic(series)];
}

function converges({ meaning, codes, last, after }: Series): string[] {
  if (codes.at(-1) !== 0 || codes.length > mostRuns) return [`the applies without faults answered ${codes.join(', ')}`];
  if (last.plan === null) return [`the plan after them answered ${last.code} and told no plan`];
  const left = last.plan.actions.filter(({ reason }) => reason !== 'unreadable').map(({ id }) => id);
  if (left.length > 0) return [`the plan after them is not empty: ${left.join(', ')}`];
  const blind = last.plan.actions.length > 0;
  const differs = last.plan.findings.some(({ code, source }) => uncorrectable.has(code) && source !== null);
  if (last.code !== (blind || differs ? 2 : 0)) return [`the plan after them answered ${last.code}`];
  const told = new Set(last.plan.findings.map(({ kind, key }) => `${kind}/${key}`));
  return unreached(meaning, after)
    .filter(({ place }) => !told.has(place))
    .map(({ place, what }) => `the plan after them is empty, but ${place} ${what}`);
}

/** What a plan finds of declared items and no action of it corrects. */
const uncorrectable: ReadonlySet<string> = new Set([
  'LIVE_DIFFERENT',
  'LIVE_MISSING',
  'LIVE_DUPLICATE',
  'LIVE_NOT_FOUND',
  'LIVE_AMBIGUOUS',
]);

interface Unreached {
  /** Kind and key, as findings have them. */
  readonly place: string;
  readonly what: string;
}

/** Where a state is not as the files want it, judged without the code that plans. */
export function unreached(meaning: Meaning, state: Seed): Unreached[] {
  return [
    ...unreachedPolicies(meaning, state),
    ...unreachedStreams(meaning, state),
    ...unreachedRoles(meaning, state),
    ...unreachedPrompts(meaning, state),
    ...(meaning.applications === null ? [] : unreachedApplications(meaning.applications, state)),
  ];
}

function unreachedPolicies(meaning: Meaning, state: Seed): Unreached[] {
  const { policies, api } = meaning;
  if (policies === null) return [];
  const placeOf = (selector: string) => `rate_limit_policies/oauth_authentication_api/client/${selector}`;
  const live = state.rate_limit_policies ?? [];
  const wrong = Object.entries(policies).flatMap(([selector, configuration]) => {
    const found = live.filter((item) => item.consumer_selector === selector);
    if (found.length === 1 && isDeepStrictEqual(found[0]?.configuration, configuration)) return [];
    return [{ place: placeOf(selector), what: `is ${found.length === 0 ? 'missing' : 'not as declared'}` }];
  });
  return [
    ...(api === 'full' ? wrong : []),
    ...undeclared(meaning, state, 'rate_limit_policies', Object.keys(policies)).map((selector) => ({
      place: placeOf(selector),
      what: 'is not declared',
    })),
  ];
}

function unreachedStreams(meaning: Meaning, state: Seed): Unreached[] {
  const { streams, api } = meaning;
  if (streams === null || api === 'documented') return [];
  const wrong = streams.flatMap(({ name, events, status, destination }) => {
    const found = state.event_streams?.find((stream) => stream.name === name);
    const place = `event_streams/${name}`;
    if (found === undefined) return [{ place, what: 'is missing' }];
    const types = new Set((found.subscriptions ?? []).map(({ event_type }) => event_type));
    const same =
      isDeepStrictEqual(types, new Set(events)) &&
      (status === undefined || status === found.status) &&
      isDeepStrictEqual(shownDestination(found.destination), destination);
    return same ? [] : [{ place, what: 'is not as declared' }];
  });
  const extra = undeclared(
    meaning,
    state,
    'event_streams',
    streams.map(({ name }) => name),
  );
  return [...wrong, ...extra.map((name) => ({ place: `event_streams/${name}`, what: 'is not declared' }))];
}

/** What the tenant adds of its own. */
function shownDestination(destination: unknown): unknown {
  return JSON.parse(
    JSON.stringify(destination ?? null, (name, value: unknown) =>
      name === 'aws_partner_event_source' ? undefined : value,
    ),
  );
}

function undeclared(
  meaning: Meaning,
  state: Seed,
  kind: 'rate_limit_policies' | 'event_streams',
  declared: readonly string[],
): string[] {
  if (meaning.keep.includes(kind)) return [];
  const names = itemsOf(state, kind).map((item) => identityOf(kind, item));
  return names.filter((name) => !declared.includes(name) && !isProtected(meaning, kind, name));
}

function unreachedRoles(meaning: Meaning, state: Seed): Unreached[] {
  return (meaning.roles ?? []).flatMap((role) => {
    const { id, name, description } = role;
    const place = `roles/${id ?? name}`;
    const [live, ...others] = (state.roles ?? []).filter((one) => (id === null ? one.name === name : one.id === id));
    if (live === undefined) return [{ place, what: 'is missing' }];
    const isOther = description !== undefined && (live.description ?? '') !== description;
    return [
      ...(others.length > 0 ? ['is there twice'] : []),
      ...(isOther && meaning.api === 'full' ? ['has another description'] : []),
      ...unreachedPairs(meaning, role, live),
    ].map((what) => ({ place, what }));
  });
}

function unreachedPairs(
  meaning: Meaning,
  { permissions, absent }: MeantRole,
  live: NonNullable<Seed['roles']>[number],
): string[] {
  const own = new Set((live.permissions ?? []).map(pairName));
  const mayLose = !isProtected(meaning, 'roles', live.id, live.name);
  const missing = meaning.api === 'full' ? (permissions ?? []).filter((pair) => !own.has(pair)) : [];
  const unwanted = mayLose ? absent.filter((pair) => own.has(pair)) : [];
  const isComplete = meaning.api === 'full' && permissions !== null && mayLose;
  const extra = isComplete ? [...own].filter((pair) => !permissions.includes(pair)) : [];
  return [
    ...missing.map((pair) => `lacks ${pair}`),
    ...new Set([...unwanted, ...extra].map((pair) => `holds ${pair}`)),
  ];
}

function unreachedPrompts(meaning: Meaning, state: Seed): Unreached[] {
  const held = heldTexts(state);
  return Object.entries(meaning.prompts ?? {}).flatMap(([prompt, partials]) => {
    const place = `prompts/${prompt}`;
    const declared = new Map(textsOf(prompt, partials));
    const wrong = [...declared]
      .filter(([name, text]) => held.get(name) !== text)
      .map(([name]) => ({ place, what: `has not the text of ${name}` }));
    const isKept = meaning.api === 'full' && isProtected(meaning, 'prompts', prompt);
    const extra = [...held.keys()].filter((name) => name.startsWith(`${prompt}/`) && !declared.has(name));
    return [...wrong, ...(isKept ? [] : extra.map((name) => ({ place, what: `still has ${name}` })))];
  });
}

function isDeterministic({ repeated }: Series): Violation[] {
  const [first, ...others] = repeated;
  return others.some((other) => other !== first)
    ? [violation('I10', 'two plans of the same files and the same tenant differ')]
    : [];
}
