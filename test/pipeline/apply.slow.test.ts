// The workflow of merges, as it is: plan, protected environment, apply of exactly this plan, outcomes, record, way back.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { policiesYaml, seedOf, streamsYaml } from '../support/files-and-tenant.ts';
import {
  logsOf,
  type PipelineScene,
  pipelineScene,
  policies,
  resultsOf,
  withCondition,
  withoutConditions,
} from '../support/pipeline-scene.ts';
import { runCommand } from '../support/run-command.ts';
import type { Workflow, WorkflowRun } from '../support/run-workflow.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

const allDone = { plan: 'success', apply: 'success', publish: 'success' };
const without = (...names: readonly string[]) =>
  policiesYaml(...policies.filter((policy) => !names.includes(policy.replace('client_id:', ''))));

async function planOf({ artifacts }: WorkflowRun) {
  return JSON.parse(await readFile(join(artifacts, 'tenant-plan/plan.json'), 'utf8'));
}

const writesOf = ({ tenant }: PipelineScene) =>
  tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');

describe('a merge', () => {
  test('plans first, applies exactly this plan, comments the outcomes, and keeps the way back', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a') });
    const sha = await scene.merge(pull);
    let seen = -1;
    const run = await scene.apply(sha, {
      built: true,
      onEnvironment: async (name, { artifacts, jobs }) => {
        if (name !== 'tenant-write') return;
        // What a reviewer of the environment has before the decision.
        expect(jobs['plan']?.summary).toContain('client_id:a');
        expect(jobs['plan']?.summary).toContain('while this run waits for approval, the run is obsolete');
        expect(await readdir(artifacts)).toEqual(['tenant-plan']);
        seen = writesOf(scene).length;
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(seen).toBe(0);
    expect(writesOf(scene)).toHaveLength(1);
    expect(scene.live()).not.toContain('client_id:a');
    const [comment = '', ...more] = scene.comments(pull);
    expect(more).toEqual([]);
    expect(comment).toContain('<!-- tenant-sync pipeline apply tenant -->');
    expect(comment).toContain('1 change done');
    expect(comment).toContain('`tenant-before`');
    expect(scene.forge.deployments).toMatchObject([
      { sha, environment: 'tenant-write', payload: { folder: 'tenant', base_url: scene.tenant.baseUrl } },
    ]);
    expect(JSON.stringify([run.jobs, scene.forge.comments])).not.toContain(testClient.client_secret);

    // The way back: the files from before, applied, are the tenant from before.
    const before = join(run.artifacts, 'tenant-before');
    const back = await runCommand(['apply', before, '--yes'], { env: scene.tenant.env });
    expect(back.code).toBe(0);
    expect(scene.live()).toEqual([...policies].sort());
  });

  test('compares with the commit that was applied last, and not with the one before', async () => {
    const scene = await pipelineScene();
    const first = await scene.open('first', { 'tenant/policies.yaml': without('a') });
    const applied = await scene.merge(first);
    expect((await planOf(await scene.apply(applied))).base).toBeNull();

    // A merge that is not applied, and one more. Somebody also changes the tenant.
    const second = await scene.open('second', { 'tenant/policies.yaml': without('a', 'b') });
    await scene.merge(second);
    const third = await scene.open('third', { 'tenant/policies.yaml': without('a', 'b', 'c') });
    await scene.review(third);
    expect(scene.comments(third)[0]).toContain(`The merge also plans what was merged since ${applied.slice(0, 12)}`);
    const sha = await scene.merge(third);
    await scene.create('client_id:by-hand');
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    const plan = await planOf(run);
    expect(plan.base).toMatchObject({ commit: applied });
    const origins = plan.actions.map(({ key, origin }: { key: string; origin: string }) => [
      key.split('/').at(-1),
      origin,
    ]);
    expect(origins.sort()).toEqual([
      ['client_id:b', 'change'],
      ['client_id:by-hand', 'drift'],
      ['client_id:c', 'change'],
    ]);
    for (const pull of [second, third]) expect(scene.comments(pull).at(-1)).toContain('pipeline apply');
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha });
  });

  test('leaves an item that changed after the plan, is red, and does not count as applied', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a', 'b') });
    const run = await scene.apply(await scene.merge(pull), {
      onEnvironment: async (name) => {
        if (name === 'tenant-write') await scene.setLimit('client_id:a', 7);
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(scene.live()).toContain('client_id:a');
    expect(scene.live()).not.toContain('client_id:b');
    expect(scene.comments(pull)[0]).toContain('conflict');
    expect(scene.forge.deployments).toMatchObject([{ statuses: ['in_progress', 'failure'] }]);
  });

  test('applies no other plan than the one that was shown', async () => {
    const scene = await pipelineScene();
    const sha = await scene.merge(await scene.open('cleanup', { 'tenant/policies.yaml': without('a') }));
    const others = await folder({ 'tenant.yaml': `tenant: { name: acme }\n${without('a', 'b')}` });
    const run = await scene.apply(sha, {
      onEnvironment: async (name, { artifacts }) => {
        if (name !== 'tenant-write') return;
        const out = join(artifacts, 'tenant-plan/plan.json');
        expect((await runCommand(['plan', others, '--out', out], { env: scene.tenant.env })).code).toBe(0);
      },
    });
    expect(resultsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(writesOf(scene)).toEqual([]);
    expect(scene.forge.deployments).toMatchObject([{ statuses: ['in_progress', 'failure'] }]);
  });

  test('that changes nothing on the tenant asks nobody, and is recorded', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('comment', { 'tenant/policies.yaml': `# A comment.\n${without()}` });
    const sha = await scene.merge(pull);
    const asked: string[] = [];
    const run = await scene.apply(sha, { onEnvironment: (name) => void asked.push(name) });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'skipped' });
    expect(asked).toEqual(['tenant-read']);
    expect(scene.forge.deployments).toMatchObject([{ sha }]);
    expect(scene.comments(pull)).toEqual([]);
  });

  test('that is refused by a guard ends before the protected environment', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': policiesYaml('default') });
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run), logsOf(run)).toEqual({ plan: 'failure', apply: 'skipped', publish: 'success' });
    expect(writesOf(scene)).toEqual([]);
    expect(scene.forge.deployments).toEqual([]);
    expect(scene.comments(pull)).toEqual([expect.stringContaining('approvals')]);
  });

  test('on a tenant with the documented operations keeps what can be read, and applies', async () => {
    const scene = await pipelineScene({}, {}, { api: 'documented' });
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a') });
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(scene.live()).not.toContain('client_id:a');
    const before = await readFile(join(run.artifacts, 'tenant-before/rate-limit-policies.yaml'), 'utf8');
    expect(before).toContain('client_id:a');

    // A prompt cannot be read: it is sent when it changes, and not with every merge.
    const text = 'prompts: { login: { partials: { login: { form-content-start: "<p>Hello</p>" } } } }\n';
    const sent: number[] = [];
    for (const [branch, files] of [
      ['prompt', { 'tenant/prompts.yaml': text }],
      ['policy', { 'tenant/policies.yaml': without('a', 'b') }],
    ] as const) {
      const done = await scene.apply(await scene.merge(await scene.open(branch, files)));
      expect(resultsOf(done), logsOf(done)).toEqual(allDone);
      sent.push(scene.tenant.tenant.requests.filter(({ operation }) => operation === 'set_prompt_partials').length);
    }
    expect(sent).toEqual([1, 1]);
    expect(scene.live()).not.toContain('client_id:b');
  });

  test('whose apply was never recorded is reverted, also where the tenant cannot be read', async () => {
    const prompt = (text: string) => ({
      'tenant/prompts.yaml': `prompts: { login: { partials: { login: { form-content-start: "${text}" } } } }\n`,
    });
    const scene = await pipelineScene(prompt('before'), {}, { api: 'documented' });
    const first = await scene.apply(scene.repository.git('rev-parse', 'main'));
    expect(resultsOf(first), logsOf(first)).toEqual(allDone);
    const change = await scene.merge(await scene.open('change', prompt('after')));
    // The run ends with the job that applies.
    const ended = await scene.apply(change, { edit: withCondition('publish', 'false') });
    expect(resultsOf(ended), logsOf(ended)).toEqual({ ...allDone, publish: 'skipped' });
    expect(JSON.stringify(scene.tenant.tenant.snapshot())).toContain('after');
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha: change, statuses: ['in_progress', 'inactive'] });

    const revert = await scene.open('revert', prompt('before'));
    await scene.review(revert);
    expect(scene.comments(revert)[0]).toContain(
      `the newest apply, of ${change.slice(0, 12)}, is not recorded as one of all files`,
    );
    const sha = await scene.merge(revert);
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(JSON.stringify(scene.tenant.tenant.snapshot())).not.toContain('after');
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha, statuses: ['in_progress', 'inactive', 'success'] });
  });

  test('of older files, in a run that is started again, applies nothing', async () => {
    const scene = await pipelineScene();
    const old = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('a') }));
    const sha = await scene.merge(await scene.open('second', { 'tenant/policies.yaml': without() }));
    const run = await scene.apply(old);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'skipped' });
    expect(run.jobs['plan']?.log).toContain(`changed again in ${sha.slice(0, 12)}`);
    expect(scene.live()).toEqual([...policies].sort());
    expect(scene.forge.deployments).toEqual([]);
  });

  test('of older values beside the folder, in a run that is started again, applies nothing', async () => {
    const values = (limit: number) => ({ 'vars/prod.yaml': `limit: ${limit}\n` });
    const scene = await pipelineScene(values(1));
    const old = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('a') }));
    const sha = await scene.merge(await scene.open('second', values(2)));
    const edit = (workflow: Workflow) => ({
      ...workflow,
      env: { ...workflow.env, TENANT_OPTIONS: '--var-file=vars/prod.yaml' },
    });
    const run = await scene.apply(old, { edit });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'skipped' });
    expect(run.jobs['plan']?.log).toContain(`changed again in ${sha.slice(0, 12)}`);
  });

  test('whose plan waited until newer files were applied applies nothing, and the record stays', async () => {
    const scene = await pipelineScene();
    const old = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('a') }));
    let newer = '';
    const run = await scene.apply(old, {
      onEnvironment: async (name) => {
        // As with "Re-run failed jobs" of an old run: its plan is not made again.
        if (name !== 'tenant-write' || newer !== '') return;
        newer = await scene.merge(await scene.open('second', { 'tenant/policies.yaml': without() }));
        expect(resultsOf(await scene.apply(newer))).toEqual({ ...allDone, apply: 'skipped' });
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(run.jobs['apply']?.log).toContain(
      `::error title=tenant-sync::tenant changed again in ${newer.slice(0, 12)}`,
    );
    expect(scene.live()).toEqual([...policies].sort());
    expect(scene.forge.deployments).toMatchObject([{ sha: newer }]);
  });

  test('whose branch does not exist any more, in a run that is started again, is an error', async () => {
    const scene = await pipelineScene();
    const old = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('a') }));
    await scene.merge(await scene.open('second', { 'tenant/policies.yaml': without() }));
    scene.repository.git('branch', '-m', 'main', 'trunk');
    const run = await scene.apply(old);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, plan: 'failure', apply: 'skipped' });
    expect(run.jobs['plan']?.log).toContain('The checkout has no branch "main" of origin');
    expect(scene.live()).toEqual([...policies].sort());
  });

  test.each([
    ['an apply of another commit', 'newer', 'the plan was made without the apply of'],
    ['an apply of an unknown commit', '', 'without the apply of an unknown commit'],
  ])('whose plan is older than %s applies nothing, and the revert finds what is left', async (_when, sha, message) => {
    const prompts = (one: string, other: string) => ({
      'tenant/prompts.yaml': `prompts: { ${[one, other]
        .map(
          (text, index) =>
            `${['login', 'signup'][index]}: { partials: { ${['login', 'signup'][index]}: { form-content-start: "${text}" } } }`,
        )
        .join(', ')} }\n`,
    });
    const scene = await pipelineScene(prompts('before', 'before'), {}, { api: 'documented' });
    expect(resultsOf(await scene.apply(scene.repository.git('rev-parse', 'main')))).toEqual(allDone);
    const old = await scene.merge(await scene.open('old', prompts('kept', 'before')));
    let hasWaited = false;
    const run = await scene.apply(old, {
      onEnvironment: async (name) => {
        if (name !== 'tenant-write' || hasWaited) return;
        hasWaited = true;
        const newer = await scene.merge(await scene.open('newer', prompts('kept', 'reverted')));
        expect(resultsOf(await scene.apply(newer))).toEqual(allDone);
        // Its files are those of the old one again.
        await scene.merge(await scene.open('revert', prompts('kept', 'before')));
        if (sha === '') Object.assign(scene.forge.deployments.at(-1) ?? {}, { sha });
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(run.jobs['apply']?.log).toContain(message);
    expect(scene.forge.deployments).toHaveLength(2);
    const revert = await scene.apply(scene.repository.git('rev-parse', 'main'));
    expect(resultsOf(revert), logsOf(revert)).toEqual(allDone);
    expect(JSON.stringify(scene.tenant.tenant.snapshot())).not.toContain('reverted');
  });

  test('whose plan was made without the record is not applied over another commit', async () => {
    const scene = await pipelineScene();
    const kept = without('a');
    const old = await scene.merge(await scene.open('old', { 'tenant/policies.yaml': kept }));
    scene.forge.faults.push({ match: /deployments/, times: 1, status: 403 });
    let hasWaited = false;
    const run = await scene.apply(old, {
      onEnvironment: async (name) => {
        if (name !== 'tenant-write' || hasWaited) return;
        hasWaited = true;
        const newer = await scene.merge(await scene.open('newer', { 'tenant/policies.yaml': without('a', 'b') }));
        expect(resultsOf(await scene.apply(newer))).toEqual(allDone);
        await scene.merge(await scene.open('revert', { 'tenant/policies.yaml': kept }));
      },
    });
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(run.jobs['apply']?.log).toContain('the plan was made without the apply of');
  });

  test('that waited while an older one was applied is planned anew', async () => {
    const scene = await pipelineScene();
    const older = await scene.merge(await scene.open('older', { 'tenant/policies.yaml': without('a') }));
    const sha = await scene.merge(await scene.open('same', { 'docs/page.md': 'Another page.\n' }));
    let hasWaited = false;
    const run = await scene.apply(sha, {
      onEnvironment: async (name) => {
        if (name !== 'tenant-write' || hasWaited) return;
        hasWaited = true;
        expect(resultsOf(await scene.apply(older))).toEqual(allDone);
      },
    });
    // The plan does not know what the older one did.
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(run.jobs['apply']?.log).toContain(`the plan was made without the apply of ${older.slice(0, 12)}`);
    expect(resultsOf(await scene.apply(sha))).toEqual({ ...allDone, apply: 'skipped' });
    expect(scene.forge.deployments).toMatchObject([{ sha: older }, { sha, statuses: ['in_progress', 'success'] }]);
  });

  test('that was withdrawn from the branch plans nothing', async () => {
    const scene = await pipelineScene();
    const withdrawn = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('a') }));
    scene.repository.git('reset', '--hard', '--quiet', 'HEAD^1');
    const run = await scene.apply(withdrawn);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'skipped' });
    expect(scene.live()).toEqual([...policies].sort());
    expect(scene.forge.deployments).toEqual([]);
  });
});

