import { isDeepStrictEqual } from 'node:util';
import { validateDiagnostics } from '../contract/diagnostics.generated.ts';
import { validateOutcomes } from '../contract/outcomes.generated.ts';
import { validatePlan } from '../contract/plan.generated.ts';
import { shape } from '../contract/shape.ts';
import { validateTenantResult } from '../contract/tenant-result.generated.ts';
import { problem } from '../diagnostics/problem.ts';
import { actionId, itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsDocument } from '../model/diagnostics.generated.ts';
import { orderProblem } from '../model/levels.ts';
import type { Shape } from '../model/operation.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { TenantResult } from '../model/tenant-result.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import { countsOf } from '../plan/summary.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonExcess } from '../values/json-size.ts';
import { parsedJson } from '../values/parsed-json.ts';

export type ParsedPlan = { readonly status: 'parsed'; readonly plan: Plan } | Unusable;

/** A document that a run has saved, and what is known of the run if it is the result of a tenant. */
export type ParsedDocument = (SavedDocument & { readonly result?: ParsedResult }) | Unusable;

/** `refused`: a plan of this version whose content is not what was saved. */
export interface Unusable {
  readonly status: 'invalid' | 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

type SavedDocument =
  | { readonly status: 'parsed'; readonly type: 'plan'; readonly plan: Plan }
  | { readonly status: 'parsed'; readonly type: 'outcomes'; readonly outcomes: OutcomesDocument }
  | { readonly status: 'parsed'; readonly type: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] };

export interface ParsedResult extends Pick<TenantResult, 'tenant' | 'command' | 'code'> {
  readonly diagnostics: readonly Diagnostic[];
}

const planShape = shape<Plan>('plan.schema.json', validatePlan);
const resultShape = shape<TenantResult>('tenant-result.schema.json', validateTenantResult);
const outcomesShape = shape<OutcomesDocument>('outcomes.schema.json', validateOutcomes);
const diagnosticsShape = shape<DiagnosticsDocument>('diagnostics.schema.json', validateDiagnostics);
const readableVersion = '2.0';

/** An action has about forty values. */
const most = { values: 8_000_000, levels: 64 };

/** Why a document is not used. */
class UnusableDocument extends Error {
  readonly unusable: Unusable;

  constructor(diagnostic: Diagnostic, status: Unusable['status'] = 'invalid') {
    super(diagnostic.message);
    this.unusable = { status, diagnostics: [diagnostic] };
  }
}

function invalid(message: string): UnusableDocument {
  const hint = 'save it again with plan --out FILE or --report json=FILE';
  return new UnusableDocument(problem('PLAN_FILE_INVALID', message, hint));
}

function orUnusable<Result>(parse: () => Result): Result | Unusable {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UnusableDocument) return error.unusable;
    throw error;
  }
}

/**
 * A saved plan from its text. Nothing in it is trusted: version, shape, digest and checksum are checked. `name` is for
 * messages.
 */
export function parsePlan(text: string, name: string): ParsedPlan {
  return orUnusable(() => ({ status: 'parsed', plan: planFrom(jsonFrom(text, name), name) }));
}

/** The same for a document that is parsed already. */
export function checkPlan(document: unknown, name: string): ParsedPlan {
  return orUnusable(() => ({ status: 'parsed', plan: planFrom(document, name) }));
}

/**
 * A saved plan, the outcomes of an apply, the errors of a run that had neither, or the result of a tenant, under the same
 * checks.
 */
export function parseDocument(text: string, name: string): ParsedDocument {
  return orUnusable(() => {
    const document = jsonFrom(text, name);
    if (!isRecord(document) || !('document' in document)) return documentFrom(document, name);
    const { document: inner, diagnostics, tenant, command, code } = shaped(document, resultShape, name);
    return { ...documentFrom(inner, name), result: { tenant, command, code, diagnostics: diagnostics.map(known) } };
  });
}

