import type { Diagnostic } from '../model/diagnostic.ts';
import type { Explanation } from '../model/explanation.generated.ts';
import type { Origin } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { compareText } from '../values/text-order.ts';
import { annotatedRows, bySeverity, diagnosticNotice, type Notice } from './annotations.ts';
import { type FormatContext, framed, type Renderer, type ReportDocument } from './document.ts';
import { jsonText } from './escape.ts';
import { composeView } from './view/compose-view.ts';
import { checkFirst, type Row } from './view/plan-view.ts';
import { quantity, repositoryPath, shortList } from './wording.ts';

/**
 * SARIF 2.1.0, for code scanning: the annotations of a report as results. One document is one run.
 *
 * - Paths are relative to the root of the repository, `%SRCROOT%`.
 * - A finding without a place, such as an item that only the tenant has, is shown at the first line of a file that
 *   declares items of its kind: code scanning refuses a result without a location.
 * - What is about the run, such as a missing variable, is a notification: it has no place in any file.
 */
export const sarifOf: Renderer = async function* (documents, context) {
  const explanations = new Map((await context.explanations()).map((entry) => [entry.code, entry]));
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [] };
  const [start = '', end = ''] = jsonText(log, 0).split(/(?=\]\}\n$)/);
  // Only programs read it, and indents would be half of it.
  yield* framed([start, ',', end], documents, (document) =>
    jsonText(runOf(document, context, explanations), 0).trimEnd(),
  );
};

type Explanations = ReadonlyMap<string, Explanation>;

interface Result extends Notice {
  /** The same for the same thing in every run. */
  readonly identity: readonly string[];
  /** Null if it is about no item. The origin is known in a three-way plan. */
  readonly item: { readonly kind: string; readonly key: string; readonly origin?: NonNullable<Origin> } | null;
}

/** GitHub accepts no more in one run. */
const mostResults = 25_000;
/** Names of items and parts of one result: a code approves what is named with it. */
const mostListed = 1_000;
const levelNames = { critical: 'error', error: 'error', warning: 'warning', notice: 'note' } as const;
const root = '%SRCROOT%';

/** Outcomes and pulls have no form in SARIF. */
function resultsOf(document: ReportDocument, context: FormatContext): readonly Result[] {
  if (document.type === 'diagnostics') return document.diagnostics.map(diagnosticResult);
  if (document.type !== 'plan' && document.type !== 'drift') return [];
  // The refusals of a plan name its items.
  const diagnostics = document.diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED');
  const rows = annotatedRows(composeView(document, { ...context, detail: 'compact' }));
  return [...diagnostics.map(diagnosticResult), ...rows.map(rowResult)];
}

function diagnosticResult(diagnostic: Diagnostic): Result {
  const { code, message, source } = diagnostic;
  // Places inside a message move with the lines of the files.
  return {
    ...diagnosticNotice(diagnostic),
    identity: [code, source?.file ?? '', message.replaceAll(/\d+/g, '')],
    item: null,
  };
}

function rowResult({ row, notice }: { readonly row: Row; readonly notice: Notice }): Result {
  const { kind, key, origin, names, parts } = row;
  const [first = '', ...lines] = notice.lines;
  return {
    ...notice,
    lines: [
      notice.level === 'critical' ? `${checkFirst}: ${first}` : first,
      ...shortList([...names, ...parts], mostListed),
      ...lines,
      ...(origin === null ? [] : [`origin: ${origin}`]),
    ],
    identity: [notice.code, kind, key],
    item: { kind, key, ...(origin !== null && { origin }) },
  };
}

