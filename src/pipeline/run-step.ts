import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { proxiesIn, proxySecrets } from '../contract/proxies.ts';
import { projectFile } from '../model/file-source.ts';
import { commandMessage, commandProperty, terminalText } from '../report/escape.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import { openCheckout } from './checkout.ts';
import type { Forge } from './forge.ts';
import { openGithub } from './forges/github.ts';
import { openGitlab } from './forges/gitlab.ts';
import { githubRun, gitlabRun, type Job, type MessageLevel } from './job.ts';
import { prepareResults } from './results.ts';
import { type Env, SettingError, type Settings, type StepName, secretValues, settingsFrom } from './settings.ts';
import { applyStep, backupStep } from './steps/apply.ts';
import { driftStep, planStep, validateStep } from './steps/plan.ts';
import { publishStep } from './steps/publish.ts';

const steps: Readonly<Record<StepName, (job: Job) => Promise<number>>> = {
  validate: validateStep,
  plan: planStep,
  backup: backupStep,
  apply: applyStep,
  drift: driftStep,
  publish: publishStep,
};

/** What a step needs of its process. */
export interface StepProcess {
  readonly argv: readonly string[];
  readonly env: Env;
  /** Prints on stdout. */
  write(text: string): void;
  /** Runs the tool in a folder with an environment, and returns its exit code. */
  tool(argv: readonly string[], cwd: string, env: Env): Promise<number>;
  sleep(ms: number): Promise<void>;
}

/** The same exit codes as the tool. */
const failed = 1;
const invalid = 3;

/** Runs the step that the inputs or the arguments name, and returns its exit code. */
export async function runStep(process: StepProcess): Promise<number> {
  const { argv, env } = process;
  const annotate = annotator(process);
  try {
    const settings = settingsFrom(argv, env);
    return await steps[settings.step](await openJob(settings, process, annotate));
  } catch (error) {
    annotate('error', error instanceof Error ? error.message : String(error));
    return error instanceof SettingError ? invalid : failed;
  }
}

const isGitlab = (env: Env) => env['GITLAB_CI'] === 'true';

/** Prints a line that the runner of GitHub shows beside the run; elsewhere a line of the log. */
function annotator({ env, write }: StepProcess) {
  return (level: MessageLevel, message: string): void =>
    write(
      isGitlab(env)
        ? `${level}: ${terminalText(message)}\n`
        : `::${level} title=${commandProperty('tenant-sync')}::${commandMessage([message])}\n`,
    );
}

async function openJob(
  settings: Settings,
  { env, tool, sleep, write }: StepProcess,
  annotate: Job['say'],
): Promise<Job> {
  const onGitlab = isGitlab(env);
  const { TENANT_SYNC_BASE_URL: baseUrl = '' } = env;
  const workspace = resolve((onGitlab ? env['CI_PROJECT_DIR'] : env['GITHUB_WORKSPACE']) || '.');
  const checkout = openCheckout(workspace, env);
  const results = resolve(workspace, settings.results);
  if (await checkout.isBehindLink(settings.folder))
    throw new SettingError(
      `The folder "${settings.folder}" is a link, or behind one. Set the folder that it leads to: reviews, code owners and triggers are about real paths.`,
    );
  const run = onGitlab ? gitlabRun(env) : await githubRun(env);
  if (run.isElsewhere && settings.step !== 'validate')
    throw new SettingError(
      `This run was started manually on ${run.branch}, and not on the default branch: it plans, applies and reports nothing.`,
    );
  // Anything else would print them.
  if (env['GITHUB_ACTIONS'] === 'true')
    hideFromLog([...secretValues(settings), ...proxySecrets(proxiesIn(env))], write);
  await prepareResults({ checkout, workspace, results, settings });
  const ofProject = existsSync(join(workspace, settings.folder, projectFile));
  let forge: Forge | undefined;
  return {
    forgeName: onGitlab ? 'gitlab' : 'github',
    settings,
    run,
    checkout,
    workspace,
    results,
    isProject: ofProject,
    // The tool reports a text that is no URL.
    baseUrl: !ofProject && parsedUrl(baseUrl) !== null ? canonicalBaseUrl(baseUrl) : '',
    forge: () => {
      forge ??= openForge(settings, env, sleep);
      return forge;
    },
    tool: (argv) => tool(argv, workspace, { ...env, ...settings.secrets, ...settings.credentials }),
    say: annotate,
    output: async (name, value) => {
      // A report of variables, which GitLab passes to later jobs.
      if (onGitlab && value !== '')
        await appendFile(
          join(results, `${settings.step}.env`),
          `${`tenant_${settings.step}_${name}`.toUpperCase()}=${value}\n`,
        );
      if (onGitlab || !env['GITHUB_OUTPUT']) return;
      const end = randomBytes(16).toString('hex');
      await appendFile(env['GITHUB_OUTPUT'], `${name}<<${end}\n${value}\n${end}\n`);
    },
    summary: async (markdown) => {
      if (!onGitlab && env['GITHUB_STEP_SUMMARY']) await appendFile(env['GITHUB_STEP_SUMMARY'], `${markdown}\n`);
    },
    sleep,
  };
}

/** The forge knows the secret as a whole, and hides its values only if it is told each. */
function hideFromLog(secrets: readonly string[], write: StepProcess['write']): void {
  for (const line of secrets.flatMap((secret) => secret.split(/\r?\n/)))
    if (line !== '') write(`::add-mask::${line.replaceAll('%', '%25').replaceAll('\r', '%0D')}\n`);
}

function openForge({ token, author }: Settings, env: Env, sleep: StepProcess['sleep']): Forge {
  if (token === '') throw new SettingError('There is no token for the forge. Set the input "token".');
  const common = { token, sleep, now: Date.now, proxies: proxiesIn(env) };
  if (isGitlab(env))
    return openGitlab({ ...common, apiUrl: env['CI_API_V4_URL'] ?? '', project: env['CI_PROJECT_ID'] ?? '' });
  const { GITHUB_API_URL: apiUrl = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = env;
  return openGithub({ ...common, apiUrl, repository, author });
}
