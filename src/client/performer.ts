import type { WriteConnection } from '../model/client.ts';
import type { Operation } from '../model/operation.ts';
import { fillSecrets, type SecretOf } from './fill-secrets.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { Session } from './open-session.ts';
import type { WriteWire } from './open-write-wire.ts';
import { plannedOperation } from './planned-operation.ts';
import { repeatable, retryRules } from './retry-rules.ts';
import { sendAuthorized } from './send-authorized.ts';

/** Sends exactly what the plan printed, with its secrets in place. */
export function performer(
  session: Session,
  wire: WriteWire,
  operations: readonly Operation[],
  secretOf: SecretOf,
): Pick<WriteConnection, 'perform' | 'mayRepeat'> {
  const hidden: SecretOf = (env) => {
    const secret = secretOf(env);
    if (secret !== undefined) session.mask.hide(secret);
    return secret;
  };
  const { tries: most } = session.limits;
  /** Tries of the actions whose last one may go better the next time. */
  const broken = new Map<string, number>();
  return {
    async perform({ id, request }) {
      const operation = plannedOperation(request, operations);
      const filled = fillSecrets(request, hidden);
      if ('unset' in filled) return { id, outcome: 'not_attempted', status: null, message: `${filled.unset.join(', ')} not set; nothing was sent` };
      const path = session.basePath + request.path;
      const send = (token: string) => wire.send(filled.request, path, token);
      const earlier = broken.get(id) ?? 0;
      broken.delete(id);
      const sent = await sendAuthorized(session, operation, retryRules[operation.method], send, most - earlier);
      // An earlier try that was read to have done nothing may still have come through since.
      const judged = judgeOutcome(operation, { ...sent, ambiguous: sent.ambiguous || earlier > 0 }, session.mask);
      if (judged.outcome === 'unknown' && !('noToken' in sent.last) && repeatable(sent.last)) broken.set(id, earlier + sent.tries);
      return { id, ...judged };
    },
    mayRepeat: (id) => (broken.get(id) ?? most) < most && session.budget.take(false),
  };
}
