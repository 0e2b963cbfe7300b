import { actionId } from '../model/action-identity.ts';
import { findingTraits } from '../model/findings.ts';
import type { DesiredItem } from '../model/kind.ts';
import type { Action, FieldChange, Finding, PlannedRequest } from '../model/plan.generated.ts';
import { isSecretField, maskSecretFields } from '../secrets/secret-spellings.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { Changed, Comparison } from './diff-items.ts';

/** The part of an action that a kind decides; the plan adds the other fields. */
export type ActionDraft = Omit<Action, 'id' | 'origin' | 'needs' | 'effects'> & Partial<Pick<Action, 'needs'>>;

/** One list for all: a large plan has many actions without needs and effects. */
const none = Object.freeze([]) as unknown as never[];

export function draftAction(draft: ActionDraft): Action {
  const { kind, key, part, action, reason, needs = none, request, before, after, ...rest } = draft;
  // In the order in which people read a plan.
  return {
    id: actionId(draft),
    kind,
    key,
    ...(part !== undefined && { part }),
    action,
    reason,
    origin: null,
    needs,
    request,
    before,
    after,
    ...rest,
    effects: none,
  };
}

export function draftFinding(draft: Omit<Finding, 'severity' | 'origin'>): Finding {
  const { code, kind, key, message, ...rest } = draft;
  return { code, severity: findingTraits(draft).severity, kind, key, message, origin: null, ...rest };
}

/** A finding about a declared item, at its place or at that of a value in it. */
export function itemFinding(
  kind: string,
  { key, at }: Pick<DesiredItem, 'key' | 'at'>,
  code: Finding['code'],
  message: string,
  pointer = '',
): Finding {
  return draftFinding({ code, kind, key, message, source: at(pointer) });
}

export interface Corrected {
  readonly request: PlannedRequest;
  /** Notes for reviewers. */
  readonly notes?: readonly string[];
  /** Ids of actions that create what the request refers to. */
  readonly needs?: readonly string[];
  /** What the service accepts only once the item exists; `id` refers to it. */
  followUp?(id: string): PlannedRequest;
  /** Differences that this does not correct, and why. */
  readonly left?: { readonly changes: readonly Changed[]; readonly why: string };
}

/** Why the operation cannot correct this one difference, and what people can do. */
export interface Uncorrectable {
  readonly impossible: string;
}

/** What an update or a delete relies on: the id and the fields that are compared. */
export function itemState<Live>(
  { idOf, liveForm }: Pick<Comparison<never, Live>, 'idOf' | 'liveForm'>,
  key: string,
  live: Live,
): string {
  return fingerprint({ id: idOf(live), key, fields: liveForm(live) });
}

/** A live item for people to read: a tenant should not repeat secrets, but it may. */
export function shownItem(live: object): Record<string, unknown> {
  return maskSecretFields(live) as Record<string, unknown>;
}

/** Differences for people to read, without the live values of fields that are named like a secret. */
export function shownChanges(changes: readonly Changed[]): FieldChange[] {
  return changes.map(({ path: _path, ...change }) => {
    if (!('before' in change) || change.before === null) return change;
    // A switch is none: authentication_methods.password.enabled.
    const isSecret = typeof change.before !== 'boolean' && change.field.split('.').some(isSecretField);
    return { ...change, before: isSecret ? '***' : maskSecretFields(change.before) };
  });
}
