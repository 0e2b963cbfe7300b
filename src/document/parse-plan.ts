import { isDeepStrictEqual } from 'node:util';
import { validatePlan } from '../contract/plan.generated.ts';
import { shape } from '../contract/shape.ts';
import { problem } from '../diagnostics/problem.ts';
import { actionId, itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { orderProblem } from '../model/levels.ts';
import type { Shape } from '../model/operation.ts';
import type { Plan } from '../model/plan.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import { countsOf } from '../plan/summary.ts';
import { jsonExcess } from '../values/json-size.ts';
import { parsedJson } from '../values/parsed-json.ts';

/** `refused`: a plan of this version whose content is not what was saved. */
export type ParsedPlan = { readonly status: 'parsed'; readonly plan: Plan } | Unusable;

export interface Unusable {
  readonly status: 'invalid' | 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

const planShape = shape<Plan>('plan.schema.json', validatePlan);
const readableVersion = '2.0';

/** An action has about forty values. */
const most = { values: 8_000_000, levels: 64 };

/**
 * A saved plan from its text. Nothing in it is trusted: version, shape, digest and checksum are checked. `name` is for
 * messages.
 */
export function parsePlan(text: string, name: string): ParsedPlan {
  const parsed = parseJson(text, name);
  return parsed.status === 'parsed' ? checkPlan(parsed.document, name) : parsed;
}

/** The text of a saved document as JSON, within bounds that every plan and every outcome meets. */
export function parseJson(
  text: string,
  name: string,
): { readonly status: 'parsed'; readonly document: unknown } | Unusable {
  const excess = jsonExcess(Buffer.from(text), most);
  if (excess !== null) {
    const message = `${name} has more ${excess} than a plan: ${most[excess]} at most.`;
    return unusable('invalid', problem('PLAN_FILE_INVALID', message, makeAgain));
  }
  const document = parsedJson(text);
  if (document !== undefined) return { status: 'parsed', document };
  return unusable('invalid', problem('PLAN_FILE_INVALID', `${name} is not JSON.`, makeAgain));
}

const makeAgain = 'save a new plan with plan --out FILE';

/** The same for a document that is parsed already. */
export function checkPlan(document: unknown, name: string): ParsedPlan {
  const version = versionOf(document);
  if (version !== undefined && version !== readableVersion) {
    const message = `${name} has plan format ${JSON.stringify(version)}; this version reads ${readableVersion}.`;
    const hint = 'save and apply the plan with the same version of tenant-sync';
    return unusable('invalid', problem('PLAN_VERSION_UNSUPPORTED', message, hint));
  }
  const wrong = violationOf(document, planShape);
  if (wrong !== null) {
    const message = `${name} is not a plan: ${wrong.place} violates the rule "${wrong.rule}" of schemas/plan.schema.json.`;
    return unusable('invalid', problem('PLAN_FILE_INVALID', message, makeAgain));
  }
  const plan = document as Plan;
  const sealed = isSealed(plan);
  if (sealed === null)
    return unusable('invalid', problem('PLAN_FILE_INVALID', `${name} is nested too deeply for a plan.`, makeAgain));
  if (!sealed) {
    const message = `${name} was changed after it was saved: its digest or checksum does not match its content.`;
    return unusable('refused', problem('PLAN_STALE', message, makeAgain));
  }
  const inconsistent = inconsistency(plan);
  if (inconsistent !== null)
    return unusable('invalid', problem('PLAN_FILE_INVALID', `${name} is not a plan: ${inconsistent}.`, makeAgain));
  return { status: 'parsed', plan };
}

/** What no plan has, although its digest and its checksum fit: everybody can compute both. */
function inconsistency(plan: Plan): string | null {
  const renamed = plan.actions.find((action) => action.id !== actionId(action));
  if (renamed !== undefined) return `the action of ${itemId(renamed)} has the id ${renamed.id}`;
  const { unreadable: _unreadable, ...counts } = plan.summary;
  return orderProblem(plan.actions) ?? (isDeepStrictEqual(counts, countsOf(plan)) ? null : 'its summary counts others');
}

/** The first violation of the schema, or null. */
export function violationOf(
  document: unknown,
  { validate }: Pick<Shape<unknown>, 'validate'>,
): { readonly place: string; readonly rule: string } | null {
  if (validate(document)) return null;
  const [error] = validate.errors ?? [];
  return { place: error?.instancePath || 'its top level', rule: error?.keyword ?? 'type' };
}

/** Null if the plan is nested so deeply that the stack ends. */
function isSealed(plan: Plan): boolean | null {
  try {
    return planDigest(plan) === plan.digest && planChecksum(plan) === plan.checksum;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function unusable(status: Unusable['status'], diagnostic: Diagnostic): Unusable {
  return { status, diagnostics: [diagnostic] };
}

/** A newer minor version may contain requests that this version would not plan, so it is refused as well. */
function versionOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'format_version' in document
    ? document.format_version
    : undefined;
}
