/**
 * Secrets that a comparison cannot see. An item that is created or changed together with its secret gets the secret
 * with that. Every other declared secret is either sent because of `apply --rotate`, or reported
 * as not compared.
 */

import type { DecideInput, Decision } from '../model/kind.ts';
import { idProblem, isAvailable, type Operation } from '../model/operation.ts';
import type { SecretPlace } from '../model/plan.generated.ts';
import type { Readable } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { itemSelector } from '../values/selector.ts';
import { shellWord } from '../values/shell-word.ts';
import type { Changed, Comparison } from './diff-items.ts';
import { type Corrected, draftAction, itemFinding, itemState, shownItem, type Uncorrectable } from './draft.ts';

/** How a kind sends a secret again. */
export interface SecretHook<Desired, Live> {
  /** Without it nothing can send a secret, and nothing is reported. */
  readonly operation: Operation;
  /** The secrets that an item declares. */
  secretsOf(desired: Desired): readonly DeclaredSecret[];
  /** The request that sends them, and what differs. */
  resend(desired: Desired, live: Live, changes: readonly Changed[]): Corrected | Uncorrectable;
}

export interface DeclaredSecret {
  /** The name of its field. */
  readonly field: string;
  /** Whether the tenant returns it, in whatever form: a plan has it in none. */
  readonly isReturned: boolean;
  /** The path of the secret, in a declared item and in a body. */
  readonly place: SecretPlace;
}

export function decideSecrets<Desired extends object, Live extends object>(
  decision: Decision,
  { desired, live, api, rotate }: DecideInput<Desired, Live> & { readonly live: Readable<Live> },
  listed: Comparison<Desired, Live> & {
    readonly kind: string;
    readonly secrets: SecretHook<Desired, Live>;
    shown?(live: Live): object;
  },
): Decision {
  const { kind, secrets } = listed;
  if (!isAvailable(secrets.operation, api)) return decision;
  const actions = new Map(decision.actions.map((action) => [action.id, action]));
  const planned = new Map(decision.actions.filter(({ after }) => after !== null).map((action) => [action.key, action]));
  const liveByKey = groupBy(live.items, listed.keyOf);
  const findings = [...decision.findings];
  for (const item of desired.items.filter(({ state }) => state === 'present')) {
    const { key, value } = item;
    const declared = secrets.secretsOf(value);
    const [first, ...others] = liveByKey.get(key) ?? [];
    const update = planned.get(key);
    if (declared.length === 0 || first === undefined || update?.request.secrets !== undefined) continue;
    const report = (whyOf: (secret: DeclaredSecret) => string) =>
      findings.push(
        ...declared.map((secret) => {
          const message = `its ${secret.field} ${whyOf(secret)}`;
          return itemFinding(kind, item, 'LIVE_SECRET_NOT_COMPARED', message, secret.place.pointer);
        }),
      );
    const isAsked = rotate.has(key);
    const wrongId = idProblem(secrets.operation, listed.idOf(first));
    const resent =
      others.length > 0 || wrongId !== null
        ? { impossible: wrongId ?? 'several live items have this name' }
        : secrets.resend(value, first, update === undefined ? [] : listed.changesOf(value, first));
    if ('impossible' in resent) {
      if (isAsked) report(() => `is not sent although --rotate names this item; ${resent.impossible}`);
    } else if (isAsked) {
      const { request, notes = [] } = resent;
      const sending =
        update ??
        draftAction({
          kind,
          key,
          action: 'update',
          reason: 'rotated',
          request,
          before: shownItem(listed.shown?.(first) ?? first),
          after: { ...value } as Record<string, unknown>,
          changes: [],
          precondition: itemState(listed, key, first),
          source: item.at(''),
        });
      actions.set(sending.id, { ...sending, request, notes: [...(sending.notes ?? []), ...notes] });
    } else {
      const option = shellWord(itemSelector({ kind, key }));
      const why = (isReturned: boolean) => (isReturned ? 'plans contain no secrets' : 'the tenant never returns it');
      report(
        ({ isReturned }) => `cannot be compared because ${why(isReturned)}; resend it with apply --rotate ${option}`,
      );
    }
  }
  return { ...decision, actions: [...actions.values()], findings };
}
