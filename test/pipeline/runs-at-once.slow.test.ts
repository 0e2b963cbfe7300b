// Two runs at once, on both forges: whatever one wrote that the plan of the other does not know, no later run may take the
// tenant for one that has only the files of the newest success. The tool does nothing: what counts is what is recorded.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginAttempt } from '../../src/pipeline/attempts.ts';
import type { Attempt } from '../../src/pipeline/forge.ts';
import { runStep } from '../../src/pipeline/run-step.ts';
import type { StepName } from '../../src/pipeline/settings.ts';
import { FakeGithub } from '../support/fake-github.ts';
import { FakeGitlab } from '../support/fake-gitlab.ts';
import { scratchRepository } from '../support/scratch-repository.ts';
import { folder } from '../support/temp-folder.ts';

const baseUrl = 'https://login.acme.example/api/v2';
const files = (text: string) => ({ 'tenant/tenant.yaml': `tenant: { name: ${text} }\n` });

interface ForgeHere {
  readonly env: Readonly<Record<string, string>>;
  /** Commits of attempts with their statuses, oldest first. */
  attempts(): readonly (readonly [sha: string, state: string])[];
}

const forges: Readonly<Record<string, () => Promise<ForgeHere>>> = {
  async github() {
    const forge = await new FakeGithub().start();
    onTestFinished(() => forge.close());
    const event = join(await folder({ 'event.json': '{"repository":{"default_branch":"main"}}' }), 'event.json');
    return {
      env: {
        GITHUB_EVENT_NAME: 'push',
        GITHUB_EVENT_PATH: event,
        GITHUB_REF: 'refs/heads/main',
        GITHUB_REF_NAME: 'main',
        GITHUB_REPOSITORY: forge.repository,
        GITHUB_SERVER_URL: 'https://forge.example',
        GITHUB_RUN_ID: '1',
        GITHUB_API_URL: forge.url,
        TENANT_PIPELINE_TOKEN: forge.token({ 'pull-requests': 'write', deployments: 'write' }),
      },
      attempts: () => forge.deployments.map(({ sha, statuses }) => [sha, statuses.join()]),
    };
  },
  async gitlab() {
    const forge = await new FakeGitlab().start();
    onTestFinished(() => forge.close());
    return {
      env: {
        GITLAB_CI: 'true',
        CI_API_V4_URL: forge.url,
        CI_PROJECT_ID: '5',
        CI_COMMIT_BRANCH: 'main',
        CI_PIPELINE_URL: 'https://forge.example/pipelines/1',
        TENANT_PIPELINE_TOKEN: forge.token,
      },
      attempts: () => forge.deployments.map(({ sha, status }) => [sha, status]),
    };
  },
};

interface RunOptions {
  /** Number of actions of the plan. */
  readonly actions?: number;
  /** Called while the tool works. */
  readonly during?: () => Promise<unknown>;
  readonly code?: number;
  /** Without the token of the forge. */
  readonly isBlind?: boolean;
}

