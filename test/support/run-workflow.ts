// Runs an example workflow as it is: jobs in order, conditions, steps, artifacts as folders, permissions and environments.
// Third-party actions are replaced by what they do; the action of this package runs in this process, or as built.
import { type ChildProcess, execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { FakeGithub, Permissions } from './fake-github.ts';
import { type Ended, stepHere } from './step-here.ts';
import { type ExpressionContext, evaluate, fillIn, isTrue } from './workflow-expressions.ts';

const root = join(import.meta.dirname, '..', '..');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface JobDefinition {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string | { readonly name: string; readonly deployment: boolean };
  readonly permissions?: Permissions;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, string>> };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, JobDefinition>>;
}

export interface Environment {
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly branches?: readonly string[];
}

export interface RunOptions {
  readonly forge: FakeGithub;
  /** The repository to clone, and the commit that the event is about. */
  readonly origin: string;
  readonly sha: string;
  readonly eventName: string;
  readonly event?: object;
  readonly ref?: string;
  readonly baseRef?: string;
  readonly actor?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly environments: Readonly<Record<string, Environment>>;
  /** The number of the run; those that begin later have a higher one. */
  readonly runId?: string;
  /** Runs the action as built, in a process of its own. Default: in this process. */
  readonly built?: boolean;
  /** Called with each process of the action. */
  readonly onProcess?: (child: ChildProcess) => void;
  /** Called before a job with this environment starts, as a reviewer is. */
  readonly onEnvironment?: (name: string, run: WorkflowRun) => Promise<void> | void;
}

export interface JobRun {
  result: 'success' | 'failure' | 'skipped';
  readonly outputs: Record<string, string>;
  log: string;
  summary: string;
}

export interface WorkflowRun {
  readonly jobs: Record<string, JobRun>;
  /** Folders of the artifacts. */
  readonly artifacts: string;
  remove(): Promise<void>;
}

export async function readWorkflow(name: string): Promise<Workflow> {
  return parse(await readFile(join(root, 'examples/github-actions', name), 'utf8'));
}

export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<WorkflowRun> {
  const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-workflow-'));
  const artifacts = join(folder, 'artifacts');
  await mkdir(artifacts);
  const run: WorkflowRun = { jobs: {}, artifacts, remove: () => rm(folder, { recursive: true, force: true }) };
  for (const [name, job] of Object.entries(workflow.jobs))
    run.jobs[name] = await runJob({ workflow, name, job, options, run, folder: join(folder, name) });
  return run;
}

interface JobContext {
  readonly workflow: Workflow;
  readonly name: string;
  readonly job: JobDefinition;
  readonly options: RunOptions;
  readonly run: WorkflowRun;
  readonly folder: string;
}

/** A job with a matrix is one after the other; it fails if one of them does. */
async function runJob(context: JobContext): Promise<JobRun> {
  const { job, run, folder } = context;
  const [[name, text] = ['', '']] = Object.entries(job.strategy?.matrix ?? {});
  if (name === '') return runOne(context, {});
  const needs = Object.fromEntries([job.needs ?? []].flat().map((needed) => [needed, run.jobs[needed]]));
  const values = evaluate(text.replace(/^\$\{\{(.*)\}\}$/s, '$1'), { values: { needs }, functions: {} });
  const runs: JobRun[] = [];
  for (const value of values as readonly unknown[])
    runs.push(await runOne({ ...context, folder: join(folder, String(value)) }, { [name]: value }));
  const result = (['failure', 'skipped', 'success'] as const).find((one) => runs.some((run) => run.result === one));
  const texts = (key: 'log' | 'summary') => runs.map((run) => run[key]).join('');
  return { result: result ?? 'skipped', outputs: {}, log: texts('log'), summary: texts('summary') };
}

