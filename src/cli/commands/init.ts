import { mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { folderSource } from '../../config/files/folder-source.ts';
import { outlineOf } from '../../config/outline.ts';
import { baseUrlProblem, canonicalBaseUrl } from '../../contract/formats.ts';
import { problem } from '../../diagnostics/problem.ts';
import { exists } from '../../files/exists.ts';
import { hasSchema, schemaComment } from '../../files/schema-comment.ts';
import { folderFor, WriteRefused } from '../../files/write-files.ts';
import { terminalText } from '../../report/escape.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import {
  type Header,
  headerFile,
  isPlainFolder,
  readmeFile,
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
  const declared = await declaringFile(folder);
  const header = declared === null ? await headerFrom(context, folder) : null;
  const files: readonly StartingFile[] = [
    ...(header === null ? [] : [headerFile(start, header), readmeFile(start, header)]),
    ...(options.noSettings ? [] : settingsFiles),
    ...(options.noWorkflows ? [] : await workflowFiles(start.folder)),
  ];
  const results: Result[] =
    declared === null ? [] : [{ path: [start.folder, declared].filter(Boolean).join('/'), kept: 'has the header' }];
  try {
    for (const file of files) results.push(await writeNew(repository, file));
  } finally {
    output.result(listed(results));
  }
  const hasWorkflows = results.some(({ path, kept }) => kept === null && path.startsWith('.github/'));
  output.result(await nextSteps(context, folder, start, hasWorkflows));
  return exitCode.done;
}

/** The folder of the checkout, or else where the command runs. */
async function repositoryOf(folder: string, cwd: string): Promise<string> {
  for (let above = folder; dirname(above) !== above; above = dirname(above))
    if (await exists(join(above, '.git'))) return above;
  return relative(cwd, folder).startsWith('..') ? folder : cwd;
}

/** The file of the folder that has a header already. */
async function declaringFile(folder: string): Promise<string | null> {
  const files = await outlineOf(folderSource(folder));
  return files.find(({ value }) => Object.hasOwn(value, 'tenant'))?.file ?? null;
}

async function headerFrom({ arguments: options, io }: CommandContext, folder: string): Promise<Header> {
  const wanted = { name: options.name, baseUrl: options.baseUrl };
  const usual = { name: basename(folder), baseUrl: io.env['TENANT_SYNC_BASE_URL'] || undefined };
  const asks = io.interactive && !options.yes;
  const ask = async (field: keyof Header, message: string, check: (text: string) => string | null) => {
    if (wanted[field] !== undefined || !asks) return wanted[field] ?? usual[field];
    const text = await io.ask({ message, default: usual[field], problem: check });
    if (text === null)
      throw invalidOption('The questions were not completed. Nothing was written.', 'use --name and --base-url');
    return text;
  };
  const name = await ask('name', 'Name of the tenant:', nameProblem);
  const baseUrl = await ask('baseUrl', 'Base URL, such as https://login.acme.example/api/v2:', baseUrlProblem);
  const problems = [
    ...invalid('--name', nameProblem(name ?? ''), 'use a name such as acme'),
    ...(baseUrl === undefined
      ? [problem('ENV_MISSING', 'Neither --base-url nor TENANT_SYNC_BASE_URL is given.', 'add --base-url URL')]
      : invalid('--base-url', baseUrlProblem(baseUrl), 'use https://<host>/api/v2')),
  ];
  if (name === undefined || baseUrl === undefined || problems.length > 0)
    throw new CommandError(exitCode.invalid, problems);
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
  const lines = results.map(({ path, kept }) => `  ${terminalText(path)}${kept === null ? '' : ` (${kept})`}`);
  const of = (isKept: boolean) => lines.filter((_, index) => (results[index]?.kept !== null) === isKept);
  return [
    ...(of(false).length > 0 ? ['Written:', ...of(false)] : []),
    ...(of(true).length > 0 ? ['Left as it was:', ...of(true)] : []),
  ].join('\n');
}

async function nextSteps({ io }: CommandContext, folder: string, start: Start, hasWorkflows: boolean): Promise<string> {
  const place = relative(io.cwd, folder) || '.';
  const command = (name: string) => `  ${io.program} ${name} ${shellWord(place)}`;
  const hasTool = await hasSchema(join(folder, 'tenant.yaml'));
  const [, schema] = start.schemaComment.split('$schema=');
  return [
    '',
    'Next:',
    '  Set TENANT_SYNC_BASE_URL, TENANT_SYNC_CLIENT_ID and TENANT_SYNC_CLIENT_SECRET.',
    command('pull'),
    command('plan'),
    ...(hasWorkflows
      ? ['  Create the environments tenant-read and tenant-write, and require the check "tenant".']
      : []),
    ...(hasTool ? [] : ['', `Editors look for the schema in ${schema}, where an installation of tenant-sync puts it.`]),
  ].join('\n');
}