describe.each(Object.keys(forges))('%s', (name) => {
  async function setUp() {
    const forge = await (forges[name] ?? forges['github'] ?? expect.fail)();
    const repository = await scratchRepository(files('first'));
    /** A run of the newest commit, whose jobs have checked it out. */
    const begin = async () => {
      const sha = repository.git('rev-parse', 'HEAD');
      const [workspace, results] = [join(await folder({}), 'work'), await folder({})];
      execFileSync('git', ['clone', '--quiet', repository.path, workspace]);
      const run = async (step: StepName, { actions = 1, during, code = 0, isBlind = false }: RunOptions = {}) => {
        let log = '';
        const write = (text: string) => {
          log += text;
        };
        const tool = async (argv: readonly string[]) => {
          const planned = { digest: `sha256:${sha}`, tenant: { base_url: baseUrl, api: 'full' } };
          const out = argv.indexOf('--out');
          if (out > 0)
            await writeFile(argv[out + 1] ?? '', JSON.stringify({ ...planned, actions: Array(actions).fill({}) }));
          await during?.();
          return code;
        };
        const argv = [step, '--folder=tenant', `--results=${results}`, `--digest=sha256:${sha}`];
        const env = {
          ...{ PATH: process.env['PATH'], GITHUB_WORKSPACE: workspace, CI_PROJECT_DIR: workspace },
          ...{ TENANT_SYNC_BASE_URL: baseUrl, ...forge.env },
          ...(isBlind && { TENANT_PIPELINE_TOKEN: '' }),
        };
        return { code: await runStep({ argv, env, write, tool, sleep: async () => {} }), log };
      };
      const all = async () => {
        for (const step of ['plan', 'apply', 'publish'] as const) expect(await run(step)).toMatchObject({ code: 0 });
      };
      return { sha, run, all };
    };
    /** Whether the run of one more commit plans everything. */
    const plansEverything = async () => {
      await repository.commit({ 'tenant/next.yaml': '{}\n' });
      return (await (await begin()).run('plan')).log.includes('Everything is planned: the newest apply');
    };
    return { forge, begin, plansEverything, merge: (text: string) => repository.commit(files(text)) };
  }

  /** A run of an older commit whose jobs began before the merge of the newer one, which undoes it. */
  async function twoRuns() {
    const scene = await setUp();
    await (await scene.begin()).all();
    await scene.merge('change');
    const older = await scene.begin();
    await older.run('plan');
    await scene.merge('revert');
    return { ...scene, older, newer: await scene.begin() };
  }

  test('a run alone is recorded, and the next one plans what changed', async () => {
    const { begin, forge, plansEverything } = await setUp();
    const run = await begin();
    await run.all();
    expect(forge.attempts()).toMatchObject([[run.sha, expect.stringMatching(/success$/)]]);
    expect(await plansEverything()).toBe(false);
  });

  test.each([[false], [true]])(
    'a plan is not applied over an apply of an ancestor that began after it; made without the record: %s',
    async (isBlind) => {
      const { older, newer, forge } = await twoRuns();
      await newer.run('plan', { isBlind });
      expect(await older.run('apply')).toMatchObject({ code: 0 });
      const { code, log } = await newer.run('apply');
      expect([code, log]).toEqual([4, expect.stringContaining(`made without the apply of ${older.sha.slice(0, 12)}`)]);
      expect(forge.attempts()).toHaveLength(2);
      await newer.all();
      expect(forge.attempts().at(-1)).toEqual([newer.sha, expect.stringMatching(/success$/)]);
    },
  );

  test('an apply that ends after a newer one was recorded is red, and the next run plans everything', async () => {
    const { older, newer, plansEverything } = await twoRuns();
    const { code, log } = await older.run('apply', { during: () => newer.all() });
    expect([code, log]).toEqual([1, expect.stringContaining(`The apply of ${newer.sha.slice(0, 12)} began`)]);
    await older.run('publish');
    expect(await plansEverything()).toBe(true);
  });

  test.each([
    ['well', 0, false],
    ['well, and is published', 0, true],
    ['in failure', 1, false],
  ])(
    'a plan that was made while an apply wrote, which then ends %s, is not applied',
    async (_how, code, isPublished) => {
      const { older, newer, plansEverything } = await twoRuns();
      await older.run('apply', { code, during: () => newer.run('plan') });
      if (isPublished) await older.run('publish');
      const { code: refused, log } = await newer.run('apply');
      expect([refused, log]).toEqual([
        4,
        expect.stringContaining(`made while the apply of ${older.sha.slice(0, 12)} was in progress`),
      ]);
      if (!isPublished) expect(await plansEverything()).toBe(true);
      await newer.all();
      expect(await plansEverything()).toBe(false);
    },
  );

  test('an apply whose job was killed holds up no later run', async () => {
    const { older, newer, plansEverything } = await twoRuns();
    const killed = () => Promise.reject(new Error('killed'));
    expect(await older.run('apply', { during: killed })).toMatchObject({ code: 1 });
    expect((await newer.run('plan')).log).toContain('Everything is planned: the newest apply');
    for (const step of ['apply', 'publish'] as const) expect(await newer.run(step)).toMatchObject({ code: 0 });
    expect(await plansEverything()).toBe(false);
  });

  test('a run of the same commit may apply: both write the same files', async () => {
    const { begin, plansEverything } = await setUp();
    const [one, other] = [await begin(), await begin()];
    await one.run('plan');
    await one.run('apply', { during: () => other.run('plan') });
    for (const step of ['apply', 'publish'] as const) expect(await other.run(step)).toMatchObject({ code: 0 });
    expect(await plansEverything()).toBe(false);
  });

  test('a plan without actions that misses an apply is red, and not recorded', async () => {
    const { older, newer, plansEverything } = await twoRuns();
    await newer.run('plan', { actions: 0 });
    await older.run('apply');
    const { code, log } = await newer.run('publish');
    expect([code, log]).toEqual([
      1,
      expect.stringMatching(/error.*is not recorded as applied: the plan was made without the apply of/),
    ]);
    expect(await plansEverything()).toBe(true);
  });

  test('a plan without actions that was made while an apply wrote is red, and not recorded', async () => {
    const { older, newer, plansEverything } = await twoRuns();
    await older.run('apply', { during: () => newer.run('plan', { actions: 0 }) });
    expect(await newer.run('publish')).toMatchObject({ code: 1 });
    expect(await plansEverything()).toBe(true);
  });
});

test.each(['begins', 'ends'])('an apply that %s between the check and the record is seen as well', async (what) => {
  const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)];
  const attempts = [{ id: 1, commit: older, state: 'running' }];
  const ended: unknown[] = [];
  const forge = {
    recorded: async () => ({
      applied: null,
      open: older,
      newest: attempts[0]?.id ?? 0,
      attempts: attempts.map((one) => ({ ...one })),
    }),
    async recordAttempt({ commit }: Attempt) {
      if (what === 'ends') Object.assign(attempts[0] ?? {}, { state: 'ended' });
      else attempts.unshift({ id: 2, commit: older, state: 'running' });
      attempts.unshift({ id: 3, commit, state: 'running' });
      return 3;
    },
    endAttempt: async (...end: readonly unknown[]) => void ended.push(end),
  };
  const attempt = { environment: 'e', folder: 'f', baseUrl, branch: 'main', commit: newer, digest: 'sha256:x' };
  const begun = await beginAttempt(forge as never, attempt, { newest: 1, newestState: 'running' });
  expect([begun, ended]).toEqual([{ missed: expect.stringContaining(older.slice(0, 12)) }, [[3, 'failed']]]);
});
