import { decideListed } from '../differ/decide-listed.ts';
import { draftFinding } from '../differ/draft.ts';
import { unit } from '../differ/unreadable-decision.ts';
import type {
  DecideInput,
  Decision,
  DesiredItem,
  DesiredSection,
  LeftAlone,
  NewNames,
  PullReading,
  ResourceKind,
} from '../model/kind.ts';
import { layeredTo } from '../model/layering.ts';
import type { Action } from '../model/plan.generated.ts';
import { isSettled, type LiveState, type Unreadable } from '../model/reader.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { groupBy } from '../values/group-by.ts';
import { listOf } from '../values/list-of.ts';
import { comparisonOf } from './comparison.ts';
import { describeItem, fieldSummary } from './describe-item.ts';
import { operationsOf } from './described-kind.ts';
import { openEffects } from './effects/item-effects.ts';
import { headOf } from './head-of.ts';
import { layeringOf } from './layering.ts';
import { nothingRead, openWriting } from './pull-items.ts';
import { readSingle } from './read-items.ts';
import { secretsIn } from './secret-places.ts';

/** One of the singles, by the name that files have for it. Some may be readable while others are not. */
export interface LiveSingle {
  readonly key: string;
  readonly state: LiveState<object>;
}

/**
 * A kind that is several objects, each of which the tenant has once. Files have a mapping with a key for each that they
 * manage; none is created or deleted.
 */
export function groupKind(description: KindDescription): ResourceKind<object, LiveSingle> {
  const { name, section, resources } = description;
  const effectsOf = groupEffects(description);
  const layerings = new Map(Object.entries(resources).map(([key, { fields }]) => [key, layeringOf(fields)]));
  const decideSingle = (item: DesiredItem<object>, input: DecideInput<object, LiveSingle>): Decision | null => {
    const single = resources[item.key];
    const live = input.live.readable ? input.live.items.find(({ key }) => key === item.key) : undefined;
    if (single === undefined || live === undefined) return null;
    const desired = { ...input.desired, items: [item] };
    const given = { ...input, desired, live: live.state };
    if (!live.state.readable) return unreadSingle(name, item, live.state);
    const comparison = comparisonOf<object, object>(single, name, {}, given);
    return decideListed({ ...comparison, keyOf: () => item.key, protectedAs: () => [item.key] }, given);
  };
  return {
    ...headOf(description),
    operations: operationsOf(description),
    ...(section && { section }),
    layering: (key) => layerings.get(key) ?? layeredTo(1),
    identity: [],
    keyOf: (_item, member) => member,
    reading: {
      operations: Object.values(resources).flatMap(({ operations }) => operations.get ?? []),
      each: true,
      read: (snapshot, { desired }) =>
        readSingles(
          snapshot,
          resources,
          desired.items.map(({ key }) => key),
        ),
    },
    decide(input) {
      const decision = joined(
        name,
        input,
        input.desired.items.flatMap((item) => decideSingle(item, input) ?? []),
      );
      return decision.actions.length === 0 ? decision : { ...decision, effectsOf: effectsOf(input) };
    },
    describe: (action: Action) => describeItem(action, fieldSummary(resources[action.key]?.fields ?? {})),
    pull: pullSingles(resources),
  };
}

function groupEffects({ name, noun, resources }: KindDescription) {
  const effectsOf = (single: Resource) => openEffects({ ...single, name, noun });
  const singles = new Map(Object.entries(resources).map(([key, single]) => [key, effectsOf(single)]));
  return ({ live, names }: DecideInput<object, LiveSingle>): NonNullable<Decision['effectsOf']> => {
    const liveOf = ({ key }: Action) => {
      const state = live.readable ? live.items.find((single) => single.key === key)?.state : undefined;
      return (state?.readable && state.items[0]) || null;
    };
    return (planned) => (action) => singles.get(action.key)?.({ liveOf, names })(planned)(action) ?? [];
  };
}

