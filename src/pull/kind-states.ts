// What has to be known about each kind beyond what a plan reads: live items that the files do not declare.

import { warning } from '../diagnostics/problem.ts';
import type { Session } from '../engine/connected.ts';
import { defaultApi, keepRules, noReadOperation, readingOf } from '../engine/kind-rules.ts';
import { type NameReadings, openNameReadings } from '../engine/read-names.ts';
import type { WrittenItem } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AnyKind, DesiredSection, KindName, LeftAlone, PullRules } from '../model/kind.ts';
import type { Names } from '../model/names.ts';
import { isSettled, type LiveState, type Readable, type Unreadable } from '../model/reader.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { selectsKind } from '../plan/selection.ts';
import type { KindState } from './item-changes.ts';

export interface StatesInput {
  readonly session: Session;
  readonly snapshot: Snapshot;
  /** The live state on which the plan decided, by kind. */
  readonly lives: ReadonlyMap<KindName, LiveState<unknown>>;
  /** Whether --add names the kind, or an item of it. */
  readonly wants: (kind: string) => boolean;
  /** Whether the plan reports undeclared items of the kind, or deletes any. */
  readonly reports: (kind: string) => boolean;
}

/** What is not read, or left out. */
interface Warned {
  readonly warning: Diagnostic;
  readonly incomplete: boolean;
}

/** A kind with what is left out of it; null if it is ignored. */
type Known = { readonly state: KindState; readonly left: readonly Warned[] } | Warned | null;

/** `complete` is false if a kind that pull has to know completely could not be read. */
export async function kindStates(input: StatesInput) {
  const { options, loaded } = input.session;
  const { kinds } = options;
  const { desired, selection } = loaded;
  const selected = kinds.filter(({ name }) => selectsKind(selection, name));
  const api = desired.tenant.api ?? defaultApi;
  const names = openNameReadings({ kinds, selected, desired, selection, api, snapshot: input.snapshot, adopts: true });
  const known: Known[] = [];
  for (const kind of selected) known.push(await knownOf(kind, { ...input, names }));
  const leftOut = known.flatMap((one) => (one === null ? [] : 'warning' in one ? one : one.left));
  return {
    states: known.flatMap((one) => (one === null || 'warning' in one ? [] : one.state)),
    warnings: leftOut.map((one) => one.warning),
    complete: !leftOut.some(({ incomplete }) => incomplete),
  };
}

interface KnownInput extends StatesInput {
  readonly names: NameReadings;
}

async function knownOf(kind: AnyKind, input: KnownInput): Promise<Known> {
  const { loaded } = input.session;
  const { desired, written } = loaded;
  const isManaged = desired.sections.has(kind.name);
  const isWanted = input.wants(kind.name);
  const rules: PullRules | undefined = kind.pull;
  if (!isManaged && !isWanted) return null;
  if (rules === undefined)
    return notRead(kind, 'pull cannot write items of this kind', { isManaged, incomplete: false });
  const items = written.items.filter((item) => item.kind === kind);
  const isDeclared = items.some(({ item }) => item.state === 'present');
  const { names, unread } = await input.names.forKind(
    kind,
    items.map(({ item }) => item),
  );
  const readAll = () => input.names.settled(kind, () => readUndeclared(kind, rules, names, input));
  const declared = isManaged ? input.lives.get(kind.name) : (unread ?? (await readAll()));
  if (declared === undefined) return null;
  if (!declared.readable) return unreadable(kind, declared, { isManaged, isDeclared });
  const known = openState(kind, rules, names, input, declared);
  const reports = isWanted || input.reports(kind.name);
  const { state } = known(declared);
  const liveKeys = new Set(state.live.map(state.keyOf));
  const isMissing = ({ item }: WrittenItem) => item.state === 'present' && !liveKeys.has(item.key);
  const mayBeRenamed = rules.isLike !== undefined && items.some(isMissing);
  const isComplete = !isManaged || rules.readUndeclared === undefined || !(reports || mayBeRenamed);
  const read = isComplete ? declared : await readAll();
  return read.readable ? known(read, reports) : unreadable(kind, read, { isManaged, isDeclared });
}

