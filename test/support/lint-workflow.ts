// Rules that the workflows of this project keep, as violations with their places.
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string | { readonly name: string; readonly deployment: boolean };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

const action = './node_modules/tenant-sync/action';
const isFromFork = 'github.event.pull_request.head.repo.full_name == github.repository';

/** `inputs` are those of the action of this package. */
export function lintWorkflow(text: string, inputs: readonly string[]): readonly string[] {
  const workflow = parse(text);
  const jobs = Object.entries<Job>(workflow.jobs);
  const events = Object.keys(workflow.on);
  return [
    ...(events.includes('pull_request_target') ? ['pull_request_target'] : []),
    ...(JSON.stringify(workflow.permissions) === '{"contents":"read"}'
      ? []
      : ['permissions: contents: read is missing']),
    ...(workflow.concurrency === undefined ? ['concurrency is missing'] : []),
    ...(events.includes('pull_request') && hasPaths(workflow.on.pull_request) ? ['a required check with paths'] : []),
    ...(events.includes('pull_request') && !workflow.on.pull_request?.types?.includes('edited')
      ? ['a required check that is kept for another base']
      : []),
    ...(!events.includes('pull_request') && workflow.concurrency?.['cancel-in-progress'] !== false
      ? ['a run in progress may be canceled']
      : []),
    ...unpinned(text),
    ...jobs.flatMap(([name, job]) =>
      jobProblems(job, { events, inputs, jobs: jobs.map(([other]) => other) }).map((problem) => `${name}: ${problem}`),
    ),
  ];
}

function hasPaths(event: unknown): boolean {
  return typeof event === 'object' && event !== null && ('paths' in event || 'paths-ignore' in event);
}

/** Every action of others is pinned to a commit, and names its version. */
function unpinned(text: string): string[] {
  return [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)]
    .map(([, uses = '']) => uses)
    .filter((uses) => uses !== action && !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses))
    .map((uses) => `not pinned: ${uses}`);
}

/** True if a run that is started manually is one of the default branch; a job that always runs looks at the one before. */
function isLimited(needs: string | readonly string[], condition: string): boolean {
  if (needs.length > 0) return !condition.includes('always()') || condition.includes(".result != 'skipped'");
  return condition.includes("github.ref == format('refs/heads/{0}', github.event.repository.default_branch)");
}

interface Surroundings {
  readonly events: readonly string[];
  readonly inputs: readonly string[];
  readonly jobs: readonly string[];
}

function jobProblems(job: Job, { events, inputs, jobs }: Surroundings): string[] {
  const { steps, permissions = {}, environment, needs = [], if: condition = '' } = job;
  const text = JSON.stringify(steps);
  const writes = Object.entries(permissions).filter(([, level]) => level !== 'read');
  const usesSecrets = /secrets\./.test(text);
  const installs = steps.findIndex(({ run }) => run === 'npm ci --ignore-scripts');
  const node = steps.findIndex(({ uses = '' }) => uses.startsWith('actions/setup-node@'));
  const runs = steps.findIndex(({ uses }) => uses === action);
  const isReviewed = events.includes('pull_request');
  const isProtected = typeof environment === 'string' && environment.startsWith('tenant-write');
  // Shards have no record.
  const isRecorded = text.includes('--shard=') || (permissions['deployments'] === 'write' && /"token"/.test(text));
  return [
    ...(job['timeout-minutes'] === undefined ? ['no timeout'] : []),
    ...[needs].flat().flatMap((name) => (jobs.includes(name) ? [] : [`needs ${name}, which is no job`])),
    ...(usesSecrets && environment === undefined ? ['secrets without an environment'] : []),
    ...(usesSecrets && writes.some(([name]) => name !== 'deployments' || !isProtected)
      ? ['credentials of the tenant and a token that writes']
      : []),
    ...(isProtected && /"step":"apply"/.test(text) && !isRecorded ? ['an apply that is not recorded'] : []),
    ...(isReviewed && environment !== undefined && !condition.includes(isFromFork) ? ['an environment for forks'] : []),
    ...(isReviewed && writes.length > 0 && !/base\.sha/.test(text)
      ? ['a token that writes for code under review']
      : []),
    ...(environment === 'tenant-read' ? ['a deployment where nothing is deployed'] : []),
    ...(isProtected && events.some((event) => /pull|merge_group|schedule/.test(event))
      ? ['the protected environment in another event than a merge']
      : []),
    ...(events.includes('workflow_dispatch') && !isLimited(needs, condition)
      ? ['a run that is started manually on any branch']
      : []),
    ...(installs >= 0 && node < 0 ? ['the version of Node is not set'] : []),
    ...(isReviewed && writes.length > 0 && node >= 0 && steps[node]?.with?.['package-manager-cache'] !== false
      ? ['a cache that code under review writes']
      : []),
    ...(runs >= 0 && (installs < 0 || installs > runs) ? ['the tool is not installed from the lockfile'] : []),
    ...steps.flatMap(({ run = '', uses = '', with: given = {} }) => [
      ...(run.includes('${{') ? ['an expression in a command'] : []),
      ...(/\bnpx\b|npm (exec|x|install|i)\b/.test(run) ? ['a command that may install'] : []),
      ...(uses.startsWith('actions/checkout@') && given['persist-credentials'] !== false
        ? ['a checkout that keeps its token']
        : []),
      ...(uses === action ? Object.keys(given).filter((name) => !inputs.includes(name)) : []).map(
        (name) => `unknown input ${name}`,
      ),
    ]),
  ];
}
