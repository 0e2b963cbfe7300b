/** The tenant judges its own answers by the schemas it judges requests by: a wrong one becomes a 500 that names the broken rule. */
import type { Operation, Shape } from '../../model/operation.ts';
import type { TenantAnswer } from '../../model/tenant-resource.ts';
import { describeFault, tellingFaults } from './describe-violation.ts';

export class OwnAnswerError extends Error {
  override readonly name = 'OwnAnswerError';
}

export function checkOwnBody(shape: Shape<unknown>, body: unknown): void {
  if (shape.validate(body)) return;
  const [fault] = tellingFaults(shape.validate.errors ?? []);
  throw new OwnAnswerError(
    `Own answer breaks ${shape.schema}${fault === undefined ? '' : `: ${describeFault(fault, body)}`}.`,
  );
}

/** A refusal needs no check here: its body is always made in the one error shape. */
export function checkOwnAnswer(operation: Operation, answer: TenantAnswer): void {
  if ('message' in answer) return;
  if (answer.status !== operation.success)
    throw new OwnAnswerError(`Own answer to ${operation.id} has status ${answer.status}, not ${operation.success}.`);
  if (operation.answer !== undefined) checkOwnBody(operation.answer, answer.body);
  else if (answer.body !== undefined)
    throw new OwnAnswerError(`Own answer to ${operation.id} has a body where none is allowed.`);
}
