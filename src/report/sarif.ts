import type { Explanation } from '../model/explanation.generated.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { compareText } from '../values/text-order.ts';
import { bySeverity, diagnosticNotice, type Notice, viewNotices } from './annotations.ts';
import {
  type FormatContext,
  framed,
  isViewed,
  type PullReport,
  planOf,
  type Renderer,
  type ReportDocument,
  tenantOf,
  warningsOf,
} from './document.ts';
import { encodedPath, jsonText } from './escape.ts';
import { composeView } from './view/compose-view.ts';
import { checkFirst } from './view/plan-view.ts';
import { quantity, shortList } from './wording.ts';

/**
 * SARIF 2.1.0, for code scanning: the annotations of a report as results. One document is one run. Groups of
 * tenants are one together: code scanning closes what the next run of the same name does not have.
 *
 * - Paths are relative to the root of the repository, `%SRCROOT%`.
 * - A finding without a place, such as an item that only the tenant has, is shown at the first line of a file that
 *   declares items: code scanning refuses a result without a location.
 * - What is about the run, such as a missing variable, is a notification: it has no place in any file.
 */
export const sarifOf: Renderer = async function* (documents, context) {
  const explanations = new Map((await context.explanations()).map((entry) => [entry.code, entry]));
  const start = '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[';
  // Only programs read it, and indents would be half of it.
  yield* framed([start, ',', ']}\n'], runsOf(documents), (ofRun) =>
    jsonText(runOf(ofRun, context, explanations), 0).trimEnd(),
  );
};

function* runsOf(documents: Iterable<ReportDocument>): Iterable<readonly ReportDocument[]> {
  const together: ReportDocument[] = [];
  for (const document of documents) {
    if (together.length > 0 || 'group' in document) together.push(document);
    else yield [document];
  }
  if (together.length > 0) yield together;
}

type Explanations = ReadonlyMap<string, Explanation>;

/** GitHub accepts no more in one run. */
const mostResults = 25_000;
/** Names of items of one result: a code approves what is named with it. */
const mostListed = 1_000;
const levelNames = { critical: 'error', error: 'error', warning: 'warning', notice: 'note' } as const;

function noticesOf(document: ReportDocument, context: FormatContext): readonly Notice[] {
  if (document.type === 'diagnostics') return document.diagnostics.map(diagnosticNotice);
  if (document.type === 'pull')
    return [...document.pull.warnings.map(diagnosticNotice), ...document.pull.edits.map(editNotice)];
  const view = composeView(document, context);
  return [...warningsOf(document).map(diagnosticNotice), ...viewNotices(view)];
}

function editNotice({ change, kind, key, source }: PullReport['edits'][number]): Notice {
  return { level: 'notice', code: `pull/${change}`, row: null, source, lines: [`${kind}/${key}`] };
}

function runOf(documents: readonly ReportDocument[], context: FormatContext, explanations: Explanations): object {
  const found = bySeverity(
    documents.flatMap((document) => {
      const { base_url: tenant = '' } = tenantOf(document) ?? {};
      return noticesOf(document, context).map((notice) => ({ ...notice, tenant }));
    }),
  );
  const aboutRun = found.filter(({ row, source }) => row === null && source === null);
  const placed = found.filter(({ row, source }) => row !== null || source !== null);
  const results = placed.slice(0, mostResults);
  const rules = [...new Set(results.map(({ code }) => code))].sort().map((code) => ruleOf(code, explanations));
  const files = documents.flatMap(filesOf).sort(compareText);
  const seen = new Map<string, number>();
  return {
    tool: { driver: { name: 'tenant-sync', version: context.version, rules } },
    // Results of several tenants do not replace each other.
    automationDetails: { id: documents.slice(0, 1).map(runName).join('') },
    invocations: [
      {
        // A run that knows its tenant has done its work.
        executionSuccessful:
          documents.every(({ type }) => type !== 'diagnostics') || aboutRun.every(({ level }) => level !== 'error'),
        toolExecutionNotifications: [...omittedNotice(placed.length - results.length), ...aboutRun].map(
          ({ code, level, lines }) => ({
            descriptor: { id: code },
            level: levelNames[level],
            message: { text: textOf(lines) },
          }),
        ),
      },
    ],
    columnKind: 'utf16CodeUnits',
    results: results.map((notice) => ({
      ruleId: notice.code,
      level: levelNames[notice.level],
      message: { text: textOf(linesOf(notice)) },
      locations: [locationOf(notice, files[0], context.folder)],
      partialFingerprints: { 'tenantSyncItem/v1': fingerprintOf(notice, notice.tenant, seen) },
      ...propertiesOf(notice),
    })),
  };
}

