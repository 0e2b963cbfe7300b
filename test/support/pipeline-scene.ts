// A repository, a tenant and a forge on which the example workflows run.
import { onTestFinished } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { botLogin, FakeGithub, type FakePull } from './fake-github.ts';
import { livePolicy, policiesYaml } from './files-and-tenant.ts';
import {
  type Environment,
  type RunOptions,
  readWorkflow,
  runWorkflow,
  type Workflow,
  type WorkflowRun,
} from './run-workflow.ts';
import { type Files, type ScratchRepository, scratchRepository } from './scratch-repository.ts';
import { authorizedRequest, type StartedTenant, testClient } from './start-tenant.ts';
import { tenantWith } from './tenant-with.ts';

export const policies = ['default', 'client_id:a', 'client_id:b', 'client_id:c', 'client_id:d', 'client_id:e'];

export interface WorkflowScene {
  readonly forge: FakeGithub;
  readonly repository: ScratchRepository;
  /** Opens a pull request with one commit. */
  open(branch: string, files: Files): Promise<FakePull>;
  /** Adds a commit to it. */
  push(pull: FakePull, files: Files): Promise<void>;
  /** Runs the workflow of pull requests. */
  review(pull: FakePull, options?: Partial<RunOptions> & Edited): Promise<WorkflowRun>;
  /** Merges it and returns the commit of main. */
  merge(pull: FakePull): Promise<string>;
  /** Runs the workflow of merges for a commit of main. */
  apply(sha: string, options?: Partial<RunOptions> & Edited): Promise<WorkflowRun>;
  drift(options?: Partial<RunOptions> & Edited): Promise<WorkflowRun>;
  /** Comments of the pipeline on a pull request. */
  comments(pull: FakePull): readonly string[];
}

export interface PipelineScene extends WorkflowScene {
  readonly tenant: StartedTenant;
  /** What a person does on the tenant: changes the limit of a policy, or creates one. */
  setLimit(selector: string, limit: number): Promise<void>;
  create(selector: string): Promise<void>;
  /** Selectors of the live policies, sorted. */
  live(): readonly string[];
}

/** A workflow that somebody changed. */
interface Edited {
  readonly edit?: (workflow: Workflow) => Workflow;
}

/**
 * The folder `tenant` on main is equal to the tenant: six policies, and what `files` and `seed` add. `secrets` are those of
 * the environment that writes.
 */
export async function pipelineScene(
  files: Files = {},
  seed: Seed = {},
  { secrets = {}, ...options }: Parameters<typeof tenantWith>[1] & Pick<Partial<Environment>, 'secrets'> = {},
): Promise<PipelineScene> {
  const tenant = await tenantWith(
    { rate_limit_policies: policies.map((name) => livePolicy(name)), ...seed },
    { latencyMs: 20, ...options },
  );
  const repository = await scratchRepository({
    'package-lock.json': '{}\n',
    '.gitignore': 'node_modules/\n',
    'docs/page.md': 'A page.\n',
    'tenant/tenant.yaml': `tenant: { name: acme, base_url: "${tenant.baseUrl}", api: ${options.api ?? 'full'} }\n`,
    'tenant/policies.yaml': policiesYaml(...policies),
    ...files,
  });
  const { TENANT_SYNC_BASE_URL = '', TENANT_SYNC_CLIENT_ID = '' } = tenant.env;
  const environment: Environment = {
    vars: { TENANT_SYNC_BASE_URL, TENANT_SYNC_CLIENT_ID },
    secrets: { TENANT_SYNC_CLIENT_SECRET: testClient.client_secret },
  };
  const environments = {
    'tenant-read': environment,
    'tenant-write': { ...environment, secrets: { ...environment.secrets, ...secrets }, branches: ['main'] },
  };
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(await authorizedRequest(tenant, method, path, body));
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
  return {
    ...(await workflowScene(repository, environments, readWorkflow)),
    tenant,
    setLimit: (selector, limit) => {
      const { id, configuration } = livePolicy(selector, limit);
      return send('PATCH', `/rate-limit-policies/${id}`, { configuration });
    },
    create: (selector) => {
      const { id: _, ...policy } = livePolicy(selector);
      return send('POST', '/rate-limit-policies', policy);
    },
    live: () => (tenant.tenant.snapshot().rate_limit_policies ?? []).map((policy) => policy.consumer_selector).sort(),
  };
}

