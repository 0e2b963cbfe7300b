import type { Decision, DesiredSection } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { Unreadable } from '../model/reader.ts';
import { draftFinding } from './draft.ts';

/** What can be decided about a kind without reading it. */
export type UnreadParts = Pick<Decision, 'actions' | 'findings'> & Partial<Pick<Decision, 'asked' | 'names'>>;

const none: UnreadParts = { actions: [] as readonly Action[], findings: [] as readonly Finding[] };

/**
 * The decision for a kind that cannot be read: one finding shows why, and nothing is deleted or removed because of it.
 */
export function unreadableDecision(
  kind: string,
  desired: DesiredSection,
  why: Unreadable,
  unread: UnreadParts = none,
): Decision {
  const finding = draftFinding({ code: why.code, kind, key: '*', message: why.message, source: desired.source });
  const declared = desired.items.filter(({ state }) => state !== 'unmanaged').length;
  const nothing = emptyDecision(kind, declared);
  return { ...nothing, ...unread, findings: [finding, ...unread.findings], unreadable: why };
}

/** What guards count of a kind whose items are listed. */
export const unit = { verb: 'delete', one: 'item', many: 'items' } as const;

/** Nothing, of a kind that was not read. */
export function emptyDecision(kind: string, declared = 0): Decision {
  return {
    kind,
    actions: [],
    findings: [],
    losses: [],
    asked: [],
    gains: [],
    unreadable: null,
    population: { declared, live: [], filtered: false, unit },
    names: null,
  };
}