/** Of several tenants, without a name. */
function runName(document: ReportDocument): string {
  const category = document.type === 'diagnostics' ? document.command : document.type;
  const { name = '', base_url: baseUrl = '' } = tenantOf(document) ?? {};
  return `tenant-sync/${category}/${baseUrl === '' ? '' : `${encodedPath(name)}/`}`;
}

/** Files that declare items of a plan. */
function filesOf(document: ReportDocument): readonly string[] {
  if (!isViewed(document)) return [];
  const { actions, findings } = planOf(document);
  return [...actions, ...findings].flatMap(({ source }) => source?.file ?? []);
}

function omittedNotice(count: number): readonly Pick<Notice, 'code' | 'level' | 'lines'>[] {
  const line = `${quantity(count, 'more result')} omitted; see --format json.`;
  return count === 0 ? [] : [{ code: 'tenant-sync', level: 'warning', lines: [line] }];
}

function propertiesOf({ row }: Notice): object {
  if (row === null) return {};
  const { kind, key, origin } = row;
  return { properties: { kind, key, ...(origin !== null && { origin }) } };
}

function linesOf({ level, row, lines: [first = '', ...lines] }: Notice): readonly string[] {
  const named = row === null ? [] : shortList(row.names, mostListed);
  return [level === 'critical' ? `${checkFirst}: ${first}` : first, ...named, ...lines];
}

function locationOf({ source }: Notice, first: string | undefined, folder: string): object {
  const region = source === null ? { startLine: 1 } : { startLine: source.line, startColumn: source.column };
  const path = source?.file ?? first ?? (folder || '.');
  const isOutside = path === '..' || path.startsWith('../');
  const artifactLocation = { uri: encodedPath(path), ...(!isOutside && { uriBaseId: '%SRCROOT%' }) };
  return { physicalLocation: { artifactLocation, region } };
}

/** The same for the same thing in every run, wherever it moved in the files. */
function fingerprintOf({ code, row, source, lines }: Notice, tenant: string, seen: Map<string, number>): string {
  // Places inside a message move with the lines of the files.
  const identity = row === null ? [source?.file ?? '', lines[0]?.replaceAll(/\d+/g, '')] : [row.kind, row.key];
  const digits = digitsOf(fingerprint([tenant, code, ...identity]));
  const count = (seen.get(digits) ?? 0) + 1;
  seen.set(digits, count);
  return `${digits}:${count}`;
}

/** Viewers make links of `[text](target)`, so texts that look like one are escaped. */
function textOf(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.includes('](') ? text.replaceAll(/[\\[\]]/g, '\\$&') : text;
}

/** A change, such as `plan/delete` or `apply/failed`, has no entry among the diagnostics. */
function ruleOf(code: string, explanations: Explanations): object {
  const change = { cause: `The run reports ${code}.`, fix: 'Review it.' };
  const { cause, fix } = explanations.get(code) ?? change;
  const text = plainText(cause);
  return { id: code, shortDescription: { text }, fullDescription: { text }, help: { text: plainText(fix) } };
}

/** Links of the documentation lead to pages beside it. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/\s*\n\s*/g, ' ');
}
