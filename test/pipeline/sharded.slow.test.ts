// The workflows for projects with many tenants: a matrix of shards, one check, and an apply of exactly what was planned.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { logsOf, policies, resultsOf } from '../support/pipeline-scene.ts';
import { names, projectScene } from '../support/project-scene.ts';
import type { Workflow } from '../support/run-workflow.ts';
import { testClient } from '../support/start-tenant.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): Workflow =>
  parse(readFileSync(join(root, 'examples/github-actions/sharded', name), 'utf8'));
/** With so many shards that one has no tenant. */
const inShards = (name: string) => ({
  edit: (): Workflow => ({ ...read(name), env: { ...read(name).env, TENANTS_PER_SHARD: '1' } }),
});
/** The workflow of merges, of which one job runs for some shards alone. */
function withShards(name: string, ...shards: readonly number[]): Workflow {
  const workflow = inShards('apply.yml').edit();
  const job = workflow.jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  return {
    ...workflow,
    jobs: {
      ...workflow.jobs,
      [name]: { ...job, strategy: { matrix: { shard: `fromJSON('${JSON.stringify(shards)}')` } } },
    },
  };
}
const absent = (...deleted: readonly string[]) =>
  `rate_limit_policies:\n${deleted.map((selector) => `  - { consumer_selector: "${selector}", absent: true }\n`).join('')}`;
const stopped = {
  shards: 'success',
  review: 'failure',
  'apply-1': 'skipped',
  'outcomes-1': 'skipped',
  'apply-2': 'skipped',
  outcomes: 'skipped',
};
const planned = { shards: 'success', plan: 'success', tenant: 'success' };

test('a change is planned in shards, checked as one, and applied wave by wave', async () => {
  const scene = await projectScene();
  const pull = await scene.open('change', {
    'tenants/b/policies.yaml': absent('client_id:a'),
    'tenants/c/policies.yaml': absent('client_id:a'),
  });
  const review = await scene.review(pull, inShards('plan.yml'));
  expect(resultsOf(review), logsOf(review)).toEqual(planned);
  expect(review.jobs['shards']?.outputs).toEqual({ list: '[1,2,3]', count: '3' });
  expect(review.jobs['tenant']?.summary).toContain('The same change on 2 tenants');
  expect(scene.contacted()).toEqual(['b', 'c']);

  const seen: (readonly [string, readonly string[]])[] = [];
  const run = await scene.apply(await scene.merge(pull), {
    ...inShards('apply.yml'),
    onEnvironment: (name) => void seen.push([name, scene.having('client_id:a')]),
  });
  expect(resultsOf(run), logsOf(run)).toEqual({
    shards: 'success',
    plan: 'success',
    review: 'success',
    'apply-1': 'success',
    'outcomes-1': 'success',
    'apply-2': 'success',
    outcomes: 'success',
  });
  // No tenant of the second wave gets anything before all shards of the first are done.
  expect(seen.filter(([name]) => name === 'tenant-write-1')[0]?.[1]).toEqual(names);
  for (const [, left] of seen.filter(([name]) => name === 'tenant-write-2').slice(0, 1))
    expect(left).toEqual(['a', 'c']);
  expect(scene.having('client_id:a')).toEqual(['a']);
  expect(run.jobs['outcomes']?.summary).toContain('The same change on 2 tenants');
  const logs = Object.values(run.jobs).flatMap(({ log }) => log.split('\n'));
  expect(logs.filter((text) => text.includes(testClient.client_secret) && !text.startsWith('::add-mask::'))).toEqual(
    [],
  );
});

test('what a guard refuses in one shard fails the check, with the line that approves it', async () => {
  const scene = await projectScene();
  const pull = await scene.open('cleanup', { 'tenants/c/policies.yaml': absent(...policies.slice(1, 5)) });
  const refused = await scene.review(pull, inShards('plan.yml'));
  expect(resultsOf(refused)).toEqual({ ...planned, plan: 'failure', tenant: 'failure' });
  const [line = ''] = /- \{ code: [^}]*tenants: \[c\] \}/.exec(refused.jobs['tenant']?.summary ?? '') ?? [];
  expect(line, refused.jobs['tenant']?.summary).not.toBe('');
  await scene.push(pull, await scene.project(`approvals:\n  ${line}\n`));
  const approved = await scene.review(pull, inShards('plan.yml'));
  expect(resultsOf(approved), logsOf(approved)).toEqual(planned);
});

