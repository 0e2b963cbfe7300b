import { validateDiagnostics } from '../contract/diagnostics.generated.ts';
import { validateOutcomes } from '../contract/outcomes.generated.ts';
import { shape } from '../contract/shape.ts';
import { validateTenantResult } from '../contract/tenant-result.generated.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsDocument } from '../model/diagnostics.generated.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { TenantResult } from '../model/tenant-result.generated.ts';
import { isRecord } from '../values/is-record.ts';
import { checkPlan, parseJson, type Unusable, unusable, violationOf } from './parse-plan.ts';

/** A document that a run has saved, and what is known of the run if it is the result of a tenant. */
export type ParsedDocument = (SavedDocument & { readonly result?: ParsedResult }) | Unusable;

type SavedDocument =
  | { readonly status: 'parsed'; readonly type: 'plan'; readonly plan: Plan }
  | { readonly status: 'parsed'; readonly type: 'outcomes'; readonly outcomes: OutcomesDocument }
  | { readonly status: 'parsed'; readonly type: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] };

export interface ParsedResult extends Pick<TenantResult, 'tenant' | 'command' | 'code'> {
  readonly diagnostics: readonly Diagnostic[];
}

const resultShape = shape<TenantResult>('tenant-result.schema.json', validateTenantResult);
const outcomesShape = shape<OutcomesDocument>('outcomes.schema.json', validateOutcomes);
const diagnosticsShape = shape<DiagnosticsDocument>('diagnostics.schema.json', validateDiagnostics);

/**
 * A saved plan, the outcomes of an apply, the errors of a run that had neither, or the result of a tenant, from its text. Nothing in it is
 * trusted: version, shape, digest and checksum of a plan are checked. `name` is for messages.
 */
export function parseDocument(text: string, name: string): ParsedDocument {
  const parsed = parseJson(text, name);
  if (parsed.status !== 'parsed') return parsed;
  const { document } = parsed;
  if (!isRecord(document) || !('document' in document)) return checkDocument(document, name);
  const wrong = violationOf(document, resultShape);
  if (wrong !== null) return notValid(name, wrong, resultShape.schema);
  const { tenant, command, code, diagnostics, document: inner } = document as unknown as TenantResult;
  const checked = checkDocument(inner, name);
  if (checked.status !== 'parsed') return checked;
  return { ...checked, result: { tenant, command, code, diagnostics: diagnostics.map(known) } };
}

/** Codes of other versions are shown as they are. */
function known<Of extends { readonly code: string }>(diagnostic: Of): Of & Pick<Diagnostic, 'code'> {
  return { ...diagnostic, code: diagnostic.code as Diagnostic['code'] };
}

function checkDocument(document: unknown, name: string): SavedDocument | Unusable {
  if (isRecord(document) && Array.isArray(document['outcomes'])) return checkOutcomes(document, name);
  if (isRecord(document) && Array.isArray(document['diagnostics'])) return checkDiagnostics(document, name);
  const checked = checkPlan(document, name);
  return checked.status === 'parsed' ? { ...checked, type: 'plan' } : checked;
}

function checkOutcomes(document: Readonly<Record<string, unknown>>, name: string): SavedDocument | Unusable {
  const checked = checkPlan(document['plan'], `the plan of ${name}`);
  if (checked.status !== 'parsed') return checked;
  const { plan } = checked;
  const wrong = violationOf(document, outcomesShape);
  if (wrong !== null) return notValid(name, wrong, outcomesShape.schema);
  return { status: 'parsed', type: 'outcomes', outcomes: { ...(document as unknown as OutcomesDocument), plan } };
}

function checkDiagnostics(document: Readonly<Record<string, unknown>>, name: string): SavedDocument | Unusable {
  const wrong = violationOf(document, diagnosticsShape);
  if (wrong !== null) return notValid(name, wrong, diagnosticsShape.schema);
  const { diagnostics } = document as unknown as DiagnosticsDocument;
  return {
    status: 'parsed',
    type: 'diagnostics',
    diagnostics: diagnostics.map(known).map(({ hint, source, ...others }) => ({
      ...others,
      ...(hint !== null && { hint }),
      ...(source !== null && { source }),
    })),
  };
}

function notValid(name: string, { place, rule }: { readonly place: string; readonly rule: string }, schema: string) {
  const message = `${name} cannot be shown: ${place} violates the rule "${rule}" of schemas/${schema}.`;
  return unusable('invalid', problem('PLAN_FILE_INVALID', message, 'save it again with --report json=FILE'));
}
