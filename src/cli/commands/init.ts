import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { folderSource } from '../../config/files/folder-source.ts';
import { baseUrlProblem, canonicalBaseUrl } from '../../contract/formats.ts';
import { problem } from '../../diagnostics/problem.ts';
import { schemaComment } from '../../files/schema-comment.ts';
import { folderFor, WriteRefused } from '../../files/write-files.ts';
import { type Env, gitIn, lineOf } from '../../git/run-git.ts';
import { terminalText } from '../../report/escape.ts';
import { listed as listOf } from '../../values/list-of.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { readEnvironment } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import * as starting from '../init/starting-files.ts';
import { isProject, targetsOf } from '../targets.ts';

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
  const repository = repositoryOf(folder, io.cwd);
  const shown = relative(repository, folder).split(sep).join('/');
  if (!options.noWorkflows && !starting.isPlainFolder(shown)) {
    const message = `The workflows cannot name the folder "${shown}": it has characters other than letters, digits, ".", "_" and "-".`;
    throw invalidOption(message, 'use another folder, or --no-workflows');
  }
  const tenants = isProject(folder) ? await targetsOf(io, { folder: options.folder, all: true }) : [];
  const hasFiles = tenants.length > 0 || ((await folderSource(folder).list())?.files ?? []).length > 0;
  const comment = await schemaComment(join(folder, 'tenant.yaml'));
  const header = hasFiles ? [] : [starting.headerFile(shown, comment, headerFrom(context, folder))];
  const name = [options.name ?? '', basename(folder)].find(starting.isPlainName) ?? 'tenant';
  const branch = await defaultBranch(repository, io.env);
  const waves = [...new Set(tenants.map(({ tenant }) => tenant?.wave ?? 1))].toSorted((one, other) => one - other);
  const files: readonly starting.StartingFile[] = [
    ...header,
    ...(options.noSettings ? [] : starting.settingsFiles),
    ...(options.noWorkflows ? [] : await starting.workflowFiles({ folder: shown, name, branch, waves })),
  ];
  const results: Result[] = hasFiles
    ? [{ path: shown || '.', kept: 'has YAML files already, so no header was written' }]
    : [];
  try {
    for (const file of files) results.push(await writeNew(repository, file));
  } finally {
    output.result(listed(results));
  }
  const workflows = results.filter(({ path }) => path.startsWith('.github/'));
  const more: string[] = [];
  if (workflows.some(({ kept }) => kept === null)) {
    const secret = tenants.length > 0 ? ' with the secret TENANT_CREDENTIALS' : '';
    const environments = listOf(starting.environmentsOf(waves));
    more.push(
      `Create the environments ${environments}${secret}, and require the check "${starting.requiredCheck(name)}".`,
    );
    if (!existsSync(join(repository, 'package.json'))) more.push(noPackage);
  }
  if (workflows.some(({ kept }) => kept !== null)) more.push(keptWorkflows);
  output.result(await nextSteps(context, folder, tenants.length > 0, more));
  return exitCode.done;
}

const noPackage =
  'Add a package.json and its lockfile with tenant-sync in devDependencies: the workflows run the installed version.';
const keptWorkflows =
  'If workflows that exist name another TENANT_FOLDER, copy them for this folder, with environments of their own.';

/** The branch that the forge calls its default, or else the one that is checked out. */
async function defaultBranch(repository: string, env: Env): Promise<string> {
  const git = gitIn(repository, env);
  for (const ref of ['refs/remotes/origin/HEAD', 'HEAD']) {
    const run = await git.run(['symbolic-ref', '--quiet', ref]);
    const branch = run.ok ? lineOf(run).replace(/^refs\/(?:remotes\/origin|heads)\//, '') : '';
    if (starting.isPlainFolder(branch) && branch !== '') return branch;
  }
  return 'main';
}

/** The folder of the checkout, or else where the command runs. */
function repositoryOf(folder: string, cwd: string): string {
  for (let above = folder; dirname(above) !== above; above = dirname(above))
    if (existsSync(join(above, '.git'))) return above;
  return relative(cwd, folder).startsWith('..') ? folder : cwd;
}

function headerFrom({ arguments: options, io }: CommandContext, folder: string) {
  const { name = basename(folder), baseUrl = io.env['TENANT_SYNC_BASE_URL'] || undefined } = options;
  const problems = [
    ...invalid('--name', nameProblem(name), 'use a name such as acme'),
    ...(baseUrl === undefined
      ? [noBaseUrl]
      : invalid('--base-url', baseUrlProblem(baseUrl), 'use https://<host>/api/v2')),
  ];
  if (baseUrl === undefined || problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  return { name, baseUrl: canonicalBaseUrl(baseUrl) };
}

const noBaseUrl = problem(
  'ENV_MISSING',
  'Neither --base-url nor TENANT_SYNC_BASE_URL is given.',
  'add --base-url https://<host>/api/v2',
);

function invalid(option: string, why: string | null, hint: string) {
  return why === null ? [] : [problem('OPTION_INVALID', `${option} cannot be used: ${why}.`, hint)];
}

function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'it is empty';
  if ([...name].length > 255) return 'it has more than 255 characters';
  return terminalText(name) === name ? null : 'it has characters that do not show';
}

/** Writes a file that does not exist. The check and the creation are one step, and a link is not followed. */
async function writeNew(repository: string, { path, text }: starting.StartingFile): Promise<Result> {
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
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const why = error instanceof WriteRefused ? 'a link leads out of the repository' : code;
    const hint = 'check the path, its permissions and the free space';
    const unwritable = problem('INIT_UNWRITABLE', `${path} cannot be written (${why}).`, hint);
    throw new CommandError(exitCode.invalid, [unwritable]);
  }
}

function listed(results: readonly Result[]): string {
  const lines = results.map(({ path, kept }) => `  ${terminalText(path)} (${kept ?? 'written'})`);
  return ['Files:', ...lines].join('\n');
}

async function nextSteps(
  { io }: CommandContext,
  folder: string,
  isProject: boolean,
  more: readonly string[],
): Promise<string> {
  const environment = isProject ? [] : await readEnvironment(io);
  const missing = 'baseUrl' in environment ? [] : environment.map(({ message }) => `  ${message}`);
  const place = shellWord(relative(io.cwd, folder) || '.');
  const commands = isProject ? [`plan ${place} --all`] : [`pull ${place}`, `plan ${place}`];
  return [
    '',
    'Next:',
    ...missing,
    ...commands.map((command) => `  ${io.program} ${command}`),
    ...more.map((step) => `  ${step}`),
  ].join('\n');
}
