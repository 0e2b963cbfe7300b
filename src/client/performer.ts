import type { Operation } from '../model/operation.ts';
import type { Perform } from '../model/outcome.ts';
import { fillSecrets, type SecretOf } from './fill-secrets.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { Session } from './open-session.ts';
import type { WriteWire } from './open-write-wire.ts';
import { plannedOperation } from './planned-operation.ts';
import { retryRules } from './retry-rules.ts';
import { sendAuthorized } from './send-authorized.ts';

/** Sends exactly what the plan printed, with its secrets in place. */
export function performer(session: Session, wire: WriteWire, operations: readonly Operation[], secretOf: SecretOf): Perform {
  const hidden: SecretOf = (env) => {
    const secret = secretOf(env);
    if (secret !== undefined) session.mask.hide(secret);
    return secret;
  };
  return async ({ id, request }) => {
    const operation = plannedOperation(request, operations);
    const filled = fillSecrets(request, hidden);
    if ('unset' in filled) return { id, outcome: 'not_attempted', status: null, message: `${filled.unset.join(', ')} not set; nothing was sent` };
    const path = session.basePath + request.path;
    const send = (token: string) => wire.send(filled.request, path, token);
    const sent = await sendAuthorized(session, operation, retryRules[operation.method], send);
    return { id, ...judgeOutcome(operation, sent, session.mask) };
  };
}