/** A forge on which the workflows of a repository run: `plan.yml`, `apply.yml` and `drift.yml`. */
export async function workflowScene(
  repository: ScratchRepository,
  environments: Readonly<Record<string, Environment>>,
  read: (name: string) => Promise<Workflow>,
): Promise<WorkflowScene> {
  const forge = await new FakeGithub().start();
  onTestFinished(() => forge.close());
  const { git } = repository;
  const event = { repository: { default_branch: 'main' } };
  const run = async (name: string, options: Omit<RunOptions, 'forge' | 'origin' | 'environments'>) => {
    const { edit = (workflow: Workflow) => workflow, ...more } = options as typeof options & Edited;
    const workflow = edit(await read(name));
    const result = await runWorkflow(workflow, { forge, origin: repository.path, environments, event, ...more });
    onTestFinished(() => result.remove());
    return result;
  };
  return {
    forge,
    repository,
    async open(branch, changed) {
      git('checkout', '--quiet', '-b', branch, 'main');
      await repository.commit(changed);
      git('checkout', '--quiet', 'main');
      return forge.addPull(branch);
    },
    async push({ head }, changed) {
      git('checkout', '--quiet', head);
      await repository.commit(changed);
      git('checkout', '--quiet', 'main');
    },
    async review({ head, number }, options = {}) {
      const base = git('rev-parse', 'main');
      git('checkout', '--quiet', '-B', `merge-of-${head}`, 'main');
      git('merge', '--quiet', '--no-ff', '--no-edit', head);
      const sha = git('rev-parse', 'HEAD');
      git('checkout', '--quiet', 'main');
      const reviewed = {
        ...event,
        pull_request: {
          number,
          head: { sha: git('rev-parse', head), repo: { full_name: forge.repository } },
          base: { sha: base },
        },
      };
      const ref = `refs/pull/${number}/merge`;
      return run('plan.yml', { sha, eventName: 'pull_request', event: reviewed, ref, baseRef: 'main', ...options });
    },
    async merge(pull) {
      git('merge', '--quiet', '--no-ff', '--no-edit', pull.head);
      const sha = git('rev-parse', 'HEAD');
      Object.assign(pull, { merged_at: '2026-11-20T10:00:00Z' }).commits.push(sha);
      return sha;
    },
    apply: (sha, options = {}) => run('apply.yml', { sha, eventName: 'push', ...options }),
    drift: (options = {}) => run('drift.yml', { sha: git('rev-parse', 'main'), eventName: 'schedule', ...options }),
    comments: ({ number }) =>
      forge.comments.filter(({ change, user }) => change === number && user.login === botLogin).map(({ body }) => body),
  };
}

/** The result of every job. */
export function resultsOf({ jobs }: WorkflowRun): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
}

/** What failed jobs printed, for the message of an assertion. */
export function logsOf({ jobs }: WorkflowRun): string {
  const failed = Object.entries(jobs).filter(([, { result }]) => result === 'failure');
  return failed.map(([name, { log }]) => `${name}:\n${log}`).join('\n');
}

/** The workflow with jobs that run whatever happened before. */
export function withoutConditions(...names: readonly string[]) {
  return (workflow: Workflow): Workflow =>
    names.reduce((edited, name) => withCondition(name, 'always()')(edited), workflow);
}

/** The workflow with another condition of a job: one that never applies is a job that was rejected or canceled. */
export function withCondition(name: string, condition: string) {
  return (workflow: Workflow): Workflow =>
    ({ ...workflow, jobs: { ...workflow.jobs, [name]: { ...workflow.jobs[name], if: condition } } }) as Workflow;
}
