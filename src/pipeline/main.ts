// A step of a pipeline, as the action of GitHub or as a command of a GitLab job.
import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { commandMessage, commandProperty, terminalText } from '../report/escape.ts';
import { openCheckout } from './checkout.ts';
import type { Forge } from './forge.ts';
import { openGithub } from './forges/github.ts';
import { openGitlab } from './forges/gitlab.ts';
import { githubRun, gitlabRun, type Job } from './job.ts';
import { prepareResults } from './results.ts';
import { SettingError, type Settings, type StepName, settingsFrom } from './settings.ts';
import { applyStep, backupStep } from './steps/apply.ts';
import { driftStep } from './steps/drift.ts';
import { planStep, validateStep } from './steps/plan.ts';
import { publishStep } from './steps/publish.ts';
import { runTool } from './tool.ts';

const steps: Readonly<Record<StepName, (job: Job) => Promise<number>>> = {
  validate: validateStep,
  plan: planStep,
  backup: backupStep,
  apply: applyStep,
  drift: driftStep,
  publish: publishStep,
};

/** The same exit codes as the tool. */
const failed = 1;
const invalid = 3;

const { env } = process;
const isGitlab = env['GITLAB_CI'] === 'true';
const wait = async (ms: number) => {
  await sleep(ms);
};

try {
  const settings = settingsFrom(process.argv.slice(2), env);
  process.exitCode = await steps[settings.step](await openJob(settings));
} catch (error) {
  annotate('error', error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof SettingError ? invalid : failed;
}

async function openJob(settings: Settings): Promise<Job> {
  const workspace = resolve((isGitlab ? env['CI_PROJECT_DIR'] : env['GITHUB_WORKSPACE']) || '.');
  const checkout = openCheckout(workspace);
  const results = resolve(workspace, settings.results);
  if (await checkout.isBehindLink(settings.folder))
    throw new SettingError(
      `The folder "${settings.folder}" is a link, or behind one. Set the folder that it leads to: reviews, code owners and triggers are about real paths.`,
    );
  const run = isGitlab ? gitlabRun(env) : await githubRun(env);
  if (run.isElsewhere && settings.step !== 'validate')
    throw new SettingError(
      `This run was started by hand on ${run.branch}, and not on the default branch: it plans, applies and reports nothing.`,
    );
  await prepareResults({ checkout, workspace, results, step: settings.step });
  let forge: Forge | undefined;
  return {
    forgeName: isGitlab ? 'gitlab' : 'github',
    settings,
    run,
    checkout,
    workspace,
    results,
    baseUrl: baseUrlOf(env['TENANT_SYNC_BASE_URL'] ?? ''),
    forge: () => {
      forge ??= openForge(settings);
      return forge;
    },
    tool: (argv, cwd = workspace) => runTool(argv, cwd),
    notice: (message) => annotate('notice', message),
    warn: (message) => annotate('warning', message),
    fail: (message) => annotate('error', message),
    output: async (name, value) => {
      // A report of variables, which GitLab passes to later jobs.
      if (isGitlab && value !== '')
        await appendFile(
          join(results, `${settings.step}.env`),
          `${`tenant_${settings.step}_${name}`.toUpperCase()}=${value}\n`,
        );
      if (isGitlab || !env['GITHUB_OUTPUT']) return;
      const end = randomBytes(16).toString('hex');
      await appendFile(env['GITHUB_OUTPUT'], `${name}<<${end}\n${value}\n${end}\n`);
    },
    summary: async (markdown) => {
      if (!isGitlab && env['GITHUB_STEP_SUMMARY']) await appendFile(env['GITHUB_STEP_SUMMARY'], `${markdown}\n`);
    },
    sleep: wait,
  };
}

/** The tool reports a text that is no URL. */
function baseUrlOf(text: string): string {
  return URL.canParse(text) ? canonicalBaseUrl(text) : '';
}

function openForge({ token, author }: Settings): Forge {
  if (token === '') throw new SettingError('There is no token for the forge. Set the input "token".');
  const common = { token, sleep: wait, now: Date.now };
  if (isGitlab)
    return openGitlab({ ...common, apiUrl: env['CI_API_V4_URL'] ?? '', project: env['CI_PROJECT_ID'] ?? '' });
  const { GITHUB_API_URL: apiUrl = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = env;
  return openGithub({ ...common, apiUrl, repository, author });
}

/** A line that the runner of GitHub shows beside the run; elsewhere a line of the log. */
function annotate(level: 'error' | 'warning' | 'notice', message: string): void {
  const line = isGitlab
    ? `${level}: ${terminalText(message)}`
    : `::${level} title=${commandProperty('tenant-sync')}::${commandMessage([message])}`;
  process.stdout.write(`${line}\n`);
}
