// The workflow of drift, as it is: one issue that follows the tenant.
import { expect, test } from 'vitest';
import { policiesYaml } from '../support/files-and-tenant.ts';
import { logsOf, pipelineScene, policies, resultsOf, withoutConditions } from '../support/pipeline-scene.ts';

const allDone = { drift: 'success', issue: 'success' };

test('one issue is opened, updated, closed when in sync, and opened again', async () => {
  const scene = await pipelineScene();
  const built = { built: true };
  expect(resultsOf(await scene.drift(built))).toEqual(allDone);
  expect(scene.forge.issues).toEqual([]);

  await scene.setLimit('client_id:a', 7);
  expect(resultsOf(await scene.drift(built))).toEqual(allDone);
  expect(scene.forge.issues).toMatchObject([
    { state: 'open', title: 'Tenant drift: tenant', labels: ['tenant-drift'] },
  ]);
  const [issue] = scene.forge.issues;
  expect(issue?.body).toContain('client_id:a');

  const forged = scene.forge.addIssue('mallory', { title: 'x', body: issue?.body ?? '', labels: ['tenant-drift'] });
  await scene.setLimit('client_id:b', 8);
  await scene.drift(built);
  expect(scene.forge.issues).toHaveLength(2);
  expect(issue?.body).toContain('client_id:b');
  expect(forged.body).not.toContain('client_id:b');

  await scene.setLimit('client_id:a', 100);
  await scene.setLimit('client_id:b', 100);
  await scene.drift(built);
  expect(issue?.state).toBe('closed');
  expect(forged.state).toBe('open');

  await scene.setLimit('client_id:c', 9);
  await scene.drift(built);
  expect(issue).toMatchObject({ state: 'open', body: expect.stringContaining('client_id:c') });
  expect(scene.forge.issues).toHaveLength(2);
});

test('the issue of a newer comparison is neither closed nor opened again by an older one', async () => {
  const scene = await pipelineScene();
  await scene.setLimit('client_id:a', 7);
  await scene.drift({ runId: '10' });
  const [issue] = scene.forge.issues;
  const body = issue?.body;
  await scene.setLimit('client_id:a', 100);
  const late = await scene.drift({ runId: '9' });
  expect(resultsOf(late), logsOf(late)).toEqual(allDone);
  expect(late.jobs['issue']?.log).toContain('The issue is of a newer run, and stays as it is.');
  expect(issue).toMatchObject({ state: 'open', body });
  await scene.drift({ runId: '12' });
  expect(issue?.state).toBe('closed');
  await scene.setLimit('client_id:a', 7);
  await scene.drift({ runId: '11' });
  expect(issue?.state).toBe('closed');
});

test('a comparison that fails is red and leaves the issue open', async () => {
  const scene = await pipelineScene();
  await scene.setLimit('client_id:a', 7);
  await scene.drift();
  const [issue] = scene.forge.issues;
  await scene.tenant.close();
  const run = await scene.drift();
  expect(resultsOf(run), logsOf(run)).toEqual({ drift: 'failure', issue: 'skipped' });
  expect(issue?.state).toBe('open');
});

test('of a single item, it leaves the issue open although this item is in sync', async () => {
  const scene = await pipelineScene();
  await scene.create('client_id:by-hand');
  await scene.drift();
  const only = 'rate_limit_policies/oauth_authentication_api/client/client_id:a';
  const run = await scene.drift({ eventName: 'workflow_dispatch', inputs: { only } });
  expect(resultsOf(run), logsOf(run)).toEqual({ drift: 'success', issue: 'success' });
  expect(scene.forge.issues).toMatchObject([{ state: 'open' }]);
});

test('started manually on another branch, it leaves the issue of the default branch open', async () => {
  const scene = await pipelineScene();
  await scene.create('client_id:by-hand');
  await scene.drift();
  const { head } = await scene.open('side', { 'tenant/policies.yaml': policiesYaml(...policies, 'client_id:by-hand') });
  const sha = scene.repository.git('rev-parse', head);
  const byHand = { sha, eventName: 'workflow_dispatch', ref: 'refs/heads/side' };
  const run = await scene.drift(byHand);
  expect(resultsOf(run), logsOf(run)).toEqual({ drift: 'skipped', issue: 'skipped' });
  const edited = await scene.drift({ ...byHand, edit: withoutConditions('drift') });
  expect(resultsOf(edited)).toEqual({ drift: 'failure', issue: 'skipped' });
  expect(scene.forge.issues).toMatchObject([{ state: 'open' }]);
});
