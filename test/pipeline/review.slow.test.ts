// The workflow of pull requests, as it is: built command, embedded tenant, forge on loopback, scratch repository.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policiesYaml } from '../support/files-and-tenant.ts';
import { logsOf, pipelineScene, policies, resultsOf } from '../support/pipeline-scene.ts';
import type { Workflow } from '../support/run-workflow.ts';
import { testClient } from '../support/start-tenant.ts';

const planned = '<!-- tenant-sync pipeline plan tenant -->';
const allDone = { validate: 'success', plan: 'success', comment: 'success', tenant: 'success' };

describe('a pull request', () => {
  test('that is refused is red, and green once the code is approved in the files; one comment follows it', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': policiesYaml('default', 'client_id:a') });
    const other = scene.forge.addComment(pull.number, 'mallory', `${planned}\nApproved!`);
    const refused = await scene.review(pull, { built: true });
    expect(resultsOf(refused), logsOf(refused)).toEqual({ ...allDone, plan: 'failure', tenant: 'failure' });
    const [comment = '', ...more] = scene.comments(pull);
    expect(more).toEqual([]);
    expect(comment.startsWith(`${planned}\n`)).toBe(true);
    const [, code = ''] = /approvals[^\n]*?\b([0-9a-f]{24})\b/.exec(comment) ?? [];
    expect(code).not.toBe('');
    expect(refused.jobs['plan']?.summary).toContain(code);
    expect(refused.jobs['plan']?.log).toMatch(/^::error /m);

    const header = `tenant: { name: acme, base_url: "${scene.tenant.baseUrl}", approvals: ["${code}"] }\n`;
    await scene.push(pull, { 'tenant/tenant.yaml': header });
    const approved = await scene.review(pull, { built: true });
    expect(resultsOf(approved), logsOf(approved)).toEqual(allDone);
    const [updated = '', ...others] = scene.comments(pull);
    expect(others).toEqual([]);
    expect(updated).not.toBe(comment);
    expect(other.body).toBe(`${planned}\nApproved!`);
    expect(scene.live()).toEqual([...policies].sort());

    // Merged, the same approval lets the apply through.
    const applied = await scene.apply(await scene.merge(pull), { built: true });
    expect(resultsOf(applied), logsOf(applied)).toEqual({ plan: 'success', apply: 'success', publish: 'success' });
    expect(scene.live()).toEqual(['client_id:a', 'default']);
  });

  test('keeps the comment of its newest run when the comment job of an older one is started again', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': policiesYaml(...policies.slice(1)) });
    await scene.review(pull, { runId: '9' });
    const [older = ''] = scene.comments(pull);
    await scene.push(pull, { 'tenant/policies.yaml': policiesYaml(...policies.slice(0, -1)) });
    await scene.review(pull, { runId: '10' });
    const [newer = ''] = scene.comments(pull);
    expect(newer).not.toBe(older);
    const again = await scene.review(pull, { runId: '9' });
    expect(resultsOf(again), logsOf(again)).toEqual(allDone);
    expect(again.jobs['comment']?.log).toContain('The comment is of a newer run, and stays as it is.');
    expect(scene.comments(pull)).toEqual([newer]);
    await scene.review(pull, { runId: '10' });
    expect(scene.comments(pull)).toHaveLength(1);
  });

  test('with a branch whose name is a command, and Markdown in names, runs nothing and mentions nobody', async () => {
    const scene = await pipelineScene();
    const name = '@acme/admins <img src=x> ``` ::error::x';
    const pull = await scene.open('$(touch${IFS}pwned);x', {
      'tenant/roles.yaml': `roles: [{ name: ${JSON.stringify(name)}, description: x }]\n`,
    });
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    const [comment = ''] = scene.comments(pull);
    expect(comment).toContain('@acme/admins');
    const outsideOfCode = comment
      .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '')
      .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
    expect(outsideOfCode).not.toMatch(/@acme|<img/);
    for (const { log } of Object.values(run.jobs)) expect(log).not.toMatch(/^::error::x/m);
  });

  test.each([
    ['vars/prod.yaml', 'a: 2\n'],
    ['.gitattributes', '*.liquid ident\n'],
  ])('that changes %s beside the folder is planned', async (file, text) => {
    const scene = await pipelineScene({ 'vars/prod.yaml': 'a: 1\n' });
    const edit = (workflow: Workflow) => ({
      ...workflow,
      env: { ...workflow.env, TENANT_OPTIONS: '--var-file=vars/prod.yaml' },
    });
    const run = await scene.review(await scene.open('beside', { [file]: text }), { edit });
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(run.jobs['plan']?.log).toContain('tenant');
  });

  test('shows what it changes and what it would revert, and keeps the plan as an artifact without secrets', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('limit', {
      'tenant/policies.yaml': policiesYaml(...policies).replace(
        '"client_id:a", configuration: { action: block, limit: 100',
        '"client_id:a", configuration: { action: block, limit: 90',
      ),
    });
    const run = await scene.review(pull, { built: true });
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    const plan = JSON.parse(await readFile(join(run.artifacts, 'tenant-plan/plan.json'), 'utf8'));
    expect(plan.base).toMatchObject({ commit: scene.repository.git('rev-parse', 'main') });
    expect(plan.actions).toMatchObject([{ action: 'update', origin: 'change' }]);
    expect(await readFile(join(run.artifacts, 'tenant-plan/plan.html'), 'utf8')).toContain('<!doctype html>');
    expect(JSON.stringify(run.jobs)).not.toContain(testClient.client_secret);
    expect(scene.comments(pull)[0]).toContain(scene.repository.git('rev-parse', pull.head).slice(0, 12));
  });

  test('with errors in the files is red, and the comment shows them', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('typo', { 'tenant/more.yaml': 'rolse: []\n' });
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual({
      ...allDone,
      validate: 'failure',
      plan: 'skipped',
      tenant: 'failure',
    });
    expect(run.jobs['validate']?.log).toMatch(/^::error file=tenant\/more\.yaml,line=1/m);
    expect(scene.comments(pull)[0]).toContain('"rolse" is not a field of a tenant file');
    await scene.push(pull, { 'tenant/more.yaml': null });
    expect(resultsOf(await scene.review(pull))).toEqual({ ...allDone, plan: 'skipped' });
    expect(scene.comments(pull)).toHaveLength(1);
    expect(scene.comments(pull)[0]).toContain('There is no plan of this commit');
  });

  test('that changes none of the files is green without a plan and without a comment', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('page', { 'docs/page.md': 'Another page.\n' });
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, plan: 'skipped' });
    expect(scene.comments(pull)).toEqual([]);
    expect(scene.tenant.tenant.requests).toEqual([]);
  });

  test('into another branch than the default one is planned: its base may change', async () => {
    const scene = await pipelineScene();
    scene.repository.git('branch', 'other', 'main');
    const pull = await scene.open('page', { 'docs/page.md': 'Another page.\n' });
    expect(resultsOf(await scene.review(pull, { baseRef: 'other' }))).toEqual(allDone);
  });

  test('that changes the lockfile is planned', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('bump', { 'package-lock.json': '{ "version": 2 }\n' });
    expect(resultsOf(await scene.review(pull))).toEqual(allDone);
  });

  test.each([
    [
      'a fork',
      {
        event: {
          repository: { default_branch: 'main' },
          pull_request: { number: 1, head: { repo: { full_name: 'mallory/tenants' } } },
        },
      },
    ],
    ['Dependabot', { actor: 'dependabot[bot]' }],
  ])('of %s is only checked offline, and red if it changes the files of the tenant', async (_name, options) => {
    const scene = await pipelineScene();
    const lockfile = await scene.open('bump', { 'package-lock.json': '{ "version": 2 }\n' });
    const bump = await scene.review(lockfile, options);
    expect(resultsOf(bump), logsOf(bump)).toEqual({ ...allDone, plan: 'skipped', comment: 'skipped' });
    const pull = await scene.open('change', { 'tenant/policies.yaml': policiesYaml('default') });
    const run = await scene.review(pull, options);
    expect(resultsOf(run)).toEqual({ ...allDone, plan: 'skipped', comment: 'skipped', tenant: 'failure' });
    expect(run.jobs['tenant']?.log).toContain('not planned: push the branch to the repository');
    expect(scene.tenant.tenant.requests).toEqual([]);
    expect(scene.forge.requests).toEqual([]);
  });

  test('that introduces the tool has no comment, and its plan is on the page of the run', async () => {
    const scene = await pipelineScene();
    await scene.repository.commit({ 'package-lock.json': null });
    const pull = await scene.open('start', {
      'package-lock.json': '{}\n',
      'tenant/policies.yaml': policiesYaml(...policies.slice(1)),
    });
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual(allDone);
    expect(scene.comments(pull)).toEqual([]);
    expect(run.jobs['plan']?.summary).toContain('tenant-sync plan');
  });
});

