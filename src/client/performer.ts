import type { Operation } from '../model/operation.ts';
import type { Perform } from '../model/outcome.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { Session } from './open-session.ts';
import type { WriteWire } from './open-write-wire.ts';
import { plannedOperation } from './planned-operation.ts';
import { retryRules } from './retry-rules.ts';
import { sendAuthorized } from './send-authorized.ts';

/** Sends exactly what the plan printed. */
export function performer(session: Session, wire: WriteWire, operations: readonly Operation[]): Perform {
  return async ({ id, request }) => {
    const operation = plannedOperation(request, operations);
    const path = session.basePath + request.path;
    const sent = await sendAuthorized(session, operation.id, retryRules[operation.method], (token) => wire.send(request, path, token));
    return { id, ...judgeOutcome(operation, sent, session.mask) };
  };
}