describe('an apply that is started manually', () => {
  test('on another branch plans and records nothing, also without the conditions of the workflow', async () => {
    const scene = await pipelineScene();
    // Files that are equal to the tenant: a plan without changes would be recorded.
    const pull = await scene.open('side', { 'tenant/policies.yaml': `# A comment.\n${without()}` });
    const sha = scene.repository.git('rev-parse', pull.head);
    const byHand = { eventName: 'workflow_dispatch', ref: 'refs/heads/side' };
    const run = await scene.apply(sha, byHand);
    expect(resultsOf(run), logsOf(run)).toEqual({ plan: 'skipped', apply: 'skipped', publish: 'skipped' });

    const edited = await scene.apply(sha, { ...byHand, edit: withoutConditions('plan', 'publish') });
    expect(resultsOf(edited)).toEqual({ plan: 'failure', apply: 'skipped', publish: 'failure' });
    expect(edited.jobs['publish']?.log).toContain('started manually on side, and not on the default branch');
    expect([scene.forge.deployments, scene.comments(pull), writesOf(scene)]).toEqual([[], [], []]);
  });

  test('on the default branch plans, applies and records', async () => {
    const scene = await pipelineScene();
    const sha = await scene.merge(await scene.open('cleanup', { 'tenant/policies.yaml': without('a') }));
    const run = await scene.apply(sha, { eventName: 'workflow_dispatch' });
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(scene.forge.deployments).toMatchObject([{ sha }]);
  });
});