test('a merge queue gets the check, and no comment', async () => {
  const scene = await pipelineScene();
  const pull = await scene.open('change', { 'tenant/policies.yaml': policiesYaml(...policies.slice(1)) });
  const run = await scene.review(pull, {
    eventName: 'merge_group',
    event: { merge_group: { base_sha: scene.repository.git('rev-parse', 'main') } },
    ref: 'refs/heads/gh-readonly-queue/main/pr-1',
    baseRef: '',
  });
  expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, comment: 'skipped' });
  expect(scene.comments(pull)).toEqual([]);
});

describe('a forge that fails', () => {
  test.each([
    ['with 500', { match: /comments$/, times: 100, status: 500 }],
    ['with 403', { match: /comments$/, times: 100, status: 403 }],
    [
      'with a rate limit of an hour',
      { match: /comments$/, times: 100, status: 429, headers: { 'retry-after': '3600' } },
    ],
  ])('%s leaves the check as it is, and the job reports it', async (_name, fault) => {
    const scene = await pipelineScene();
    const pull = await scene.open('change', { 'tenant/policies.yaml': policiesYaml(...policies.slice(1)) });
    scene.forge.faults.push(fault);
    const run = await scene.review(pull);
    expect(resultsOf(run), logsOf(run)).toEqual({ ...allDone, comment: 'failure' });
    expect(run.jobs['comment']?.log).toMatch(/^::error title=tenant-sync::GET \/issues\/\d+\/comments/m);
  });

  test('and drops connections gets one comment', async () => {
    const scene = await pipelineScene();
    const pull = await scene.open('change', { 'tenant/policies.yaml': policiesYaml(...policies.slice(1)) });
    scene.forge.faults.push(
      { match: /^GET .*comments$/, times: 1, drop: 'before' },
      { match: /^POST .*comments$/, times: 1, drop: 'after' },
    );
    expect(resultsOf(await scene.review(pull))).toEqual(allDone);
    expect(scene.comments(pull)).toHaveLength(1);
  });
});
