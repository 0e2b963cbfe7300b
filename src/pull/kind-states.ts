// What has to be known about each kind beyond what a plan reads: live items that the files do not declare.

import { warning } from '../diagnostics/problem.ts';
import type { Session } from '../engine/connected.ts';
import { defaultApi, keepRules, noReadOperation, readingOf } from '../engine/decide-kind.ts';
import type { WrittenItem } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AnyKind, DesiredSection, KindName, PullRules } from '../model/kind.ts';
import type { LiveState, Unreadable } from '../model/reader.ts';
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
  /** Whether the plan reports undeclared items of the kind. */
  readonly reports: (kind: string) => boolean;
}

/** Null for a kind that is ignored. */
type Known = KindState | { readonly warning: Diagnostic; readonly incomplete: boolean } | null;

/** `complete` is false if a kind that pull has to know completely could not be read. */
export async function kindStates(input: StatesInput) {
  const { options, loaded } = input.session;
  const selected = options.kinds.filter(({ name }) => selectsKind(loaded.selection, name));
  const known: Known[] = [];
  for (const kind of selected) known.push(await knownOf(kind, input));
  const leftOut = known.flatMap((one) => (one !== null && 'warning' in one ? one : []));
  return {
    states: known.flatMap((one) => (one === null || 'warning' in one ? [] : one)),
    warnings: leftOut.map((one) => one.warning),
    complete: !leftOut.some(({ incomplete }) => incomplete),
  };
}

async function knownOf(kind: AnyKind, input: StatesInput): Promise<Known> {
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
  const declared = isManaged ? input.lives.get(kind.name) : await readUndeclared(kind, rules, input);
  if (declared === undefined) return null;
  if (!declared.readable) return unreadable(kind, declared, { isManaged, isDeclared });
  const keys = new Set(items.map(({ item: { key } }) => key));
  const keyOf = (one: unknown) => rules.keyOf(one) ?? '';
  const live = declared.items.filter((one) => keyOf(one) !== '');
  const undeclared = live.filter((one) => !keys.has(keyOf(one)));
  const known = { kind, rules, keyOf, items, keep: keepRules(kind, desired.tenant), isManaged, live, undeclared };
  if (!isManaged || rules.readUndeclared === undefined) return known;
  const liveKeys = new Set(live.map(keyOf));
  const isMissing = ({ item }: WrittenItem) => item.state === 'present' && !liveKeys.has(item.key);
  const mayBeRenamed = rules.isLike !== undefined && items.some(isMissing);
  if (!isWanted && !mayBeRenamed && !input.reports(kind.name)) return known;
  const read = await readUndeclared(kind, rules, input);
  return read.readable ? { ...known, undeclared: read.items } : unreadable(kind, read, { isManaged, isDeclared });
}

/** The live items that the section does not declare; every item of a kind without one. */
async function readUndeclared(
  kind: AnyKind,
  rules: PullRules,
  { session, snapshot }: StatesInput,
): Promise<LiveState<unknown>> {
  const { desired } = session.loaded;
  const api = desired.tenant.api ?? defaultApi;
  const reading = readingOf(kind, api);
  if (reading === null) return noReadOperation(kind, api);
  if (rules.readUndeclared !== undefined)
    return rules.readUndeclared(snapshot, desired.sections.get(kind.name) ?? noItems);
  const keep = keepRules(kind, desired.tenant);
  // A pull deletes nothing.
  return reading.read(snapshot, { desired: noItems, only: null, keep, isSelected: () => false });
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