/** `declared` is what the plan has read, and the result is asked with what was read of undeclared items. */
function openState(
  kind: AnyKind,
  rules: PullRules,
  names: Names,
  { session: { loaded } }: StatesInput,
  declared: Readable<unknown>,
) {
  const { desired, written } = loaded;
  const isManaged = desired.sections.has(kind.name);
  const items = written.items.filter((item) => item.kind === kind);
  const keys = new Set(items.map(({ item: { key } }) => key));
  return (read: Readable<unknown>, reports = false) => {
    const reading = { items: items.map(({ item }) => item), live: declared, undeclared: read, names };
    const keyOf = (one: unknown) => rules.keyOf(one, reading) ?? '';
    const keyed = (all: readonly unknown[]) => all.filter((one) => keyOf(one) !== '');
    const undeclared = keyed(read.items).filter((one) => !keys.has(keyOf(one)));
    const keep = keepRules(kind, desired.tenant);
    const left = (rules.leftAlone?.(reading) ?? []).flatMap((one) =>
      one.why === undefined && !reports ? [] : leftAlone(kind, one, isManaged),
    );
    const state = { kind, rules, reading, keyOf, items, keep, isManaged, live: keyed(declared.items), undeclared };
    return { state, left };
  };
}

function leftAlone({ name }: AnyKind, { message, why }: LeftAlone, isManaged: boolean): Warned {
  const text = `${name}: ${message.replace(/\.$/, '')}.`;
  if (why === undefined) return { warning: warning('PULL_LEFT_OUT', text), incomplete: false };
  if (isSettled(why)) return { warning: warning('PULL_NOT_READ', text), incomplete: false };
  const isFailure = isManaged || why.code === 'LIVE_LISTING_INCOMPLETE';
  const kept = `${text} What the files have of it is not changed.`;
  return { warning: warning('PULL_NOT_READ', kept, 'fix the cause and pull again'), incomplete: isFailure };
}

/** The live items that the section does not declare; every item of a kind without one. */
async function readUndeclared(
  kind: AnyKind,
  rules: PullRules,
  names: Names,
  { session, snapshot }: StatesInput,
): Promise<LiveState<unknown>> {
  const { desired } = session.loaded;
  const api = desired.tenant.api ?? defaultApi;
  const reading = readingOf(kind, api);
  if (reading === null) return noReadOperation(kind, api);
  if (rules.readUndeclared !== undefined)
    return rules.readUndeclared(snapshot, desired.sections.get(kind.name) ?? noItems, names);
  const keep = keepRules(kind, desired.tenant);
  // A pull deletes nothing.
  return reading.read(snapshot, { desired: noItems, only: null, keep, isSelected: () => false, names });
}

const noItems: DesiredSection = { items: [], source: { file: '', line: 1, column: 1 } };

/**
 * A kind that the files do not have need not be readable: the token may never have its scope, or the service its
 * operation. A list that breaks off is a failure.
 */
function unreadable(
  kind: AnyKind,
  { code, message, structural }: Unreadable,
  { isManaged, isDeclared }: { readonly isManaged: boolean; readonly isDeclared: boolean },
): Known {
  if (code === 'LIVE_NOT_ON_TENANT' && !isDeclared)
    return { warning: warning('PULL_NOT_READ', `${kind.name}: ${message}`), incomplete: false };
  const mayBeIntended = structural || (!isManaged && code !== 'LIVE_LISTING_INCOMPLETE');
  return notRead(kind, message, { isManaged, incomplete: !mayBeIntended });
}

function notRead(
  { name }: AnyKind,
  why: string,
  { isManaged, incomplete }: { readonly isManaged: boolean; readonly incomplete: boolean },
): Known {
  const message = `${name}: ${why.replace(/\.$/, '')}. The files of this kind are not changed.`;
  const again = isManaged ? 'pull again' : `run pull --add ${name}`;
  return {
    warning: warning('PULL_NOT_READ', message, `fix the cause and ${again}, or use --except ${name}`),
    incomplete,
  };
}