async function readSingles(
  snapshot: Snapshot,
  resources: KindDescription['resources'],
  names: readonly string[],
): Promise<LiveState<LiveSingle>> {
  const read = async (key: string): Promise<LiveSingle[]> => {
    const single = resources[key];
    return single === undefined ? [] : [{ key, state: await readSingle(snapshot, single) }];
  };
  return { readable: true, filtered: false, items: (await Promise.all(names.map(read))).flat() };
}

/** That one of them cannot be read: nothing of it is changed, and the others are. */
function unreadSingle(kind: string, { key, at }: DesiredItem, why: Unreadable): Decision {
  const finding = draftFinding({ code: why.code, kind, key, message: why.message, source: at('') });
  return { ...nothing, kind, findings: [finding], unreadable: isSettled(why) ? null : why };
}

const nothing: Omit<Decision, 'kind'> = {
  actions: [],
  findings: [],
  losses: [],
  asked: [],
  gains: [],
  unreadable: null,
  population: { declared: 0, live: [], filtered: false, unit },
  names: null,
};

function joined(kind: string, { desired }: DecideInput<object, LiveSingle>, decisions: readonly Decision[]): Decision {
  const unreadable = decisions.flatMap((decision) => decision.unreadable ?? [])[0] ?? null;
  return {
    ...nothing,
    kind,
    actions: decisions.flatMap(({ actions }) => actions),
    findings: decisions.flatMap(({ findings }) => findings),
    unreadable,
    population: {
      ...nothing.population,
      declared: desired.items.length,
      live: decisions.flatMap(({ population }) => population.live),
    },
  };
}

function pullSingles(resources: KindDescription['resources']): NonNullable<ResourceKind<object, LiveSingle>['pull']> {
  const writingOf = ({ key, state }: LiveSingle, newNames: NewNames, { names }: PullReading<LiveSingle>) => {
    const [single] = state.readable ? state.items : [];
    if (!state.readable || single === undefined) return null;
    const about = { key, names, newNames, others: state.more?.get(single)?.others ?? [] };
    return { ...openWriting(resources[key]?.fields ?? {}), single, about };
  };
  return {
    form: 'mapping',
    keyOf: ({ key, state }, { items } = nothingRead) =>
      state.readable || items.some((item) => item.key === key) ? key : null,
    declare(live, newNames, read = nothingRead) {
      const writing = writingOf(live, newNames, read);
      return writing === null ? { written: {} } : writing.declare(writing.single, writing.about);
    },
    // One that could not be read stays as it is.
    adopt(written, live, newNames, read = nothingRead) {
      const writing = writingOf(live, newNames, read);
      return writing === null ? { written } : writing.adopt(written, writing.single, writing.about);
    },
    leftAlone: ({ live, undeclared }) => unreadSingles([...new Set([...live.items, ...undeclared.items])]),
    readUndeclared: (snapshot: Snapshot, desired: DesiredSection) => {
      const declared = new Set(desired.items.map(({ key }) => key));
      const names = Object.keys(resources).filter((key) => !declared.has(key));
      return readSingles(snapshot, resources, names);
    },
    // The names of fields differ, so only one of the singles has secrets in what is written.
    secrets: (written) =>
      Object.values(resources).flatMap(({ fields }) => secretsIn(fields, written).map(({ place }) => place.pointer)),
  };
}

/** Those that the tenant does not have are one line. */
function unreadSingles(singles: readonly LiveSingle[]): LeftAlone[] {
  const unread = singles.flatMap(({ key, state }) => (state.readable ? [] : [{ key, why: state }]));
  const textOf = ({ code, message }: Unreadable) => (code === 'LIVE_NOT_ON_TENANT' ? 'not on this tenant' : message);
  return [...groupBy(unread, ({ why }) => textOf(why))].flatMap(([message, same]) => {
    const [first] = same;
    return first === undefined
      ? []
      : [{ message: `${listOf(same.map(({ key }) => key))}: ${message}`, why: first.why }];
  });
}