function runOf(document: ReportDocument, context: FormatContext, explanations: Explanations): object {
  const found = bySeverity(resultsOf(document, context));
  const files = filesOf(document);
  const aboutRun = found.filter(isAboutRun);
  const sorted = found.filter((result) => !isAboutRun(result));
  const results = sorted.slice(0, mostResults);
  const rules = codesOf(results);
  const indexes = new Map(rules.map((code, index) => [code, index]));
  const omitted = sorted.length - results.length;
  const more = {
    code: 'tenant-sync',
    level: 'warning',
    lines: [`${quantity(omitted, 'more result')} omitted; see --format json.`],
  } as const;
  const notifications = [...(omitted > 0 ? [more] : []), ...aboutRun].map(({ code, level, lines }) => ({
    descriptor: { id: code },
    level: levelNames[level],
    message: { text: textOf(lines) },
  }));
  const seen = new Map<string, number>();
  return {
    tool: {
      driver: {
        name: 'tenant-sync',
        version: context.version,
        rules: rules.map((code) => ruleOf(code, explanations)),
      },
    },
    automationDetails: { id: `tenant-sync/${categoryOf(document)}/` },
    invocations: [
      {
        executionSuccessful: document.type !== 'diagnostics' || aboutRun.every(({ level }) => level !== 'error'),
        toolExecutionNotifications: notifications,
      },
    ],
    columnKind: 'utf16CodeUnits',
    results: results.map((result) => ({
      ruleId: result.code,
      ruleIndex: indexes.get(result.code),
      level: levelNames[result.level],
      message: { text: textOf(result.lines) },
      locations: [locationOf(result, files, context.folder)],
      partialFingerprints: { 'tenantSyncItem/v1': fingerprintOf(result, document, seen) },
      ...(result.item !== null && { properties: result.item }),
    })),
  };
}

function codesOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.map(({ code }) => code))].sort();
}

/** The command and the tenant, so that results of several tenants do not replace each other. */
function categoryOf(document: ReportDocument): string {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return `${document.type}/${encoded(document.plan.tenant.name)}`;
    case 'diagnostics':
      return document.command;
    default:
      return document.type;
  }
}

function isAboutRun({ item, source }: Result): boolean {
  return item === null && source === null;
}

/** The first file that declares items of each kind, and of all kinds under ''. */
function filesOf(document: ReportDocument): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (!('plan' in document)) return files;
  for (const { kind, source } of [...document.plan.actions, ...document.plan.findings])
    for (const name of source === null ? [] : ['', kind]) {
      const known = files.get(name);
      if (source !== null && (known === undefined || compareText(source.file, known) < 0)) files.set(name, source.file);
    }
  return files;
}

function locationOf({ source, item }: Result, files: ReadonlyMap<string, string>, folder: string): object {
  const region = source === null ? { startLine: 1 } : { startLine: source.line, startColumn: source.column };
  const file = source?.file ?? files.get(item?.kind ?? '') ?? files.get('');
  const path = file === undefined ? folder || '.' : repositoryPath(file, folder);
  const isOutside = path === '..' || path.startsWith('../');
  return {
    physicalLocation: {
      artifactLocation: { uri: encoded(path), ...(!isOutside && { uriBaseId: root }) },
      region,
    },
  };
}

/** A path as a relative URI. */
function encoded(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

/** The same for the same thing in every run, wherever it moved in the files. */
function fingerprintOf({ identity }: Result, document: ReportDocument, seen: Map<string, number>): string {
  const tenant = 'plan' in document ? document.plan.tenant.base_url : '';
  const digits = fingerprint([tenant, ...identity]).slice('sha256:'.length);
  const count = (seen.get(digits) ?? 0) + 1;
  seen.set(digits, count);
  return `${digits}:${count}`;
}

/** Viewers make links of `[text](target)`, so texts that look like one are escaped. */
function textOf(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.includes('](') ? text.replaceAll(/[\\[\]]/g, '\\$&') : text;
}

const planRules: Readonly<Record<string, string>> = {
  'plan/add': 'apply adds an item',
  'plan/change': 'apply changes an item, such as the permissions of a role',
  'plan/delete': 'apply deletes an item',
  'plan/header': 'The files change a rule of the tenant, such as its guards or what is protected',
  'plan/section': 'A section is new in the files or gone from them, so its kind becomes managed or unmanaged',
};

function ruleOf(code: string, explanations: Explanations): object {
  const entry = explanations.get(code);
  if (entry === undefined) {
    const text = planRules[code] ?? code;
    return { id: code, shortDescription: { text }, fullDescription: { text }, help: { text } };
  }
  const [cause, fix] = [plainText(entry.cause), plainText(entry.fix)];
  return {
    id: code,
    shortDescription: { text: firstSentence(cause) },
    fullDescription: { text: cause },
    help: { text: `Cause: ${cause}\nFix: ${fix}` },
    properties: { tags: [entry.group] },
  };
}

/** Links of the documentation lead to pages beside it. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/\s*\n\s*/g, ' ');
}

function firstSentence(text: string): string {
  const [sentence = text] = /^.*?\.(?= [A-Z]|$)/.exec(text) ?? [];
  return sentence;
}
