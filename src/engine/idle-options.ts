import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import { unmatchedSelectors } from '../plan/selection.ts';
import { parseSelector } from '../values/selector.ts';
import type { Session } from './connected.ts';

/**
 * A mistyped --only must not look like "in sync". A kind that could not be read may have the item, so it is not
 * checked.
 */
export function unmatchedOnly(
  { actions, findings, selection, summary }: Pick<Plan, 'actions' | 'findings' | 'selection' | 'summary'>,
  { loaded, options }: Pick<Session, 'loaded' | 'options'>,
): Diagnostic[] {
  if (selection.only.length === 0) return [];
  const { sections } = loaded.desired;
  const declared = [...sections].flatMap(([kind, { items }]) => items.map(({ key }) => ({ kind, key })));
  const known = [...declared, ...actions, ...findings].filter(({ key }) => key !== '*');
  const isManaged = (kind: string) => [...sections.keys()].some((name) => name === kind);
  const isUnreadable = (kind: string) => summary.unreadable.some((name) => name === kind);
  return unmatchedSelectors(selection.only, known)
    .filter(({ kind, key }) => (key === null ? !isManaged(kind) : !isUnreadable(kind)))
    .map(({ text }) => {
      const message = `--only ${text} matches no declared or live item.`;
      return problem('OPTION_MATCHES_NOTHING', message, keyHint(text, options.kinds));
    });
}

function keyHint(text: string, kinds: readonly AnyKind[]): string {
  const { kind, key } = parseSelector(text);
  if (key === null) return `the files have no section for ${kind}`;
  return `write ${kind}/${kinds.find(({ name }) => name === kind)?.keyHint ?? 'KEY'}`;
}

/** A mistyped --rotate must not look like a rotated secret. */
export function idleRotation({ actions, selection, summary }: Plan, kinds: readonly AnyKind[]): Diagnostic[] {
  const sent = actions.filter(({ request }) => request.secrets !== undefined);
  const isUnreadable = (kind: string) => summary.unreadable.some((name) => name === kind);
  return unmatchedSelectors(selection.rotate, sent)
    .filter(({ kind }) => !isUnreadable(kind))
    .map(({ text, kind }) => {
      const hint = kinds.find(({ name }) => name === kind)?.rotation?.hint ?? `${kind} have no secrets`;
      return problem('OPTION_MATCHES_NOTHING', `--rotate ${text} matches no item with a secret to send.`, hint);
    });
}
