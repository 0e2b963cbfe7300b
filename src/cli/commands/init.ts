import { mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { folderSource } from '../../config/files/folder-source.ts';
import { baseUrlProblem, canonicalBaseUrl } from '../../contract/formats.ts';
import { problem } from '../../diagnostics/problem.ts';
import { exists } from '../../files/exists.ts';
import { schemaComment } from '../../files/schema-comment.ts';
import { folderFor, WriteRefused } from '../../files/write-files.ts';
import { terminalText } from '../../report/escape.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import {
  type Header,
  headerFile,
  isPlainFolder,
  type Start,
  type StartingFile,
  settingsFiles,
  workflowFiles,
} from '../init/starting-files.ts';

/** What became of a file. */
interface Result {
  readonly path: string;
  /** Why it was left as it was; null if it was written. */
  readonly kept: string | null;
}

/** Makes a repository ready for a tenant: writes every file that is not there, and changes none that is. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const folder = resolve(io.cwd, options.folder);
  const repository = await repositoryOf(folder, io.cwd);
  const start: Start = {
    folder: relative(repository, folder).split(sep).join('/'),
    schemaComment: await schemaComment(join(folder, 'tenant.yaml')),
  };
  if (!options.noWorkflows && !isPlainFolder(start.folder)) {
    const message = `The workflows cannot name the folder "${start.folder}": it has characters other than letters, digits, ".", "_" and "-".`;
    throw invalidOption(message, 'use another folder, or --no-workflows');
  }
  const hasFiles = ((await folderSource(folder).list())?.files ?? []).length > 0;
  const header = hasFiles ? null : headerFrom(context, folder);
  const files: readonly StartingFile[] = [
    ...(header === null ? [] : [headerFile(start, header)]),
    ...(options.noSettings ? [] : settingsFiles),
    ...(options.noWorkflows ? [] : await workflowFiles(start.folder)),
  ];
  const results: Result[] = hasFiles
    ? [{ path: start.folder || '.', kept: 'has YAML files, so it gets no header' }]
    : [];
  try {
    for (const file of files) results.push(await writeNew(repository, file));
  } finally {
    output.result(listed(results));
  }
  const hasWorkflows = results.some(({ path, kept }) => kept === null && path.startsWith('.github/'));
  output.result(nextSteps(context, folder, hasWorkflows));
  return exitCode.done;
}

/** The folder of the checkout, or else where the command runs. */
async function repositoryOf(folder: string, cwd: string): Promise<string> {
  for (let above = folder; dirname(above) !== above; above = dirname(above))
    if (await exists(join(above, '.git'))) return above;
  return relative(cwd, folder).startsWith('..') ? folder : cwd;
}

function headerFrom({ arguments: options, io }: CommandContext, folder: string): Header {
  const { name = basename(folder), baseUrl = io.env['TENANT_SYNC_BASE_URL'] || undefined } = options;
  const problems = [
    ...invalid('--name', nameProblem(name), 'use a name such as acme'),
    ...(baseUrl === undefined
      ? [problem('ENV_MISSING', 'Neither --base-url nor TENANT_SYNC_BASE_URL is given.', 'add --base-url URL')]
      : invalid('--base-url', baseUrlProblem(baseUrl), 'use https://<host>/api/v2')),
  ];
  if (baseUrl === undefined || problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  return { name, baseUrl: canonicalBaseUrl(baseUrl) };
}

function invalid(option: string, why: string | null, hint: string) {
  return why === null ? [] : [problem('OPTION_INVALID', `${option} cannot be used: ${why}.`, hint)];
}

function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'it is empty';
  if ([...name].length > 255) return 'it has more than 255 characters';
  return terminalText(name) === name ? null : 'it has characters that do not show';
}

/** Writes a file that does not exist. The check and the creation are one step, and a link is not followed. */
async function writeNew(repository: string, { path, text }: StartingFile): Promise<Result> {
  try {
    await mkdir(repository, { recursive: true });
    const handle = await open(await folderFor(repository, path), 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (handle === null) return { path, kept: 'exists' };
    await handle.writeFile(text).finally(() => handle.close());
    return { path, kept: null };
  } catch (error) {
    const why =
      error instanceof WriteRefused
        ? 'a link leads out of the repository'
        : ((error as NodeJS.ErrnoException).code ?? String(error));
    const message = `${path} cannot be written (${why}).`;
    throw new CommandError(exitCode.invalid, [
      problem('INIT_UNWRITABLE', message, 'check the path, its permissions and the free space'),
    ]);
  }
}

function listed(results: readonly Result[]): string {
  const lines = results.map(({ path, kept }) => `  ${terminalText(path)} (${kept ?? 'written'})`);
  return ['Files:', ...lines].join('\n');
}

function nextSteps({ io }: CommandContext, folder: string, hasWorkflows: boolean): string {
  const place = relative(io.cwd, folder) || '.';
  const command = (name: string) => `  ${io.program} ${name} ${shellWord(place)}`;
  return [
    '',
    'Next:',
    '  Set TENANT_SYNC_BASE_URL, TENANT_SYNC_CLIENT_ID, and TENANT_SYNC_CLIENT_SECRET or TENANT_SYNC_PRIVATE_KEY.',
    command('pull'),
    command('plan'),
    ...(hasWorkflows
      ? ['  Create the environments tenant-read and tenant-write, and require the check "tenant".']
      : []),
  ].join('\n');
}
