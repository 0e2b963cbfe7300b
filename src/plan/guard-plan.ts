import type { AnyKind, Counted, Decision, LiveCount, Loss, LossUnit } from '../model/kind.ts';
import type { OwnClient } from '../model/own-client.ts';
import type { Action, Refusal } from '../model/plan.generated.ts';
import type { GuardLimits } from '../model/tenant.generated.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { once } from '../values/memoized.ts';
import { compareText } from '../values/text-order.ts';
import type { AssembleInput } from './assemble-input.ts';
import type { UnsignedPlan, UnsignedRefusal } from './digest.ts';
import { onlyPlanned } from './link-kinds.ts';
import { defaultLimits } from './rules.ts';
import { isLimited, onlyCompleteKeys, selectsItem } from './selection.ts';
import { planScopes } from './summary.ts';

/**
 * What guards refuse of the planned actions, when a complete plan deletes, removes or changes more of a kind than people
 * are likely to intend.
 *
 *   limits { max_delete_count: 3, max_delete_percent: 30 }, 40 live policies  ->  at most 12 may be deleted
 *   the same limits, 5 live policies                                          ->  at most 3 may be deleted
 *   the same limits, 5 selected policies, and the others are not read       ->  at most 3 may be deleted
 *   a section, a role or a prompt that would be left empty                    ->  refused at any size
 *   max_update_percent: 10, 40 live policies                                  ->  at most 4 may be updated
 *   a connection, and with it its users                                       ->  refused at any size
 *   a client of this tool that would get no token                             ->  refused at any size
 *   40 roles with permissions, by their own actions and those of APIs         ->  at most 12 may lose any
 *
 * An item that a rule keeps is not counted as live, and one that the selection leaves out is not counted as left.
 *
 * One code approves everything that is refused. It is made of the items themselves, so it covers exactly those items
 * and stops matching when one of them changes.
 */
export function guardPlan(
  { decisions, again, notRead, desired, kinds, ...input }: AssembleInput,
  actions: readonly Action[],
): Pick<UnsignedPlan, 'refusals' | 'refused'> & { readonly shared: () => readonly (readonly string[])[] } {
  const { selection } = again ?? input;
  // Of an earlier plan that is made again, only what is sent matters.
  const sent = again === undefined ? actions : actions.filter(again.isSent);
  const planned = once(() => new Map(sent.map((action) => [action.id, action])));
  const partlyRead = new Set(notRead.map(({ kind }) => kind));
  const allLimits = { ...defaultLimits, ...desired.tenant.guards };
  // A percentage of items that are not all known is not known either.
  const countLimits = { ...allLimits, max_delete_percent: 0 };
  const sending = onlyPlanned(decisions, sent);
  const counted = sending.flatMap((decision) => [
    decision,
    ...(decision.nested ?? []).map((parts) => withoutItems(decision, parts)),
  ]);
  const guarded = counted.flatMap((decision) => {
    const { kind, population } = decision;
    return guardKind(decision, {
      planned,
      selected: population.live.filter(({ key }) => selectsItem(selection, kind, key)),
      limits: population.filtered || partlyRead.has(kind) ? countLimits : allLimits,
      ofRead: population.filtered || partlyRead.has(kind) ? ofRead : '',
      // An item that is selected by its complete key is asked for, also if it is the last one.
      isPart: population.filtered || onlyCompleteKeys(selection, kind) !== null,
      scopes: () => planScopes({ kinds, reads: input.reads }, sent).apply,
    });
  });
  // How many hold any is not known of a part of the files.
  const isPart = isLimited(selection);
  guarded.push(...sending.flatMap((decision) => guardDestroyed(decision, kinds)));
  guarded.push(...guardHolders(sending, isPart ? countLimits : allLimits, isPart ? ofRead : ''));
  return {
    refusals: guarded.map(({ refusal }) => refusal),
    refused: new Set(guarded.flatMap(({ ids }) => ids)),
    shared: () => guarded.map(({ names }) => names()),
  };
}

