import type { WriteConnection } from '../model/client.ts';
import type { Operation } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import { explainSent, explainStop } from './explain-sent.ts';
import { fillSecrets, type SecretOf } from './fill-secrets.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { Session } from './open-session.ts';
import type { WriteWire } from './open-write-wire.ts';
import { plannedOperation } from './planned-operation.ts';
import { retryRules } from './retry-rules.ts';
import { authorizedTries } from './send-authorized.ts';
import type { Attempt, Tries } from './send-with-retries.ts';

/** Sends exactly what the plan printed, with its secrets in place. */
export function performer(
  session: Session,
  wire: WriteWire,
  operations: readonly Operation[],
  secretOf: SecretOf,
): Pick<WriteConnection, 'perform' | 'readyAgain'> {
  const hidden: SecretOf = (env) => {
    const secret = secretOf(env);
    if (secret !== undefined) session.mask.hide(secret);
    return secret;
  };
  /** What stopped because only a reading can tell whether it may go on. */
  const unclear = new Map<string, { readonly tries: Tries<Attempt>; readonly made: number }>();

  const startSending = (
    { request }: Action,
    operation: Operation,
  ): Tries<Attempt> | { readonly unset: readonly string[] } => {
    const filled = fillSecrets(request, hidden);
    if ('unset' in filled) return filled;
    const path = session.basePath + request.path;
    return authorizedTries(session, operation, retryRules[operation.method], (token) =>
      wire.send(filled.request, path, token),
    );
  };

  return {
    async perform(action) {
      const { id, request } = action;
      const operation = plannedOperation(request, operations);
      const earlier = unclear.get(id);
      unclear.delete(id);
      const tries = earlier?.tries ?? startSending(action, operation);
      if ('unset' in tries)
        return {
          id,
          outcome: 'not_attempted',
          status: null,
          message: `${tries.unset.join(', ')} not set; nothing was sent`,
        };
      const sent = await tries.go();
      if (sent.stop.reason === 'unclear') unclear.set(id, { tries, made: sent.tries });
      const judged = { id, ...judgeOutcome(operation, sent, session.mask) };
      const isSent = earlier === undefined || (sent.tries > earlier.made && !('noToken' in sent.last));
      // A reading has shown that the earlier tries did nothing, and nothing was sent since.
      return isSent
        ? judged
        : { ...judged, outcome: 'failed', message: `${explainSent(sent, session.mask)}; not carried out` };
    },
    async readyAgain(id) {
      const paused = unclear.get(id);
      if (paused === undefined) return { ready: false, why: null };
      const never = await paused.tries.ready();
      return never === null ? { ready: true } : { ready: false, why: explainStop(never) };
    },
  };
}