describe('a run for a single item', () => {
  const streams = (before: string) =>
    streamsYaml.replace(/webhook_endpoint: \S+ \}/, (field) =>
      field.replace(' }', `, webhook_authorization: ${before} }`),
    );
  const authorization = `{ method: basic, username: crm, password: "\${env:TENANT_VAR_CRM}" }`;
  const destination = {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      webhook_authorization: { method: 'basic', username: 'crm', password: 'old' },
    },
  };
  const [stream] = seedOf().event_streams ?? [];
  const sceneWithSecret = () =>
    pipelineScene(
      { 'tenant/streams.yaml': streams(authorization) },
      { event_streams: [{ ...stream, destination }] } as Seed,
      { secrets: { TENANT_VARS: JSON.stringify({ TENANT_VAR_CRM: 'planted-password' }) } },
    );

  test('sends its secret again, and nothing is recorded, commented or applied beside it', async () => {
    const scene = await sceneWithSecret();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a') });
    const sha = await scene.merge(pull);
    const item = 'event_streams/users-to-crm';
    const run = await scene.apply(sha, {
      eventName: 'workflow_dispatch',
      inputs: { rotate: item },
      built: true,
    });
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(writesOf(scene).map(({ method, operation }) => [method, operation])).toEqual([
      ['PATCH', 'update_event_stream'],
    ]);
    expect(scene.live()).toContain('client_id:a');
    expect(scene.comments(pull)).toEqual([]);
    expect(scene.forge.deployments).toMatchObject([{ statuses: ['in_progress', 'inactive'] }]);
    expect(run.jobs['apply']?.summary).toContain('This run was started for a part of the files.');
    const { apply } = run.jobs;
    expect(apply?.log).toContain('::add-mask::planted-password\n');
    expect(
      JSON.stringify({ ...run.jobs, apply: { ...apply, log: apply?.log.replace(/^::add-mask::.*$/gm, '') } }),
    ).not.toContain('planted-password');
    // The next run of a merge is complete.
    const next = await scene.open('next', { 'tenant/policies.yaml': without('a', 'b') });
    await scene.review(next);
    expect(scene.comments(next)[0]).toContain(
      `the newest apply, of ${sha.slice(0, 12)}, is not recorded as one of all files`,
    );
    expect(resultsOf(await scene.apply(sha))).toEqual(allDone);
    expect(scene.live()).not.toContain('client_id:a');
    expect(scene.forge.deployments.at(-1)).toMatchObject({ sha, statuses: ['in_progress', 'inactive', 'success'] });
  });

  test('that was mistyped sends nothing', async () => {
    const scene = await sceneWithSecret();
    const sha = scene.repository.git('rev-parse', 'main');
    for (const [rotate, message] of [
      ['event_streams/*', 'names no single item'],
      ['event_streams/users-to-cmr', '--rotate event_streams/users-to-cmr matches no item'],
    ]) {
      const run = await scene.apply(sha, { eventName: 'workflow_dispatch', inputs: { rotate } });
      expect(resultsOf(run)).toMatchObject({ plan: 'failure', apply: 'skipped' });
      expect(logsOf(run)).toContain(message);
    }
    expect([writesOf(scene), scene.forge.deployments]).toEqual([[], []]);
  });
});