/** What guards count of elements: their items are counted already. */
function withoutItems({ kind, unreadable, names }: Decision, parts: Counted): Decision {
  return { kind, unreadable, names, actions: [], findings: [], ...parts };
}

/**
 * A refusal without its code, the ids of the actions that it covers, and what it names besides their items: who loses
 * something by them, without ids.
 */
interface Guarded {
  readonly refusal: UnsignedRefusal;
  readonly ids: readonly string[];
  readonly names: () => readonly string[];
}

/** Added to a number of live items, where others were not read. */
const ofRead = ' that were read';

type Limits = GuardLimits & Required<Pick<GuardLimits, keyof typeof defaultLimits>>;

interface KindContext {
  /** Actions of all kinds, by id. */
  readonly planned: () => ReadonlyMap<string, Action>;
  /** Live items that the plan could delete. */
  readonly selected: readonly LiveCount[];
  readonly limits: Limits;
  readonly ofRead: string;
  readonly isPart: boolean;
  /** What tokens need for the plan. */
  readonly scopes: () => readonly string[];
}

/** What guards refuse of one kind. The decision has only what is planned. */
function guardKind(decision: Decision, { planned, selected, limits, ofRead, isPart, scopes }: KindContext): Guarded[] {
  const { kind, actions, losses, asked, gains, population } = decision;
  const { unit, containers } = population;
  const live = partsOf(population.live);
  const limit = limitOf(live, limits);
  /** `counts`: those that are not of losses and live parts. */
  const refusal = (
    code: Refusal['code'],
    lost: readonly Loss[],
    message: string,
    counts: Partial<Pick<Refusal, 'losses' | 'live' | 'limit'>> = {},
  ) => refusalOf({ code, kind, message, losses: lost.length, live, limit, ...counts }, lost);
  const reasonOf = ({ id }: Loss) => planned().get(id)?.reason;
  const isOfOthers = ({ holder, along }: Loss) => along !== undefined || (holder !== undefined && holder.kind !== kind);
  const keyOf = ({ id }: Loss) => planned().get(id)?.key;
  /** How many parts of each live item stay, after losses and what the files ask for; made if something is lost. */
  const left = once(() => {
    const parts = new Map<string | undefined, number>();
    for (const item of selected) parts.set(item.key, (parts.get(item.key) ?? 0) + item.parts);
    for (const loss of [...losses, ...asked])
      if (!isOfOthers(loss)) parts.set(keyOf(loss), (parts.get(keyOf(loss)) ?? 0) - 1);
    return parts;
  });

  const wouldLose = (): string => {
    const deleted = actions.filter(({ action }) => action === 'delete').length;
    const deletes =
      containers === undefined || deleted === 0 ? '' : `delete ${deleted} ${nounFor(deleted, containers)} and `;
    const others = losses.filter(isOfOthers).length;
    const also =
      others === 0 ? '' : `, with ${others} ${nounFor(others, { one: 'loss', many: 'losses' })} of other items`;
    return `would ${deletes}${unit.verb} ${losses.length - others} of ${live} live ${nounFor(live, unit)}${ofRead}${also}`;
  };
  /**
   * A section that declares nothing, or of which nothing would be left while nothing new comes; the latter cannot be
   * decided from a part of the list.
   */
  const emptiesSection = (): boolean => {
    if (losses.length === 0 || (population.undeclaredStay && losses.every((loss) => reasonOf(loss) === 'absent')))
      return false;
    if (population.declared === 0) return true;
    // Of more parts than plan and files take away, one is left.
    if (isPart || gains.length > 0 || partsOf(selected) > losses.length + asked.length) return false;
    return selected.every(({ key, stays = false }) => (left().get(key) ?? 0) <= 0 && !stays);
  };
  /**
   * A container that would lose all its parts, such as a role all its permissions. One that gains others may lose as many
   * as the smallest limit: a permission that is replaced by another is no reason to refuse a plan.
   */
  const emptiedContainers = (): Guarded[] => {
    if (containers === undefined) return [];
    const gaining = new Set(gains.map((id) => planned().get(id)?.key));
    const emptied = selected.filter(
      ({ key, parts }) => (left().get(key) ?? 0) <= 0 && parts > (gaining.has(key) ? limits.max_delete_count : 0),
    );
    const keys = new Set<string | undefined>(emptied.map(({ key }) => key));
    // What is declared absent is meant to have no parts.
    const lost = losses.filter((loss) => keys.has(keyOf(loss)) && reasonOf(loss) !== 'absent');
    const losing = new Set(lost.map(keyOf));
    if (losing.size === 0) return [];
    const message = `would ${unit.verb} every ${unit.one} of ${losing.size} ${nounFor(losing.size, containers)}`;
    return [refusal('GUARD_EMPTIES_ITEM', lost, message)];
  };
  const lostItems = (): Guarded[] => {
    if (emptiesSection())
      return [refusal('GUARD_EMPTIES_SECTION', losses, `${wouldLose()} and leave the section empty`)];
    const tooMany =
      losses.length > limit ? [refusal('GUARD_TOO_MANY_DELETES', losses, `${wouldLose()}; the limit is ${limit}`)] : [];
    return [...tooMany, ...emptiedContainers()];
  };
  /** Updates and puts. What cannot be read is compared with what is declared. */
  const tooManyUpdates = (): Guarded[] => {
    if (limits.max_update_percent === undefined) return [];
    const changed = actions.filter(({ action }) => action === 'update' || action === 'put');
    const [count, state] =
      decision.unreadable === null ? [population.live.length, 'live'] : [population.declared, 'declared'];
    const most = Math.floor((count * limits.max_update_percent) / 100);
    if (changed.length <= most) return [];
    const items = changed.map(({ id, key }) => ({ id, item: `${kind}/${key}` }));
    const message = `would change ${changed.length} of ${count} ${state} ${nounFor(count, containers ?? unit)}${state === 'live' ? ofRead : ''}; the limit is ${most}`;
    return [refusal('GUARD_TOO_MANY_UPDATES', items, message, { live: count, limit: most })];
  };
  /** Whoever applies the next plan needs a token, and so does a plan that would correct this one. */
  const ownClients = (): Guarded[] => {
    const clients = decision.lockedOut?.(actions, scopes) ?? [];
    if (clients.length === 0) return [];
    const items = clients.flatMap(({ client, causes }) =>
      causes.map(({ id, key }) => ({ id, item: `${kind}/${key} for ${exactName(client)}` })),
    );
    const named = clients.map(({ client, why }) => `${client.name}, because ${why}`);
    const message = `would leave clients of this tool without a token: ${named.join('; ')}`;
    return [refusal('GUARD_OWN_CLIENT', items, message, { losses: clients.length, limit: 0 })];
  };
  return [...lostItems(), ...tooManyUpdates(), ...ownClients()];
}

