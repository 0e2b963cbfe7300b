// The workflows that init writes for a project: one comment and one check for all tenants, and an apply in waves.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policiesYaml } from '../support/files-and-tenant.ts';
import { logsOf, policies, resultsOf, withCondition } from '../support/pipeline-scene.ts';
import { names, projectScene } from '../support/project-scene.ts';
import type { Environment } from '../support/run-workflow.ts';
import { testClient } from '../support/start-tenant.ts';

const absent = (...deleted: readonly string[]) =>
  `rate_limit_policies:\n${deleted.map((selector) => `  - { consumer_selector: "${selector}", absent: true }\n`).join('')}`;
const reviewed = { validate: 'success', plan: 'success', comment: 'success', tenant: 'success' };
const applied = { plan: 'success', 'apply-1': 'success', 'apply-2': 'success', publish: 'success' };

describe('a pull request and its merge', () => {
  test('a refused deletion is approved in the same pull request, and applied by waves', async () => {
    const scene = await projectScene();
    const deletion = absent('client_id:a', 'client_id:b', 'client_id:c', 'client_id:d');
    const pull = await scene.open('cleanup', {
      'tenants/b/policies.yaml': deletion,
      'tenants/c/policies.yaml': deletion,
    });
    const refused = await scene.review(pull, { built: true });
    expect(resultsOf(refused), logsOf(refused)).toEqual({ ...reviewed, plan: 'failure', tenant: 'failure' });
    // a is not touched, and gets no request.
    expect(scene.contacted()).toEqual(['b', 'c']);
    const [comment = '', ...more] = scene.comments(pull);
    expect(more).toEqual([]);
    expect(comment.startsWith('<!-- tenant-sync pipeline plan tenants -->\n')).toBe(true);
    expect(comment).toContain('The merge plans everything: no apply of these files to this tenant is recorded.');
    const [line = ''] = /- \{ code: [^}]*tenants: \[b, c\] \}/.exec(comment) ?? [];
    expect(line, comment).not.toBe('');

    await scene.push(pull, await scene.project(`approvals:\n  ${line}\n`));
    const approved = await scene.review(pull, { built: true });
    expect(resultsOf(approved), logsOf(approved)).toEqual(reviewed);
    expect(scene.contacted()).toEqual(['b', 'c']);
    expect(scene.comments(pull)).toHaveLength(1);
    expect(scene.having('client_id:a')).toEqual(names);

    const seen: (readonly [string, readonly string[]])[] = [];
    const sha = await scene.merge(pull);
    const run = await scene.apply(sha, {
      built: true,
      onEnvironment: (name) => void seen.push([name, scene.having('client_id:a')]),
    });
    expect(resultsOf(run), logsOf(run)).toEqual(applied);
    // What the reviewers of each environment have before their decision.
    expect(seen).toEqual([
      ['tenant-read', names],
      ['tenant-write-1', names],
      ['tenant-write-2', ['a', 'c']],
    ]);
    expect(scene.having('client_id:a')).toEqual(['a']);
    const outcomes = scene.comments(pull).filter((body) => body.includes('pipeline apply'));
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).not.toContain('GUARD_REFUSED');
    for (const file of ['b', 'c']) expect(outcomes[0]).toContain(`tenants/${file}/policies.yaml:2`);
    expect(outcomes[0]?.match(/4 changes done/g)).toHaveLength(2);
    expect(scene.forge.deployments).toMatchObject([
      { sha, environment: 'tenant-write', payload: { folder: 'tenants', base_url: '' } },
    ]);
    const secrets = Object.values(run.jobs).flatMap(({ log }) => log.split('\n'));
    expect(secrets).toContain(`::add-mask::${testClient.client_secret}`);
    expect(
      secrets.filter((text) => text.includes(testClient.client_secret) && !text.startsWith('::add-mask::')),
    ).toEqual([]);
    expect((await readdir(join(run.artifacts, 'tenant-plan/plans'))).sort()).toEqual([
      '_index.json',
      'a.json',
      'b.json',
      'c.json',
    ]);
  });

  test('after a merge that was recorded, the next one contacts what changed since', async () => {
    const scene = await projectScene();
    const first = await scene.open('first', { 'tenants/c/policies.yaml': absent('client_id:a') });
    expect(resultsOf(await scene.apply(await scene.merge(first)))).toEqual({ ...applied, 'apply-1': 'skipped' });
    scene.contacted();
    await scene.setLimit('c', 'client_id:b', 7);
    scene.contacted();
    const second = await scene.open('second', { 'tenants/a/policies.yaml': absent('client_id:a') });
    const sha = await scene.merge(second);
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...applied, 'apply-2': 'skipped' });
    expect(scene.contacted()).toEqual(['a']);
    expect(scene.having('client_id:a')).toEqual(['b']);
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha });
    // A person who starts the workflow asks for everything, the change by hand included.
    const manual = await scene.apply(sha, { eventName: 'workflow_dispatch' });
    expect(resultsOf(manual), logsOf(manual)).toEqual({ ...applied, 'apply-1': 'skipped' });
    expect(scene.contacted()).toEqual(names);
    const some = await scene.apply(sha, { eventName: 'workflow_dispatch', inputs: { tenant: 'b' } });
    expect(resultsOf(some), logsOf(some)).toEqual({ ...applied, 'apply-1': 'skipped', 'apply-2': 'skipped' });
    expect(scene.contacted()).toEqual(['b']);
  });

  test('a change of which the last wave was rejected is reverted in the waves that have it', async () => {
    const scene = await projectScene();
    const first = await scene.open('first', { 'tenants/c/policies.yaml': absent('client_id:a') });
    expect(resultsOf(await scene.apply(await scene.merge(first)))).toEqual({ ...applied, 'apply-1': 'skipped' });
    const policiesOf = (...selectors: readonly string[]) => ({
      'tenants/base/policies.yaml': policiesYaml(...selectors),
    });
    const change = await scene.merge(await scene.open('change', policiesOf(...policies, 'client_id:f')));
    const rejected = await scene.apply(change, { edit: withCondition('apply-2', 'false') });
    expect(resultsOf(rejected), logsOf(rejected)).toEqual({ ...applied, 'apply-2': 'skipped', publish: 'failure' });
    expect(scene.having('client_id:f')).toEqual(['a', 'b']);

    const revert = await scene.open('revert', policiesOf(...policies));
    scene.contacted();
    const review = await scene.review(revert);
    expect(resultsOf(review), logsOf(review)).toEqual(reviewed);
    expect(scene.contacted()).toEqual(names);
    const [comment] = scene.comments(revert);
    expect(comment).toContain('client_id:f');
    expect(comment).toContain(`the newest apply, of ${change.slice(0, 12)}, is not recorded as one of all files`);
    const sha = await scene.merge(revert);
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...applied, 'apply-2': 'skipped' });
    expect(scene.having('client_id:f')).toEqual([]);
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha, statuses: ['in_progress', 'inactive', 'success'] });

    // Complete again: the next merge contacts what changed.
    scene.contacted();
    const last = await scene.open('last', { 'tenants/a/policies.yaml': absent('client_id:b') });
    expect(resultsOf(await scene.apply(await scene.merge(last)))).toEqual({ ...applied, 'apply-2': 'skipped' });
    expect(scene.contacted()).toEqual(['a']);
  });

  test('the next wave is not applied after an apply of another commit, although that is an ancestor', async () => {
    const scene = await projectScene();
    const older = scene.repository.git('rev-parse', 'main');
    const pull = await scene.open('change', { 'tenants/base/policies.yaml': policiesYaml(...policies.slice(0, 5)) });
    const sha = await scene.merge(pull);
    const run = await scene.apply(sha, {
      onEnvironment: (name) => {
        if (name !== 'tenant-write-2') return;
        const payload = { folder: 'tenants', base_url: '', digest: 'sha256:x' };
        scene.forge.addDeployment({ sha: older, task: 'tenant-sync', environment: 'tenant-write', payload });
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...applied, 'apply-2': 'failure', publish: 'failure' });
    expect(scene.having('client_id:e')).toEqual(['c']);
    const again = await scene.apply(sha);
    expect(resultsOf(again), logsOf(again)).toEqual({ ...applied, 'apply-1': 'skipped' });
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha, statuses: ['in_progress', 'inactive', 'success'] });
  });

  test('a wave that failed stops the next one, and the commit does not count as applied', async () => {
    const wrong = (all: Environment) => ({
      ...all,
      secrets: {
        TENANT_CREDENTIALS: (all.secrets['TENANT_CREDENTIALS'] ?? '').replace(testClient.client_secret, 'wrong'),
      },
    });
    const scene = await projectScene(wrong);
    const pull = await scene.open('change', { 'tenants/base/policies.yaml': policiesYaml(...policies.slice(0, 5)) });
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run), logsOf(run)).toEqual({ ...applied, 'apply-1': 'failure', 'apply-2': 'skipped' });
    expect(scene.having('client_id:e')).toEqual(['a', 'c']);
    expect(scene.forge.deployments).toMatchObject([{ statuses: ['in_progress', 'failure'] }]);
    expect(scene.comments(pull)[0]).toContain('Nothing was sent to the tenants of wave 2');
  });

  test('a wave without a job in the workflow is red, and not recorded', async () => {
    const scene = await projectScene();
    const project = await scene.project('');
    const third = String(project['tenants/tenant-sync.yaml']).replace('wave: 2', 'wave: 3');
    const pull = await scene.open('change', {
      'tenants/tenant-sync.yaml': third,
      'tenants/c/policies.yaml': absent('client_id:a'),
    });
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run)).toEqual({ ...applied, 'apply-1': 'skipped', 'apply-2': 'skipped', publish: 'failure' });
    expect(run.jobs['publish']?.log).toContain('Nothing was sent to the tenants of wave 3');
    expect(scene.forge.deployments).toEqual([]);
  });

  test('that removes an item from the files is applied in all waves', async () => {
    const scene = await projectScene();
    expect(resultsOf(await scene.apply(scene.repository.git('rev-parse', 'main')))).toMatchObject({
      publish: 'success',
    });
    const pull = await scene.open('change', { 'tenants/base/policies.yaml': policiesYaml(...policies.slice(0, 5)) });
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run), logsOf(run)).toEqual(applied);
    expect(scene.having('client_id:e')).toEqual([]);
  });

  test('that corrects errors of the branch is planned completely', async () => {
    const scene = await projectScene();
    await scene.repository.commit({ 'tenants/c/more.yaml': 'rolse: []\n' });
    const pull = await scene.open('correction', {
      'tenants/c/more.yaml': null,
      'tenants/a/policies.yaml': absent('client_id:a'),
    });
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual(reviewed);
    expect(run.jobs['plan']?.log).toContain('BASE_INVALID');
    expect(scene.contacted()).toEqual(names);
    expect(scene.comments(pull)[0]).toContain('client_id:a');
  });

  test('that changes nothing of the tenants is green without a request', async () => {
    const scene = await projectScene();
    const run = await scene.review(
      await scene.open('comment', { 'tenants/base/policies.yaml': `# More to come.\n${policiesYaml(...policies)}` }),
    );
    expect(resultsOf(run), logsOf(run)).toEqual(reviewed);
    expect(scene.contacted()).toEqual([]);
  });
});

test('drift: one issue for all tenants, closed when all are in sync', async () => {
  const scene = await projectScene();
  const done = { drift: 'success', issue: 'success' };
  expect(resultsOf(await scene.drift({ built: true }))).toEqual(done);
  expect(scene.forge.issues).toEqual([]);
  await scene.setLimit('b', 'client_id:a', 7);
  const run = await scene.drift({ built: true });
  expect(resultsOf(run), logsOf(run)).toEqual(done);
  expect(scene.forge.issues).toMatchObject([{ state: 'open', title: 'Tenant drift: tenants' }]);
  expect(scene.forge.issues[0]?.body).toContain('client_id:a');
  await scene.setLimit('b', 'client_id:a', 100);
  await scene.drift({ built: true });
  expect(scene.forge.issues).toMatchObject([{ state: 'closed' }]);
});
