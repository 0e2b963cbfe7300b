import { validatePlan } from '../contract/plan.generated.ts';
import { shape } from '../contract/shape.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import { jsonExcess } from '../values/json-size.ts';

/** `refused`: a plan of this version whose content is not what was saved. */
export type ParsedPlan =
  | { readonly status: 'parsed'; readonly plan: Plan }
  | { readonly status: 'invalid' | 'refused'; readonly diagnostics: readonly Diagnostic[] };

const planShape = shape<Plan>('plan.schema.json', validatePlan);
const readableVersion = '2.0';

/** An action has about forty values. */
const most = { values: 8_000_000, levels: 64 };

/**
 * A saved plan from its text. Nothing in it is trusted: version, shape, digest and checksum are checked. `name` is for
 * messages.
 */
export function parsePlan(text: string, name: string): ParsedPlan {
  const excess = jsonExcess(Buffer.from(text), most);
  if (excess !== null) {
    const message = `${name} has more ${excess} than a plan: ${most[excess]} at most.`;
    return unusable('invalid', problem('PLAN_FILE_INVALID', message, makeAgain));
  }
  const document = parseJson(text);
  if (document === undefined)
    return unusable('invalid', problem('PLAN_FILE_INVALID', `${name} is not JSON.`, makeAgain));
  return checkPlan(document, name);
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
  const wrong = firstNoAction(document);
  if (wrong !== null) {
    const message = `${name} is not a plan: /actions/${wrong} is not an action.`;
    return unusable('invalid', problem('PLAN_FILE_INVALID', message, makeAgain));
  }
  if (!planShape.validate(document)) {
    const [first] = planShape.validate.errors ?? [];
    const place = first?.instancePath || 'its top level';
    const message = `${name} is not a plan: ${place} violates the rule "${first?.keyword}" of schemas/plan.schema.json.`;
    return unusable('invalid', problem('PLAN_FILE_INVALID', message, makeAgain));
  }
  const sealed = isSealed(document);
  if (sealed === null)
    return unusable('invalid', problem('PLAN_FILE_INVALID', `${name} is nested too deeply for a plan.`, makeAgain));
  if (!sealed) {
    const message = `${name} was changed after it was saved: its digest or checksum does not match its content.`;
    return unusable('refused', problem('PLAN_STALE', message, makeAgain));
  }
  return { status: 'parsed', plan: document };
}

/** The first of the actions that has no id, or null: the schema collects the errors of all of them. */
function firstNoAction(document: unknown): number | null {
  const actions: unknown =
    typeof document === 'object' && document !== null ? Reflect.get(document, 'actions') : undefined;
  if (!Array.isArray(actions)) return null;
  const isAction = (action: unknown) => typeof action === 'object' && action !== null && 'id' in action;
  const index = actions.findIndex((action) => !isAction(action));
  return index < 0 ? null : index;
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

function unusable(status: 'invalid' | 'refused', diagnostic: Diagnostic): ParsedPlan {
  return { status, diagnostics: [diagnostic] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A newer minor version may contain requests that this version would not plan, so it is refused as well. */
function versionOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'format_version' in document
    ? document.format_version
    : undefined;
}