async function runOne(context: JobContext, matrix: Readonly<Record<string, unknown>>): Promise<JobRun> {
  const { workflow, job, options, run, folder } = context;
  const { forge, eventName, event = {}, ref = 'refs/heads/main', baseRef = '', environments, actor = 'dev' } = options;
  const result: JobRun = { result: 'skipped', outputs: {}, log: '', summary: '' };
  const needed = [job.needs ?? []].flat();
  const needs = Object.fromEntries(needed.map((name) => [name, run.jobs[name]]));
  const token = forge.token(job.permissions ?? workflow.permissions);
  const github = {
    event,
    event_name: eventName,
    repository: forge.repository,
    ref,
    actor,
    sha: options.sha,
    token,
  };
  const values: Record<string, unknown> = { github, needs, matrix, inputs: options.inputs ?? {}, env: workflow.env };
  const jobFunctions = {
    always: () => true,
    cancelled: () => false,
    success: () => needed.every((name) => run.jobs[name]?.result === 'success'),
    failure: () => needed.some((name) => run.jobs[name]?.result === 'failure'),
  };
  if (!condition(job.if, { values, functions: jobFunctions })) return result;

  const name = typeof job.environment === 'object' ? job.environment.name : job.environment;
  const environment = name === undefined ? undefined : environments[name];
  if (name !== undefined) {
    const branch = ref.replace('refs/heads/', '');
    if (environment === undefined || (environment.branches !== undefined && !environment.branches.includes(branch))) {
      result.log = `${ref} may not use the environment ${name}`;
      result.result = 'failure';
      return result;
    }
    await options.onEnvironment?.(name, run);
  }
  const workspace = join(folder, 'work');
  const temp = join(folder, 'temp');
  await mkdir(workspace, { recursive: true });
  await mkdir(temp, { recursive: true });
  const [eventFile, outputFile, summaryFile] = ['event.json', 'output', 'summary'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(eventFile, JSON.stringify(event));
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  Object.assign(values, {
    vars: environment?.vars ?? {},
    secrets: environment?.secrets ?? {},
    steps,
    runner: { temp },
  });
  const runnerEnv = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: forge.url,
    GITHUB_SERVER_URL: 'https://forge.example',
    GITHUB_REPOSITORY: forge.repository,
    GITHUB_RUN_ID: options.runId ?? '77',
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_REF: ref,
    GITHUB_REF_NAME: ref.replace(/^refs\/(heads|pull)\//, ''),
    GITHUB_BASE_REF: baseRef,
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: outputFile,
    GITHUB_STEP_SUMMARY: summaryFile,
    RUNNER_TEMP: temp,
    TENANT_SYNC_STATE_DIR: join(folder, 'state'),
  };
  result.result = 'success';
  for (const step of job.steps) {
    const expressions: ExpressionContext = {
      values,
      functions: {
        always: () => true,
        cancelled: () => false,
        success: () => result.result === 'success',
        hashFiles: (...paths) => paths.filter((path) => exists(workspace, String(path))).join(','),
      },
    };
    if (!condition(step.if, expressions)) continue;
    const filled = (texts: Readonly<Record<string, unknown>> = {}) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillIn(String(text), expressions)]));
    const given = filled(step.with);
    const env = { ...runnerEnv, ...workflow.env, ...filled(step.env) };
    await writeFile(outputFile, '');
    const ended = await runStep(step, given, env, { options, run, workspace });
    result.log += ended.log;
    if (ended.code !== 0) result.result = 'failure';
    if (step.id !== undefined) steps[step.id] = { outputs: outputsOf(await readFile(outputFile, 'utf8')) };
  }
  result.summary = await readFile(summaryFile, 'utf8').catch(() => '');
  for (const [name, text] of Object.entries(job.outputs ?? {}))
    result.outputs[name] = fillIn(text, { values, functions: {} });
  return result;
}