test('a job that is canceled finishes the requests in flight and reports every outcome', async () => {
  const scene = await pipelineScene();
  const sha = await scene.merge(await scene.open('cleanup', { 'tenant/policies.yaml': without('a', 'b', 'c') }));
  const canceled = new Set<number>();
  const run = await scene.apply(sha, {
    built: true,
    onProcess: (child) => {
      const watch = setInterval(() => {
        if (child.exitCode !== null) clearInterval(watch);
        if (writesOf(scene).length === 0 || child.pid === undefined || canceled.size > 0) return;
        canceled.add(child.pid);
        child.kill('SIGINT');
      }, 5);
    },
  });
  expect(canceled.size).toBe(1);
  expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
  const { summary } = JSON.parse(await readFile(join(run.artifacts, 'tenant-apply/apply.json'), 'utf8'));
  expect(summary.unknown).toBe(0);
  expect(summary.done + summary.not_attempted).toBe(3);
  expect(scene.live()).toHaveLength(policies.length - summary.done);
  const result = JSON.parse(await readFile(join(run.artifacts, 'tenant-apply/apply.result.json'), 'utf8'));
  expect(result.code).toBe(130);
  expect(scene.forge.deployments).toMatchObject([{ sha, statuses: ['in_progress', 'failure'] }]);
});

