/**
 * What becomes of secrets that a comparison cannot see. A stream that is created or whose destination changes gets its secret with
 * that. Every other declared secret is either sent because somebody asked for it (`apply --rotate`), or named as not compared, so
 * that silence is not taken for agreement.
 */
import { plannedRequest } from '../../contract/planned-request.ts';
import type { Uncorrectable } from '../../differ/decide-listed.ts';
import { isAvailable } from '../../model/is-available.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { updateEventStream } from '../../resources/event-streams/operations.ts';
import type { DeclaredEventStream, LiveEventStream } from '../../resources/event-streams/types.generated.ts';
import { type DeclaredSecret, declaredSecret } from './secret.ts';
import { type SentDestination, sendDestination } from './send-destination.ts';

type Input = DecideInput<DeclaredEventStream, LiveEventStream>;

/** A declared stream that is live, and whose secret no request sends yet. */
interface Unsent {
  readonly item: DesiredItem<DeclaredEventStream>;
  readonly secret: DeclaredSecret;
  readonly live: LiveEventStream;
  /** How its destination could be sent. */
  readonly sending: SentDestination | Uncorrectable;
}

export function decideSecrets(decision: Decision, input: Input): Decision {
  // Where nothing can send a secret, naming it would only be noise.
  if (!isAvailable(updateEventStream, input.api)) return decision;
  const actions = new Map(decision.actions.map((action) => [action.id, action]));
  const findings = [...decision.findings];
  for (const { item, secret, live, sending } of unsentSecrets(actions, input)) {
    const asked = input.rotate.has(item.key);
    if ('impossible' in sending) {
      if (asked)
        findings.push(
          secretFinding(
            item,
            secret,
            `its ${secret.field} is not sent although --rotate names this stream; ${sending.impossible}`,
          ),
        );
    } else if (!asked) {
      const remedy = `resend it with apply --rotate event_streams/${item.key}`;
      findings.push(
        secretFinding(
          item,
          secret,
          `its ${secret.field} cannot be compared because the tenant never returns it; ${remedy}`,
        ),
      );
    } else {
      const id = actionId(item);
      actions.set(id, withDestination(actions.get(id) ?? emptyUpdate(item, live), live, sending));
    }
  }
  return { ...decision, actions: [...actions.values()], findings };
}

function* unsentSecrets(actions: ReadonlyMap<string, Action>, { desired, live }: Input): Generator<Unsent> {
  if (!live.readable) return;
  const byName = groupByName(live.items);
  for (const item of desired.items) {
    const secret = declaredSecret(item.value.destination);
    const [first, ...others] = byName.get(item.key) ?? [];
    const isSent = actions.get(actionId(item))?.request.secrets !== undefined;
    if (secret === null || first === undefined || isSent) continue;
    const sending =
      others.length > 0 ? { impossible: 'several live streams have this name' } : sendDestination(item.value, first);
    yield { item, secret, live: first, sending };
  }
}

function groupByName(streams: readonly LiveEventStream[]): ReadonlyMap<string, readonly LiveEventStream[]> {
  const groups = new Map<string, LiveEventStream[]>();
  for (const stream of streams) {
    const group = groups.get(stream.name);
    if (group === undefined) groups.set(stream.name, [stream]);
    else group.push(stream);
  }
  return groups;
}

function actionId({ key }: DesiredItem): string {
  return `event_streams/${key}`;
}

function emptyUpdate(item: DesiredItem<DeclaredEventStream>, live: LiveEventStream): Action {
  return {
    id: actionId(item),
    kind: 'event_streams',
    key: item.key,
    action: 'update',
    reason: 'rotated',
    request: plannedRequest(updateEventStream, { params: { id: live.id }, body: {} }),
    before: live,
    after: { ...item.value },
    changes: [],
    source: item.at(''),
  };
}

function withDestination(
  update: Action,
  { id }: LiveEventStream,
  { destination, secrets, notes }: SentDestination,
): Action {
  const body = { ...update.request.body, destination };
  return {
    ...update,
    request: plannedRequest(updateEventStream, { params: { id }, body, secrets }),
    notes: [...(update.notes ?? []), ...notes],
  };
}

function secretFinding(item: DesiredItem, { place }: DeclaredSecret, message: string): Finding {
  return {
    code: 'LIVE_SECRET_NOT_COMPARED',
    kind: 'event_streams',
    key: item.key,
    message,
    source: item.at(place.pointer),
  };
}
