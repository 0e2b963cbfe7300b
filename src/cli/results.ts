// Results of a run as files: one for each tenant, as soon as it has one, and an index of all tenants that the run is a
// part of. Folders of several processes together are what `show` prints as one report.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { failureOf } from '../config/files/folder-source.ts';
import { validateSelection } from '../contract/selection.generated.ts';
import { shape } from '../contract/shape.ts';
import { warning } from '../diagnostics/problem.ts';
import { version } from '../files/package-file.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ResultSelection } from '../model/selection.generated.ts';
import { joined } from '../report/document.ts';
import { jsonText } from '../report/escape.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { parsedJson } from '../values/parsed-json.ts';
import type { CommandContext } from './context.ts';
import { type Ended, hasResult, type SaveResult } from './each-tenant.ts';
import { shownFolder } from './environment.ts';
import { invalidOption } from './exit-codes.ts';
import { reportBeside } from './output.ts';
import { rendered, withoutSecrets } from './print-document.ts';
import { readShaped } from './saved-plans.ts';
import { inShard, nameOf, type Target } from './targets.ts';

const selectionShape = shape<ResultSelection>('selection.schema.json', validateSelection);
const tool = () => ({ name: 'tenant-sync', version: version() });

/** Its name is no name of a tenant. */
export function isSelectionFile(name: string): boolean {
  return /^_selection-[0-9a-f]{12}\.json$/.test(name);
}

/**
 * The tenants of the shard, and where their results go: the folder of --results, which is prepared before anything is
 * sent. `selected` are the tenants of all shards.
 */
export async function ownTargets(context: CommandContext, selected: readonly Target[]) {
  const { arguments: options, io, output } = context;
  const targets = inShard(selected, options.shard);
  if (targets.length === 0) output.talk('No tenant is in this shard.');
  if (options.results === undefined) return { targets, save: async () => {} };
  const path = resolve(io.cwd, options.results);
  await prepareFolder(context, path, selected, targets);
  const save: SaveResult = (ended, again) => saveResult(context, join(path, fileOf(ended.target, again)), ended);
  return { targets, save };
}

/** Earlier results of the own tenants are removed: after a kill, none is taken for one of this run. Throws a CommandError. */
async function prepareFolder(
  context: CommandContext,
  path: string,
  selected: readonly Target[],
  targets: readonly Target[],
): Promise<void> {
  const { results } = context.arguments;
  const selection = selectionOf(context, selected);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const names = await readdir(path);
    // Results could replace other files.
    if (names.some((name) => !name.startsWith('.')) && !names.some(isSelectionFile)) throw new Error('other files');
    for (const target of targets)
      for (const file of [fileOf(target), fileOf(target, 'again')]) await rm(join(path, file), { force: true });
    // Equal selections have one file, which the processes of all shards may write at once.
    const name = `_selection-${digitsOf(fingerprint(selection), 12)}.json`;
    await writeAtomically(join(path, name), jsonText(selection), join(path, `.${randomBytes(8).toString('hex')}.tmp`));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? failureOf(error).detail : null;
    const why = code === 'EEXIST' ? 'it is a file' : (code ?? 'it contains files that are not results');
    throw invalidOption(`--results ${results} cannot be used: ${why}.`, 'name a new folder');
  }
}

/** No name of a tenant has a tilde. */
function fileOf(target: Target, again?: string): string {
  return `${[nameOf(target), again].filter(Boolean).join('~')}.json`;
}

function selectionOf({ io, arguments: options }: CommandContext, selected: readonly Target[]): ResultSelection {
  const tenants = selected.flatMap(({ tenant }) => tenant ?? []);
  const given = options.approve === undefined ? [] : [options.approve];
  return {
    format_version: '1.0',
    tool: tool(),
    command: options.command as ResultSelection['command'],
    folder: shownFolder(io, options.folder),
    project: selected[0]?.project?.tenants.length ?? tenants.length,
    tenants: tenants.map(({ name, wave, approvals }) => ({
      tenant: name,
      wave,
      approvals: [...approvals.map(({ code }) => code), ...given],
    })),
  };
}

/** Never rejects: the run goes on, and `show` names a tenant without a result. */
async function saveResult(context: CommandContext, path: string, ended: Ended): Promise<void> {
  if (!hasResult(ended)) return;
  try {
    await writeAtomically(path, await resultText(context, context.arguments.command, ended));
  } catch (error) {
    reportBeside(context.output, [notWritten(path, error)]);
  }
}

/** What a command has done with a tenant, without secrets. */
export async function resultText(
  context: CommandContext,
  command: string,
  { target, code, document }: Pick<Ended, 'target' | 'code' | 'document'>,
): Promise<string> {
  const shown = withoutSecrets(document, context.output.mask);
  return jsonText({
    format_version: '1.0',
    tool: tool(),
    tenant: nameOf(target),
    command,
    code,
    document: parsedJson(await joined(rendered(context, [shown], 'json'))),
    diagnostics: 'diagnostics' in shown ? shown.diagnostics : [],
  });
}

function notWritten(path: string, error: unknown): Diagnostic {
  const message = `The result ${path} could not be written: ${failureOf(error).detail}.`;
  return warning('REPORT_NOT_WRITTEN', message, 'free some space, and run the command again for this tenant');
}

/** Throws a CommandError if it is no such file. */
export function readSelection(path: string): ResultSelection {
  return readShaped(path, selectionShape, 'the selection of a run with --results', 'run the command again');
}