/**
 * Deletions that destroy more than their item. What else goes along is counted as any loss, and an approval covers it: it may not
 * be all that goes by then.
 */
function guardDestroyed({ kind, losses, population, actions }: Decision, kinds: readonly AnyKind[]): Guarded[] {
  const { destroys, noun = population.unit } = kinds.find(({ name }) => name === kind) ?? {};
  const deleted = new Set(actions.flatMap(({ id, action }) => (action === 'delete' ? [id] : [])));
  const lost = losses.filter(({ id }) => deleted.has(id));
  const { length } = lost.filter(({ along }) => along === undefined);
  if (destroys === undefined || length === 0) return [];
  const message = `would delete ${length} ${nounFor(length, noun)} for good, ${length === 1 ? '' : 'each '}with ${destroys}`;
  const counts = { losses: length, live: partsOf(population.live), limit: 0 };
  return [refusalOf({ code: 'GUARD_DESTROYS', kind, message, ...counts }, lost)];
}

/** `the client of the token (5f3a90c1)`: an approval covers that client only, although no text repeats its id. */
function exactName({ id, name }: OwnClient): string {
  return name === id ? id : `${name} (${digitsOf(fingerprint(id), 8)})`;
}

/**
 * Roles, or others from which actions of several kinds take parts. Those of one kind of actions are judged alone as well:
 * the actions of another one may have read many more of them.
 */
