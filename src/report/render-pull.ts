import type { PullDocument } from '../model/pull.generated.ts';
import type { PullReport, ReportContext } from './document.ts';
import { joinLines, terminalText } from './escape.ts';
import { markdownDocument } from './markdown-document.ts';
import { plainStyle, type Style } from './terminal.ts';
import { unifiedDiff } from './unified-diff.ts';
import { quantity, shortList } from './wording.ts';

type PullEdit = PullDocument['edits'][number];
type PullContext = Pick<ReportContext, 'style' | 'isList'>;

export function pullText(report: PullReport, { style, isList = false }: PullContext): string {
  return joinLines([...report.files.flatMap((file) => diffLines(file, style)), ...endLines(report, isList)]);
}

/** A new file is shown up to this line; the file itself has the rest. */
const mostNewLines = 12;
const mostNames = 10;

function diffLines(file: PullReport['files'][number], style: Style): readonly string[] {
  const lines = unifiedDiff({ path: file.file, ...file })
    .split('\n')
    .slice(0, -1);
  const most = file.before === null ? mostNewLines : lines.length;
  const coloured = lines.map((line) => colored(line, style));
  return shortList(coloured, most, (rest) => `… and ${quantity(rest, 'more new line')}`);
}

function colored(line: string, style: Style): string {
  const text = line.split('\t').map(terminalText).join('\t');
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return style.bold(text);
  if (line.startsWith('@@')) return style.dim(text);
  if (line.startsWith('-')) return style.red(text);
  return line.startsWith('+') ? style.green(text) : text;
}

export const secretsTitle =
  'Variables with secrets, which apply sends when it creates their item, changes what has the secret, or rotates it';

function endLines(report: PullReport, isList: boolean): string[] {
  const { files, variables, notAdded } = report;
  const kept = shortList(notAdded.map(terminalText), mostNames, (rest) => `… and ${rest} more`);
  return [
    ...(files.length > 0 ? [''] : []),
    ...listLines(`${secretsTitle}:`, variables),
    ...listLines(`${quantity(notAdded.length, 'undeclared item')} kept by protect; --add writes them:`, kept),
    titleOf(report, isList),
  ];
}

/** Of several tenants, each is named. */
function titleOf(report: PullReport, isList: boolean): string {
  return `${isList ? `${terminalText(report.tenant.name)}: ` : ''}${summaryOf(report)}`;
}

function listLines(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
}

export function summaryOf({ files, edits, complete, tenant, warnings }: PullReport): string {
  const url = terminalText(tenant.base_url);
  const end = complete ? ` Read from ${url}.` : ` The tenant ${url} could not be read completely.`;
  const kept = warnings.filter(({ code }) => code === 'PULL_KEPT').length;
  if (files.length === 0 && kept > 0)
    return `Nothing to write. ${quantity(kept, 'item')} of the files ${kept === 1 ? 'differs' : 'differ'} from the tenant and ${kept === 1 ? 'is' : 'are'} kept.${end}`;
  if (files.length === 0 && !complete) return `Nothing to write.${end}`;
  if (files.length === 0) return `The files match the tenant.${end}`;
  const count = (change: PullEdit['change']) => edits.filter((edit) => edit.change === change).length;
  const created = files.filter(({ before }) => before === null).length;
  const parts = [
    ...(created > 0 ? [`${quantity(created, 'new file')}`] : []),
    ...(files.length > created ? [`${quantity(files.length - created, 'changed file')}`] : []),
    `${quantity(count('add'), 'item')} added`,
    `${count('edit')} changed`,
    `${count('remove')} removed`,
  ];
  return `${parts.join(', ')}.${end}`;
}

export function pullMarkdown(report: PullReport, { isList = false }: Pick<PullContext, 'isList'>): string {
  const lines = report.files.flatMap((file) => diffLines(file, plainStyle));
  const changes = { title: 'Changes of the files', weight: 'visible', language: 'diff', lines } as const;
  return markdownDocument({ name: 'pull', headline: titleOf(report, isList), sections: [changes] });
}

export function pullData({ tenant, complete, files, edits, variables, notAdded, warnings }: PullReport): PullDocument {
  return {
    format_version: '1.0',
    tenant,
    complete,
    files: files.map(({ file, before, after }) => ({
      file,
      new: before === null,
      diff: unifiedDiff({ path: file, before, after }),
    })),
    edits: edits.map(({ change, kind, key, source }) => ({ change, kind, key, source })),
    variables: [...variables],
    not_added: [...notAdded],
    warnings: warnings.map(({ code, message, hint = null, source = null }) => ({ code, message, hint, source })),
  };
}
