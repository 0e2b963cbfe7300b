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

/** A document that a run has saved. */
export type ParsedDocument =
  | { readonly status: 'parsed'; readonly type: 'result'; readonly result: ParsedResult }
  | PlainDocument
  | Unusable;

/** One that is not the result of a tenant. */
export type PlainDocument =
  | { readonly status: 'parsed'; readonly type: 'plan'; readonly plan: Plan }
  | { readonly status: 'parsed'; readonly type: 'outcomes'; readonly outcomes: OutcomesDocument }
  | { readonly status: 'parsed'; readonly type: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] };

/** What a run with --results has done with one tenant. */
export interface ParsedResult {
  readonly tenant: string;
  readonly command: TenantResult['command'];
  readonly entries: readonly {
    /** The exit code of the tenant. */
    readonly code: number;
    readonly document: PlainDocument;
    readonly diagnostics: readonly Diagnostic[];
  }[];
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
  return isRecord(document) && Array.isArray(document['results'])
    ? checkResult(document, name)
    : checkDocument(document, name);
}

function checkResult(document: Readonly<Record<string, unknown>>, name: string): ParsedDocument {
  const wrong = violationOf(document, resultShape);
  if (wrong !== null) return notValid(name, wrong, resultShape.schema);
  const { tenant, command, results } = document as unknown as TenantResult;
  const entries: ParsedResult['entries'][number][] = [];
  for (const { code, document, diagnostics } of results) {
    const checked = checkDocument(document, name);
    if (checked.status !== 'parsed') return checked;
    entries.push({ code, document: checked, diagnostics: diagnostics.map(known) });
  }
  return { status: 'parsed', type: 'result', result: { tenant, command, entries } };
}

/** Codes of other versions are shown as they are. */
function known<Of extends { readonly code: string }>(diagnostic: Of): Of & Pick<Diagnostic, 'code'> {
  return { ...diagnostic, code: diagnostic.code as Diagnostic['code'] };
}

function checkDocument(document: unknown, name: string): PlainDocument | Unusable {
  if (isRecord(document) && Array.isArray(document['outcomes'])) return checkOutcomes(document, name);
  if (isRecord(document) && Array.isArray(document['diagnostics'])) return checkDiagnostics(document, name);
  const checked = checkPlan(document, name);
  return checked.status === 'parsed' ? { ...checked, type: 'plan' } : checked;
}

function checkOutcomes(document: Readonly<Record<string, unknown>>, name: string): PlainDocument | Unusable {
  const checked = checkPlan(document['plan'], `the plan of ${name}`);
  if (checked.status !== 'parsed') return checked;
  const { plan } = checked;
  const wrong = violationOf(document, outcomesShape);
  if (wrong !== null) return notValid(name, wrong, outcomesShape.schema);
  return { status: 'parsed', type: 'outcomes', outcomes: { ...(document as unknown as OutcomesDocument), plan } };
}

function checkDiagnostics(document: Readonly<Record<string, unknown>>, name: string): PlainDocument | Unusable {
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