describe('a forge that fails', () => {
  test('after the apply: the record is made although a comment is not, and the job reports it', async () => {
    const scene = await pipelineScene();
    const sha = await scene.merge(await scene.open('cleanup', { 'tenant/policies.yaml': without('a') }));
    scene.forge.faults.push({ match: /comments$/, times: 100, status: 500 });
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, publish: 'failure' });
    expect(scene.forge.deployments).toMatchObject([{ sha, statuses: ['in_progress', 'inactive', 'success'] }]);
    expect(run.jobs['publish']?.log).toMatch(/^::warning title=tenant-sync::GET .*comments.*500/m);
  });

  test('before the plan: everything is planned, and nothing is applied without the record', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a') });
    scene.forge.faults.push({ match: /deployments/, times: 100, status: 403 });
    const note = 'because the record of applies cannot be read: GET /deployments';
    await scene.review(pull);
    expect(scene.comments(pull)[0]).toContain(`Everything is planned, here and after the merge, ${note}`);
    const run = await scene.apply(await scene.merge(pull));
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, apply: 'failure' });
    expect(run.jobs['plan']?.summary).toContain(`Everything is planned, ${note}`);
    expect(run.jobs['apply']?.log).toContain(
      'Nothing was applied, because the forge did not record that an apply begins',
    );
    expect(writesOf(scene)).toEqual([]);
  });

  test('a second run of the same commit updates the comment', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('a') });
    const sha = await scene.merge(pull);
    await scene.apply(sha);
    await scene.create('client_id:by-hand');
    const run = await scene.apply(sha);
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(scene.comments(pull)).toHaveLength(1);
    expect(scene.live()).not.toContain('client_id:by-hand');
  });
});
