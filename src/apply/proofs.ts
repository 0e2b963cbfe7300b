import { notAttempted, type PerformedAction } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';
import { grantChanged } from './conflict.ts';
import { type ActionRecord, isReadable, never } from './records.ts';
import type { Reliance } from './reliance.ts';
import { hasReference } from './result-references.ts';

export interface ProofOptions {
  readonly records: ReadonlyMap<string, ActionRecord>;
  readonly relied: (action: Action) => readonly Reliance[];
  readonly now: () => number;
  /** Whether a reading of this time is too old. */
  readonly isOld: (at: number) => boolean;
  /** Whether no later reading is expected to show an action. `since`: when the last response arrived that it has to follow. */
  readonly isOverdue: (grant: ActionRecord, since: number) => boolean;
}

/** What a list of actions gives. Many actions may rely on the same list, so it is looked through once. */
interface Proof {
  readonly grants: readonly ActionRecord[];
  isShown: boolean | null;
  /** How old the reading is that shows it. */
  at: number;
  /** When the last action had its response that relies on it. */
  usedAt: number;
}

/**
 * After so many readings of its own that were too old together, an action is given up: a slow tenant would never end it. As
 * many as it may be sent, because a token may have expired before each of them.
 */
const mostStaleRounds = 6;

/**
 * What shows that everything is there that an action relies on, before it takes something away: a removal, or a change
 * such as a lower default. An add takes nothing away, and the service refuses it for what does not exist. But the id of an
 * item that the same plan creates has to be read: what is given under the id of a response may be given to another item. A
 * response proves nothing: a service, or a proxy in front of it, may acknowledge what it does not do.
 */
export function openProofs({ records, relied, now, isOld, isOverdue }: ProofOptions) {
  const proofs = new Map<Reliance, Proof>();
  const staleRounds = new Map<string, number>();
  /**
   * With what they need in turn: a permission of a role is none while its API does not define the scope. A deletion may
   * need another one, such as that of a policy which would apply next.
   */
  const grantsOf = (ids: Reliance): readonly ActionRecord[] => {
    const grants = new Set<ActionRecord>();
    const visit = (id: string) => {
      const record = records.get(id);
      if (record === undefined || grants.has(record) || record.action.action === 'remove') return;
      grants.add(record);
      for (const need of record.action.needs) visit(need);
    };
    for (const id of ids) visit(id);
    return [...grants];
  };
  const proofOf = (ids: Reliance): Proof => {
    const known = proofs.get(ids);
    if (known !== undefined) return known;
    const grants = grantsOf(ids).filter(({ action }) => isReadable(action));
    const proof: Proof = { grants, isShown: null, at: never, usedAt: never };
    proofs.set(ids, proof);
    return proof;
  };
  const proofsFor = (action: Action): readonly Proof[] =>
    action.action === 'add' && !hasReference(action)
      ? []
      : relied(action)
          .map(proofOf)
          .filter(({ grants }) => grants.length > 0);
  const isRecent = (proof: Proof): boolean => {
    proof.isShown ??= unshownOf(proof).length === 0;
    return proof.isShown && !isOld(proof.at);
  };
  /** What has to be read first: all of it together, if some of it was too old by the time that the rest was read. */
  const missing = (action: Action): readonly ActionRecord[] =>
    proofsFor(action)
      .filter((proof) => !isRecent(proof))
      .flatMap((proof) => {
        const isDue = ({ seen }: ActionRecord) => staleRounds.has(action.id) || isOld(seen?.arrivedAt ?? never);
        return [...new Set([...unshownOf(proof), ...proof.grants.filter(isDue)])];
      });
  /** A reading of many items can take longer than it may be old: its age counts from its end. */
  const ageFrom = ({ seen }: ActionRecord, began: number): number =>
    seen === null ? never : seen.began >= began ? now() : seen.arrivedAt;
  return {
    /** Whether recent readings show everything that an action relies on. */
    isRecent: (action: Action) => proofsFor(action).every(isRecent),
    missing,
    /** When the last response of what an action relies on arrived: an earlier reading proves nothing. Now if all is read together. */
    since: (action: Action) =>
      staleRounds.has(action.id) ? now() : Math.max(never, ...proofsFor(action).map(lastResponse)),
    /** After a reading that began at `began`: why the action cannot be sent; null if it can. */
    whyNot(action: Action, began: number): PerformedAction | null {
      const open = proofsFor(action).filter((proof) => !isRecent(proof));
      const unshown = open.flatMap((proof) => [
        ...unshownOf(proof),
        ...proof.grants.filter((grant) => isOld(ageFrom(grant, began))),
      ]);
      for (const { action: grant, seen } of unshown)
        if (seen?.comparison.state === 'changed') return grantChanged(action, grant, seen.comparison);
      const [first] = open.flatMap((proof) =>
        unshownOf(proof).filter((grant) => isOverdue(grant, lastResponse(proof))),
      );
      if (first !== undefined) return notShown(action, noReadingShows(first));
      if (unshown[0] !== undefined) {
        if (!open.some((proof) => unshownOf(proof).length > 0)) {
          const rounds = (staleRounds.get(action.id) ?? 0) + 1;
          staleRounds.set(action.id, rounds);
          if (rounds >= mostStaleRounds) return notShown(action, neverFresh);
        }
        return { ...notShown(action, noReadingShows(unshown[0])), waits: true };
      }
      for (const proof of open)
        proof.at = proof.grants.reduce((oldest, grant) => Math.min(oldest, ageFrom(grant, began)), now());
      return null;
    },
    /** An action that relies on others had its response. */
    used(action: Action, respondedAt: number): void {
      for (const proof of proofsFor(action)) proof.usedAt = respondedAt;
    },
    /** What was last read before an action that relies on it had its response. */
    outdated(): ReadonlySet<Action> {
      const found = new Set<Action>();
      for (const { grants, usedAt } of proofs.values())
        for (const { action, seen } of grants) if (seen !== null && seen.began < usedAt) found.add(action);
      return found;
    },
    /** To be called when something was read or sent. */
    forget(): void {
      for (const proof of proofs.values()) proof.isShown = null;
    },
  };
}

/**
 * What no reading shows that began after all of it had its response. What the tenant already had is read again as well:
 * it may have been lost while the rest was granted.
 */
function unshownOf(proof: Proof): readonly ActionRecord[] {
  const since = lastResponse(proof);
  return proof.grants.filter(({ seen }) => seen?.comparison.state !== 'reached' || seen.began < since);
}

function lastResponse({ grants }: Proof): number {
  return grants.reduce((last, { respondedAt }) => Math.max(last, respondedAt ?? never), never);
}

const neverFresh = 'what has to come first takes so long to read that it is never known to be there at one time';

function noReadingShows({ action, seen }: ActionRecord): string {
  const why = seen?.comparison.state === 'unread' ? `: ${seen.comparison.why}` : '';
  return `no reading shows that ${action.id} was carried out, which has to come first${why}`;
}

function notShown(action: Action, why: string): PerformedAction {
  return { ...notAttempted(action, `not sent: ${why}`), not_shown: true };
}