/** The text of a saved document as JSON, within bounds that every plan and every outcome meets. */
function jsonFrom(text: string, name: string): unknown {
  const excess = jsonExcess(Buffer.from(text), most);
  if (excess !== null) throw invalid(`${name} has more ${excess} than a plan: ${most[excess]} at most.`);
  const document = parsedJson(text);
  if (document === undefined) throw invalid(`${name} is not JSON.`);
  return document;
}

function documentFrom(document: unknown, name: string): SavedDocument {
  if (isRecord(document) && Array.isArray(document['outcomes'])) {
    const plan = planFrom(document['plan'], `the plan of ${name}`);
    const outcomes = { ...shaped(document, outcomesShape, name), plan };
    const planned = new Set(plan.actions.map(({ id }) => id));
    const other = outcomes.outcomes.find(({ id }) => !planned.has(id));
    if (other === undefined) return { status: 'parsed', type: 'outcomes', outcomes };
    throw invalid(`${name} cannot be used: its plan has no action ${other.id}.`);
  }
  if (isRecord(document) && Array.isArray(document['diagnostics'])) {
    const { diagnostics } = shaped(document, diagnosticsShape, name);
    const given = diagnostics.map(known).map(({ hint, source, ...others }) => ({
      ...others,
      ...(hint !== null && { hint }),
      ...(source !== null && { source }),
    }));
    return { status: 'parsed', type: 'diagnostics', diagnostics: given };
  }
  return { status: 'parsed', type: 'plan', plan: planFrom(document, name) };
}

/** Codes of other versions are shown as they are. */
function known<Of extends { readonly code: string }>(diagnostic: Of): Of & Pick<Diagnostic, 'code'> {
  return { ...diagnostic, code: diagnostic.code as Diagnostic['code'] };
}

function planFrom(document: unknown, name: string): Plan {
  const version = isRecord(document) ? document['format_version'] : undefined;
  // A newer minor version may contain requests that this version would not plan, so it is refused as well.
  if (version !== undefined && version !== readableVersion) {
    const message = `${name} has plan format ${JSON.stringify(version)}; this version reads ${readableVersion}.`;
    const hint = 'save and apply the plan with the same version of tenant-sync';
    throw new UnusableDocument(problem('PLAN_VERSION_UNSUPPORTED', message, hint));
  }
  const plan = shaped(document, planShape, name);
  if (!isSealed(plan, name)) {
    const message = `${name} was changed after it was saved: its digest or checksum does not match its content.`;
    const hint = 'save a new plan with plan --out FILE';
    throw new UnusableDocument(problem('PLAN_STALE', message, hint), 'refused');
  }
  const inconsistent = inconsistency(plan);
  if (inconsistent !== null) throw invalid(`${name} cannot be used: ${inconsistent}.`);
  return plan;
}

/** What no plan has, although its digest and its checksum fit: everybody can compute both. */
function inconsistency(plan: Plan): string | null {
  const renamed = plan.actions.find((action) => action.id !== actionId(action));
  if (renamed !== undefined) return `the action of ${itemId(renamed)} has the id ${renamed.id}`;
  const { unreadable: _unreadable, ...counts } = plan.summary;
  return orderProblem(plan.actions) ?? (isDeepStrictEqual(counts, countsOf(plan)) ? null : 'its summary counts others');
}

/** The document with the type of its schema. */
function shaped<Of>(document: unknown, { validate, schema }: Shape<Of>, name: string): Of {
  if (validate(document)) return document;
  const [error] = validate.errors ?? [];
  const [place, rule] = [error?.instancePath || 'its top level', error?.keyword ?? 'type'];
  throw invalid(`${name} cannot be used: ${place} violates the rule "${rule}" of schemas/${schema}.`);
}

/** A plan of a program may be nested so deeply that the stack ends. */
function isSealed(plan: Plan, name: string): boolean {
  try {
    return planDigest(plan) === plan.digest && planChecksum(plan) === plan.checksum;
  } catch (error) {
    throw error instanceof RangeError ? invalid(`${name} is nested too deeply for a plan.`) : error;
  }
}