function guardHolders(decisions: readonly Decision[], limits: Limits, ofRead: string): Guarded[] {
  const alone = decisions.filter(({ holders }) => holders !== undefined).map((decision) => [decision]);
  const tooMany = [decisions, ...alone].flatMap((some) => guardTooManyHolders(some, limits, ofRead));
  return [...tooMany.slice(0, 1), ...guardEmptiedHolders(decisions, ofRead)];
}

/** Each one that loses any part is counted once. */
function guardTooManyHolders(decisions: readonly Decision[], limits: Limits, ofRead: string): Guarded[] {
  const lost = lossesOfHolders(decisions);
  const losing = groupBy(lost, ({ holder }) => holder.id);
  const holding = new Set(decisions.flatMap(({ holders }) => [...(holders?.keys() ?? [])]));
  const limit = limitOf(holding.size, limits);
  const [first] = lost;
  if (first === undefined || losing.size <= limit) return [];
  const live = new Set([...holding, ...losing.keys()]).size;
  const { kind } = first.holder;
  const message = `would take access from ${losing.size} of ${live} ${kind}${ofRead}; the limit is ${limit}`;
  return [refusalOf({ code: 'GUARD_TOO_MANY_ROLES', kind, message, losses: losing.size, live, limit }, lost)];
}

/**
 * What loses all its parts, and some by actions of another kind: a role with every scope of its API, for example. What
 * the files ask to remove is not left either.
 */
function guardEmptiedHolders(decisions: readonly Decision[], ofRead: string): Guarded[] {
  const parts = new Map(decisions.flatMap(({ holders }) => [...(holders ?? [])]));
  const asked = groupBy(lossesOfHolders(decisions, 'asked'), ({ holder }) => holder.id);
  const emptied = [...groupBy(lossesOfHolders(decisions), ({ holder }) => holder.id)].filter(
    ([id, losses]) =>
      losses.length + (asked.get(id)?.length ?? 0) >= (parts.get(id) ?? Number.POSITIVE_INFINITY) &&
      losses.some(({ by, holder }) => by !== holder.kind),
  );
  const lost = emptied.flatMap(([, losses]) => losses);
  const [first] = lost;
  if (first === undefined) return [];
  const { kind } = first.holder;
  const message = `would take everything from ${emptied.length} of ${parts.size} ${kind}${ofRead}`;
  const counts = { losses: lost.length, live: parts.size, limit: 0 };
  return [refusalOf({ code: 'GUARD_EMPTIES_ITEM', kind, message, ...counts }, lost)];
}

/** The losses that have a holder; `by`: the kind of the action. */
function lossesOfHolders(decisions: readonly Decision[], which: 'losses' | 'asked' = 'losses') {
  return decisions.flatMap(({ kind: by, [which]: losses, nested = [] }) =>
    [...losses, ...nested.flatMap((parts) => parts[which])].flatMap((loss) =>
      loss.holder === undefined ? [] : [{ ...loss, holder: loss.holder, by }],
    ),
  );
}

function refusalOf(refusal: Omit<UnsignedRefusal, 'items'>, lost: readonly Loss[]): Guarded {
  const items = lost.map(({ item }) => item);
  return {
    refusal: { ...refusal, items: items.sort(compareText) },
    ids: lost.map(({ id }) => id),
    names: () =>
      lost.flatMap(({ item, holder, along }) => {
        if (holder !== undefined) return [item.replace(` (${holder.id})#`, '#')];
        if (along !== undefined) return [item.slice(0, item.lastIndexOf('#'))];
        return refusal.code === 'GUARD_OWN_CLIENT' ? [item] : [];
      }),
  };
}

/** How many of these may be lost. */
function limitOf(live: number, { max_delete_count, max_delete_percent }: Limits): number {
  return Math.max(max_delete_count, Math.floor((live * max_delete_percent) / 100));
}

function nounFor(count: number, { one, many }: Pick<LossUnit, 'one' | 'many'>): string {
  return count === 1 ? one : many;
}

function partsOf(live: readonly LiveCount[]): number {
  return live.reduce((total, { parts }) => total + parts, 0);
}