/** Without a function that looks at the state, a condition also requires success. */
function condition(text: string | undefined, context: ExpressionContext): boolean {
  const expression = (text ?? '').replace(/^\$\{\{(.*)\}\}$/s, '$1');
  const looksAtState = /\b(always|cancelled|failure|success)\(/.test(expression);
  if (!looksAtState && !isTrue(context.functions['success']?.())) return false;
  return expression === '' || isTrue(evaluate(expression, context));
}

function exists(workspace: string, path: string): boolean {
  return process.getBuiltinModule('node:fs').existsSync(join(workspace, path));
}

type StepContext = Pick<JobContext, 'options' | 'run'> & { readonly workspace: string };

async function runStep(
  { uses = '', run = '' }: Step,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  { options, run: { artifacts }, workspace }: StepContext,
): Promise<Ended> {
  const done = { code: 0, log: '' };
  if (uses === './node_modules/tenant-sync/action') return runAction(given, env, workspace, options);
  switch (uses.split('@')[0]) {
    case '':
      if (run === 'npm ci --ignore-scripts') {
        await mkdir(join(workspace, 'node_modules/.bin'), { recursive: true });
        await symlink(root, join(workspace, 'node_modules/tenant-sync'));
        const bin = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli/main.cjs')}" "$@"\n`;
        await writeFile(join(workspace, 'node_modules/.bin/tenant-sync'), bin, { mode: 0o755 });
        return done;
      }
      return execute('bash', ['-e', '-c', run], workspace, env);
    case 'actions/checkout': {
      const clone = await execute('git', ['clone', '--quiet', options.origin, workspace], workspace, env);
      if (clone.code !== 0) return clone;
      // Without a commit as its input, the action sets the branch of the run to the commit of the run, however old it is.
      const branch = /^refs\/heads\/(.*)$/.exec(env['GITHUB_REF'] ?? '')?.[1];
      if (!given['ref'] && branch !== undefined)
        await execute('git', ['update-ref', `refs/remotes/origin/${branch}`, options.sha], workspace, env);
      return execute('git', ['checkout', '--quiet', '--detach', given['ref'] || options.sha], workspace, env);
    }
    case 'actions/setup-node':
      return done;
    case 'actions/upload-artifact': {
      const target = join(artifacts, given['name'] ?? '');
      const paths = (given['path'] ?? '').trim().split('\n');
      // Of several, what they have in common is left out.
      const isList = paths.length > 1;
      for (const path of paths) {
        const isFile = basename(path).includes('.');
        if (!exists('/', path)) {
          if (given['if-no-files-found'] === 'error') return { code: 1, log: `${path} does not exist` };
        } else await cp(path, isFile || isList ? join(target, basename(path)) : target, { recursive: true });
      }
      return done;
    }
    case 'actions/download-artifact': {
      const { name, pattern } = given;
      const wanted = new RegExp(
        `^${(name ?? pattern ?? '').replaceAll('*', '.*').replace(/\{(.*)\}/, (_, names) => `(${names.replaceAll(',', '|')})`)}$`,
      );
      const found = (await readdir(artifacts)).filter((artifact) => wanted.test(artifact));
      if (name !== undefined && found.length === 0) return { code: 1, log: `no artifact ${name}` };
      await mkdir(given['path'] ?? '', { recursive: true });
      // Without merging, each has a folder of its own.
      const isMerged = name !== undefined || given['merge-multiple'] === 'true';
      for (const artifact of found) {
        const target = join(given['path'] ?? '', isMerged ? '' : artifact);
        await cp(join(artifacts, artifact), target, { recursive: true });
      }
      return done;
    }
    default:
      throw new Error(`unknown action ${uses}`);
  }
}

/** Inputs with their defaults become variables, as the runner does it. */
async function runAction(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  cwd: string,
  { built = false, onProcess }: RunOptions,
) {
  const file = join(cwd, 'node_modules/tenant-sync/action/action.yml');
  const { inputs, runs } = parse(await readFile(file, 'utf8'));
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`unknown inputs ${unknown.join(', ')}`);
  const variables = Object.entries<{ default?: string }>(inputs).map(([name, input]) => [
    `INPUT_${name.toUpperCase()}`,
    given[name] ?? input.default ?? '',
  ]);
  const all = { ...env, ...Object.fromEntries(variables) };
  if (!built) return stepHere([], all);
  return execute(process.execPath, [join(dirname(file), runs.main)], cwd, all, onProcess);
}

function outputsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)<<(\w+)\n([\s\S]*?)\n\2$/gm)].map(([, name = '', , value = '']) => [name, value]),
  );
}

function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  watch: RunOptions['onProcess'] = () => {},
) {
  return new Promise<Ended>((resolve) => {
    const options = { cwd, env, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, log: stdout + stderr }),
    );
    watch(child);
  });
}
