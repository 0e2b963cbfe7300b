import type { Decision, DesiredSection } from '../model/kind.ts';
import type { Unreadable } from '../model/reader.ts';
import { draftFinding } from './draft.ts';

/** What can be decided about a kind without reading it. */
export type UnreadParts = Pick<Decision, 'actions' | 'findings'> & Partial<Pick<Decision, 'names'>>;

/**
 * The decision for a kind that cannot be read: one finding shows why, and nothing is deleted or removed because of it.
 */
export function unreadableDecision(
  kind: string,
  desired: DesiredSection,
  why: Unreadable,
  unread: UnreadParts = { actions: [], findings: [] },
): Decision {
  const finding = draftFinding({ code: why.code, kind, key: '*', message: why.message, source: desired.source });
  const declared = desired.items.filter(({ state }) => state !== 'unmanaged').length;
  const isMet = why.code === 'LIVE_NOT_ON_TENANT' && desired.items.every(({ state }) => state !== 'present');
  return {
    kind,
    losses: [],
    asked: [],
    gains: [],
    population: { declared, live: [], filtered: false, unit },
    names: null,
    ...unread,
    findings: [{ ...finding, ...(isMet && { severity: 'note' }) }, ...unread.findings],
    unreadable: why,
  };
}

/** What guards count of a kind whose items are listed. */
export const unit = { verb: 'delete', one: 'item', many: 'items' } as const;