test('a wave that failed in one shard stops the next one', async () => {
  const wrong = projectScene((all) => ({
    ...all,
    secrets: {
      TENANT_CREDENTIALS: (all.secrets['TENANT_CREDENTIALS'] ?? '').replace(testClient.client_secret, 'wrong'),
    },
  }));
  const scene = await wrong;
  const pull = await scene.open('change', {
    'tenants/a/policies.yaml': absent('client_id:a'),
    'tenants/b/policies.yaml': absent('client_id:a'),
    'tenants/c/policies.yaml': absent('client_id:a'),
  });
  const run = await scene.apply(await scene.merge(pull), inShards('apply.yml'));
  expect(resultsOf(run)).toMatchObject({
    review: 'success',
    'apply-1': 'failure',
    'outcomes-1': 'failure',
    'apply-2': 'skipped',
    outcomes: 'failure',
  });
  expect(scene.having('client_id:a')).toEqual(['a', 'c']);
});

test('a wave of which a tenant has no result stops the next one', async () => {
  const scene = await projectScene();
  const pull = await scene.open('change', {
    'tenants/b/policies.yaml': absent('client_id:a'),
    'tenants/c/policies.yaml': absent('client_id:a'),
  });
  // As if the other jobs ran out of time: that is no failure for the jobs after it.
  const run = await scene.apply(await scene.merge(pull), { edit: () => withShards('apply-1', 1) });
  expect(resultsOf(run)).toMatchObject({ 'apply-1': 'success', 'outcomes-1': 'failure', 'apply-2': 'skipped' });
  expect(run.jobs['outcomes-1']?.summary).toContain('RESULT_MISSING');
  expect(scene.having('client_id:a')).toContain('c');
});

test('what is refused after a merge is on the page of the run, with its plans, and nothing is applied', async () => {
  const scene = await projectScene();
  const pull = await scene.open('cleanup', {
    'tenants/b/policies.yaml': absent('client_id:a'),
    'tenants/c/policies.yaml': absent(...policies.slice(1, 5)),
  });
  const run = await scene.apply(await scene.merge(pull), inShards('apply.yml'));
  expect(resultsOf(run)).toEqual({ ...stopped, plan: 'failure' });
  expect(run.jobs['review']?.summary).toContain('REFUSED');
  expect(run.jobs['review']?.summary).toMatch(/- \{ code: [^}]*tenants: \[c\] \}/);
  const plans = ['_index.json', ...names.map((name) => `${name}.json`)];
  expect(readdirSync(join(run.artifacts, 'tenant-plan', 'plans')).sort()).toEqual(plans);
  expect(scene.having('client_id:a')).toEqual(names);
});

test('a shard without a result is on the page of the run, and its incomplete plans are no artifact', async () => {
  const scene = await projectScene();
  const pull = await scene.open('change', { 'tenants/b/policies.yaml': absent('client_id:a') });
  const run = await scene.apply(await scene.merge(pull), { edit: () => withShards('plan', 1, 2) });
  expect(resultsOf(run)).toEqual({ ...stopped, plan: 'success' });
  expect(run.jobs['review']?.summary).toContain('RESULT_MISSING');
  expect(readdirSync(join(run.artifacts, 'tenant-plan')).sort()).toEqual(['plan.html', 'plan.result.json']);
});

test('a pull request of a fork fails the check, and the reason is how to get a plan', async () => {
  const scene = await projectScene();
  const pull = await scene.open('change', { 'tenants/b/policies.yaml': absent('client_id:a') });
  const head = { sha: scene.repository.git('rev-parse', pull.head), repo: { full_name: 'stranger/fork' } };
  const event = { repository: { default_branch: 'main' }, pull_request: { number: pull.number, head } };
  const run = await scene.review(pull, { ...inShards('plan.yml'), event });
  expect(resultsOf(run)).toEqual({ shards: 'success', plan: 'skipped', tenant: 'failure' });
  expect(run.jobs['tenant']?.log).toBe(
    '::error::No plan: a pull request from a fork gets no credentials. Push its branch to the repository.\n',
  );
  expect(scene.contacted()).toEqual([]);
});
