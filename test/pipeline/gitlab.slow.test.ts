// The jobs of the example for GitLab: their scripts in order, with what one passes to the next in .tenant-sync.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { FakeGitlab } from '../support/fake-gitlab.ts';
import { policiesYaml } from '../support/files-and-tenant.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { pipelineScene, policies, type WorkflowScene } from '../support/pipeline-scene.ts';
import { projectScene } from '../support/project-scene.ts';
import { type Ended, stepHere } from '../support/step-here.ts';
import { folder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const example = parse(await readFile(join(root, 'examples/gitlab/tenant.gitlab-ci.yml'), 'utf8'));
/** Those that a person may set when a pipeline starts have a description. */
const variables = Object.fromEntries(
  Object.entries<string | { readonly value: string }>(example.variables).map(([name, variable]) => [
    name,
    typeof variable === 'string' ? variable : variable.value,
  ]),
);

interface Checkout {
  readonly workspace: string;
  /** Runs the script of a job and returns its exit code and its log. */
  job(name: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
}

interface Scene extends Pick<WorkflowScene, 'repository'> {
  readonly tenant: { readonly env: Readonly<Record<string, string>> };
}

/** `built`: the steps run as built, in processes of their own. */
async function checkout(scene: Scene, forge: FakeGitlab, sha: string, built = false): Promise<Checkout> {
  const workspace = join(await folder({}), 'work');
  execFileSync('git', ['clone', '--quiet', scene.repository.path, workspace]);
  execFileSync('git', ['checkout', '--quiet', '--detach', sha], { cwd: workspace });
  await mkdir(join(workspace, 'node_modules'), { recursive: true });
  await symlink(root, join(workspace, 'node_modules/tenant-sync'));
  /** What jobs report as variables for those that need them. */
  const variablesOf = async (jobs: readonly string[]) => {
    const reports = jobs.flatMap((name) => example[name].artifacts?.reports?.dotenv ?? []);
    const texts = await Promise.all(reports.map((file) => readFile(join(workspace, file), 'utf8').catch(() => '')));
    return Object.fromEntries(
      texts.flatMap((text) => [...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, ...pair]) => pair)),
    );
  };
  return {
    workspace,
    async job(name, env = {}) {
      const { script, environment, needs = [] } = example[name];
      const credentials = environment === undefined ? {} : scene.tenant.env;
      return (built ? run : runHere)(`set -eo pipefail\n${script.join('\n')}`, workspace, {
        PATH: process.env['PATH'] ?? '',
        ...variables,
        ...(await variablesOf(needs)),
        ...credentials,
        GITLAB_CI: 'true',
        CI_API_V4_URL: forge.url,
        CI_PROJECT_ID: '5',
        CI_PROJECT_DIR: workspace,
        CI_PIPELINE_URL: 'https://forge.example/pipelines/1',
        CI_COMMIT_SHA: sha,
        TENANT_PIPELINE_TOKEN: forge.token,
        TENANT_SYNC_STATE_DIR: join(workspace, '..', 'state'),
        ...env,
      });
    },
  };
}

/**
 * Runs a script whose steps are its last commands: bash expands their arguments, and the steps run in this process
 * afterwards.
 */
async function runHere(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const steps = join(cwd, '..', 'steps');
  await writeFile(steps, '');
  const noted = `step() { printf '%s\\0' "$@" '' >> "$STEPS"; }\n`;
  const { code, log } = await run(noted + script.replaceAll(/(?:exec )?node "\$TENANT_STEP"/g, 'step'), cwd, {
    ...env,
    STEPS: steps,
  });
  const ended = { code, log };
  for (const step of (await readFile(steps, 'utf8')).split('\0\0').slice(0, -1)) {
    if (ended.code !== 0) break;
    const one = await stepHere(step.split('\0'), env);
    ended.code = one.code;
    ended.log += one.log;
  }
  return ended;
}

function run(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  return new Promise<Ended>((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd, env, timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, log: stdout + stderr }),
    );
  });
}

async function scenes() {
  const forge = await new FakeGitlab().start();
  onTestFinished(() => forge.close());
  return { forge, scene: await pipelineScene() };
}

const without = (...names: readonly string[]) => policiesYaml(...policies.filter((policy) => !names.includes(policy)));
const onMain = { CI_COMMIT_BRANCH: 'main' };

test('a project: one job applies all waves, and the next merge contacts what changed since', async () => {
  const forge = await new FakeGitlab().start();
  onTestFinished(() => forge.close());
  const scene = await projectScene();
  const merge = async (name: string, file: string) => {
    const text = 'rate_limit_policies:\n  - { consumer_selector: "client_id:a", absent: true }\n';
    const sha = await scene.merge(await scene.open(name, { [file]: text }));
    const { job } = await checkout({ repository: scene.repository, tenant: { env: scene.env } }, forge, sha);
    for (const one of ['tenant-plan-main', 'tenant-apply', 'tenant-outcomes']) {
      const { code, log } = await job(one, { CI_COMMIT_BRANCH: 'main', TENANT_FOLDER: 'tenants' });
      expect(code, log).toBe(0);
    }
  };
  await merge('first', 'tenants/c/policies.yaml');
  expect(scene.having('client_id:a')).toEqual(['a', 'b']);
  scene.contacted();
  await merge('second', 'tenants/a/policies.yaml');
  expect(scene.contacted()).toEqual(['a']);
  expect(scene.having('client_id:a')).toEqual(['b']);
});

describe('a merge request', () => {
  test('gets one note that follows it', async () => {
    const { forge, scene } = await scenes();
    const request = forge.addMergeRequest('cleanup');
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('client_id:a') });
    const reviewed = (sha: string) => ({
      CI_MERGE_REQUEST_IID: String(request.iid),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_COMMIT_SHA: sha,
    });
    const forged = forge.addNote(request.iid, 99, '<!-- tenant-sync pipeline plan tenant -->\nApproved');
    for (const selector of ['client_id:a', 'client_id:b']) {
      await scene.push(pull, { 'tenant/policies.yaml': without(selector) });
      const sha = scene.repository.git('rev-parse', 'cleanup');
      const { job } = await checkout(scene, forge, sha);
      expect((await job('tenant-validate', reviewed(sha))).code).toBe(0);
      expect((await job('tenant-plan', reviewed(sha))).code).toBe(0);
      expect((await job('tenant-note', reviewed(sha))).code).toBe(0);
    }
    const own = forge.notes.filter((note) => note !== forged);
    expect(own).toHaveLength(1);
    expect(own[0]?.body).toContain('client_id:b');
    expect(own[0]?.body).not.toContain('client_id:a');
  });

  test('is compared with its target as it is now, whatever its name is', async () => {
    const { forge, scene } = await scenes();
    const { git } = scene.repository;
    const target = 'rel$(touch${IFS}pwned);"x';
    git('branch', target);
    await scene.open('late', { 'tenant/policies.yaml': without('client_id:a') });
    const began = git('rev-parse', 'main');
    const sha = git('rev-parse', 'late');
    const { job, workspace } = await checkout(scene, forge, sha);
    git('checkout', '--quiet', target);
    const tip = await scene.repository.commit({ 'tenant/policies.yaml': without('client_id:b') });
    const env = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_TARGET_BRANCH_NAME: target };
    const { code, log } = await job('tenant-plan', { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: began });
    expect(code, log).toBe(0);
    const ref = `refs/remotes/origin/${target}`;
    expect(execFileSync('git', ['rev-parse', ref], { cwd: workspace, encoding: 'utf8' }).trim()).toBe(tip);
    const plan = JSON.parse(await readFile(join(workspace, '.tenant-sync/plan.json'), 'utf8'));
    expect(plan.base).toMatchObject({ ref, commit: began });
    expect(await readdir(workspace)).not.toContain('pwned');
  });

  test('with errors has them in its log, with their lines', async () => {
    const { forge, scene } = await scenes();
    await scene.open('typo', { 'tenant/more.yaml': '# A comment\nrolse: []\n' });
    const { job } = await checkout(scene, forge, scene.repository.git('rev-parse', 'typo'));
    const { code, log } = await job('tenant-validate', { CI_MERGE_REQUEST_IID: '1' });
    expect({ code, log }).toMatchObject({
      code: 3,
      log: expect.stringMatching(/^tenant\/more\.yaml:2:1 {2}error {2}[A-Z_]+$/m),
    });
  });
});

test('a pipeline for a single item applies it and records nothing', async () => {
  const { forge, scene } = await scenes();
  const pull = await scene.open('both', { 'tenant/policies.yaml': without('client_id:a', 'client_id:b') });
  const { job } = await checkout(scene, forge, await scene.merge(pull));
  const single = { ...onMain, TENANT_ONLY: 'rate_limit_policies/oauth_authentication_api/client/client_id:a' };
  for (const name of ['tenant-plan-main', 'tenant-apply', 'tenant-outcomes'])
    expect(await job(name, single)).toMatchObject({ code: 0 });
  expect(scene.live()).toEqual(policies.filter((name) => name !== 'client_id:a').sort());
  expect(forge.deployments).toMatchObject([{ status: 'canceled' }]);
});

describe('the record of applies', () => {
  const before = { 'tenant/policies.yaml': without() };
  const after = { 'tenant/policies.yaml': policiesYaml(...policies, 'client_id:f') };

  test('has an apply whose job or outcomes were lost, and the next merge plans everything', async () => {
    const { forge, scene } = await scenes();
    const jobs = async (sha: string, ...names: readonly string[]) => {
      const { job } = await checkout(scene, forge, sha);
      const logs: string[] = [];
      for (const name of names) {
        const { code, log } = await job(name, onMain);
        expect([name, code], log).toEqual([name, 0]);
        logs.push(log);
      }
      return logs.join('');
    };
    const all = ['tenant-plan-main', 'tenant-apply', 'tenant-outcomes'];
    await jobs(scene.repository.git('rev-parse', 'main'), ...all);
    const change = await scene.merge(await scene.open('change', after));
    await jobs(change, 'tenant-plan-main', 'tenant-apply');
    expect(forge.deployments).toMatchObject([{ status: 'success' }, { sha: change, status: 'canceled' }]);

    const request = forge.addMergeRequest('revert');
    const revert = await scene.open('revert', before);
    const sha = scene.repository.git('rev-parse', 'revert');
    const review = await checkout(scene, forge, sha);
    const env = { CI_MERGE_REQUEST_IID: String(request.iid), CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
    for (const name of ['tenant-plan', 'tenant-note']) expect((await review.job(name, env)).code).toBe(0);
    const why = `the newest apply, of ${change.slice(0, 12)}, is not recorded as one of all files`;
    expect(forge.notes.at(-1)?.body).toContain(`Everything is planned, here and after the merge: ${why}`);

    expect(await jobs(await scene.merge(revert), ...all)).toContain(`Everything is planned: ${why}`);
    expect(scene.live()).toEqual([...policies].sort());
    expect(forge.deployments.map(({ status }) => status)).toEqual(['success', 'canceled', 'success']);
  });

  test('does not lose an attempt when a plan without changes is published late', async () => {
    const { forge, scene } = await scenes();
    const early = await checkout(scene, forge, await scene.repository.commit({}));
    expect((await early.job('tenant-plan-main', onMain)).code).toBe(0);
    const change = await scene.merge(await scene.open('change', after));
    const late = await checkout(scene, forge, change);
    for (const name of ['tenant-plan-main', 'tenant-apply']) expect((await late.job(name, onMain)).code).toBe(0);
    const { code, log } = await early.job('tenant-outcomes', onMain);
    expect([code, log]).toEqual([
      1,
      expect.stringContaining(
        `is not recorded as applied: the plan was made without the apply of ${change.slice(0, 12)}`,
      ),
    ]);
    expect(forge.deployments).toMatchObject([{ sha: change, status: 'canceled' }]);
    // Its own outcomes are recorded, and also once.
    for (const _ of [1, 2]) expect(await late.job('tenant-outcomes', onMain)).toMatchObject({ code: 0 });
    expect(forge.deployments).toMatchObject([{ sha: change, status: 'success' }]);
  });

  test.each([
    ['plan', { commit: 'a'.repeat(40) }, 'commit'],
    ['plan', { digest: `sha256:${'0'.repeat(64)}` }, 'plan'],
    ['apply', { commit: 'a'.repeat(40) }, 'commit'],
    ['apply', { digest: `sha256:${'0'.repeat(64)}` }, 'plan'],
  ])('takes no result of another run: %s.result.json with %j', async (step, change, what) => {
    const { forge, scene } = await scenes();
    const request = forge.addMergeRequest('cleanup');
    const pull = await scene.open('cleanup', { 'tenant/policies.yaml': without('client_id:a') });
    const sha = await scene.merge(pull);
    Object.assign(request, { state: 'merged', commits: [sha] });
    const { job, workspace } = await checkout(scene, forge, sha);
    for (const name of ['tenant-plan-main', 'tenant-apply']) expect((await job(name, onMain)).code).toBe(0);
    const file = join(workspace, `.tenant-sync/${step}.result.json`);
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }));
    const { code, log } = await job('tenant-outcomes', onMain);
    expect([code, log]).toEqual([1, expect.stringContaining(`${step}.result.json has another ${what} than this run`)]);
    expect([forge.notes, forge.deployments]).toMatchObject([[], [{ status: 'canceled' }]]);
  });
});

test('a merge is planned against the last applied commit, applied, recorded and reported, also through a proxy', async () => {
  const { forge, scene } = await scenes();
  const { host, port } = new URL(forge.url);
  const proxy = await startHttpProxy({ targets: { 'gitlab.example': Number(port) } });
  const env = { ...onMain, CI_API_V4_URL: forge.url.replace(host, 'gitlab.example'), HTTP_PROXY: proxy.url };
  for (const names of [['client_id:a'], ['client_id:a', 'client_id:b']]) {
    const branch = `without-${names.length}`;
    const request = forge.addMergeRequest(branch);
    const pull = await scene.open(branch, { 'tenant/policies.yaml': without(...names) });
    const sha = await scene.merge(pull);
    Object.assign(request, { state: 'merged', commits: [sha] });
    const { job, workspace } = await checkout(scene, forge, sha, true);
    expect((await job('tenant-plan-main', env)).code).toBe(0);
    const plan = JSON.parse(await readFile(join(workspace, '.tenant-sync/plan.json'), 'utf8'));
    expect(plan.base?.commit ?? null).toBe(names.length === 1 ? null : forge.deployments[0]?.sha);
    expect((await job('tenant-apply', env)).code).toBe(0);
    expect((await job('tenant-outcomes', env)).code).toBe(0);
    expect(forge.deployments.at(-1)).toMatchObject({ sha, status: 'success', ref: 'main' });
    expect(forge.notes.filter(({ change }) => change === request.iid)).toHaveLength(1);
    expect(await readFile(join(workspace, '.tenant-sync/before/tenant.yaml'), 'utf8')).toContain(scene.tenant.baseUrl);
  }
  expect(new Set(proxy.requests.map((request) => / http:\/\/([^/]*)/.exec(request)?.[1]))).toEqual(
    new Set(['gitlab.example']),
  );
  expect(scene.live()).toEqual(policies.filter((name) => !/:[ab]$/.test(name)).sort());
});

test('of older files, in a pipeline that is started again, a merge is green and applies nothing', async () => {
  const { forge, scene } = await scenes();
  const old = await scene.merge(await scene.open('first', { 'tenant/policies.yaml': without('client_id:a') }));
  const sha = await scene.merge(await scene.open('second', { 'tenant/policies.yaml': without() }));
  const { job } = await checkout(scene, forge, old);
  const logs: string[] = [];
  for (const name of ['tenant-plan-main', 'tenant-apply', 'tenant-outcomes']) {
    const { code, log } = await job(name, onMain);
    expect([name, code], log).toEqual([name, 0]);
    logs.push(log);
  }
  expect(logs[0]).toContain(`changed again in ${sha.slice(0, 12)}`);
  expect(logs[1]).toContain('the pipeline of a newer commit applies these files');
  expect([scene.live(), forge.deployments]).toEqual([[...policies].sort(), []]);
});

test('a plan that another job put in the place of the shown one is not applied', async () => {
  const { forge, scene } = await scenes();
  const sha = await scene.merge(await scene.open('cleanup', { 'tenant/policies.yaml': without('client_id:a') }));
  const { job, workspace } = await checkout(scene, forge, sha);
  expect((await job('tenant-plan-main', onMain)).code).toBe(0);
  const file = join(workspace, '.tenant-sync/plan.env');
  const shown = await readFile(file, 'utf8');
  await writeFile(file, shown.replace(/sha256:.{8}/, 'sha256:00000000'));
  const other = await job('tenant-apply', onMain);
  expect([other.code, other.log.includes('PLAN_NOT_EXPECTED')], other.log).toEqual([4, true]);
  await writeFile(file, 'TENANT_PLAN_ACTIONS=1\n');
  expect((await job('tenant-apply', onMain)).code).toBe(3);
  expect(scene.live()).toEqual([...policies].sort());
});

test('a folder that is a link is refused by every job: its files could change without a plan', async () => {
  const { forge, scene } = await scenes();
  const { path } = scene.repository;
  await rename(join(path, 'tenant'), join(path, 'real'));
  await symlink('real', join(path, 'tenant'));
  const { job } = await checkout(scene, forge, await scene.repository.commit({}));
  for (const name of ['tenant-validate', 'tenant-plan', 'tenant-plan-main', 'tenant-drift']) {
    const { code, log } = await job(name, { ...onMain, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' });
    expect([name, code, log.includes('The folder "tenant" is a link, or behind one.')], log).toEqual([name, 3, true]);
  }
});

test('drift has one issue', async () => {
  const { forge, scene } = await scenes();
  const compare = async () => {
    const { job } = await checkout(scene, forge, scene.repository.git('rev-parse', 'main'));
    const drift = await job('tenant-drift', onMain);
    expect(drift.code).toBe(0);
    expect((await job('tenant-issue', onMain)).code).toBe(0);
  };
  await scene.setLimit('client_id:a', 7);
  await compare();
  expect(forge.issues).toMatchObject([{ state: 'opened', labels: 'tenant-drift' }]);
  await compare();
  expect(forge.issues).toHaveLength(1);
  await scene.setLimit('client_id:a', 100);
  await compare();
  expect(forge.issues).toMatchObject([{ state: 'closed' }]);
});

describe('results that a commit brings along', () => {
  const result = (sha: string, more: object) => `${JSON.stringify({ folder: 'tenant', commit: sha, ...more })}\n`;

  test.each([
    ['a link to the environment of the job', 'plan'],
    ['a result of drift', 'drift'],
  ] as const)('%s is neither published nor read', async (_name, step) => {
    const { forge, scene } = await scenes();
    const request = forge.addMergeRequest('forged');
    const main = scene.repository.git('rev-parse', 'main');
    await symlinkIn(scene.repository.path, `.tenant-sync/${step}.md`);
    await scene.open('forged', { [`.tenant-sync/${step}.result.json`]: result(main, { code: 0 }) });
    const sha = scene.repository.git('rev-parse', 'forged');
    const { job } = await checkout(scene, forge, sha);
    const env = { CI_MERGE_REQUEST_IID: String(request.iid), CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
    for (const name of ['tenant-validate', 'tenant-plan', 'tenant-note']) {
      const ended = await job(name, env);
      expect([ended.code, ended.log.includes('The commit contains .tenant-sync')]).toEqual([3, true]);
    }
    expect([forge.notes, forge.issues]).toEqual([[], []]);
  });

  test('a plan that no job made is not applied', async () => {
    const { forge, scene } = await scenes();
    const forged = { step: 'plan', code: 0, digest: `sha256:${'0'.repeat(64)}`, actions: 4 };
    const main = scene.repository.git('rev-parse', 'main');
    const sha = await scene.repository.commit({
      '.tenant-sync/plan.json': '{}\n',
      '.tenant-sync/plan.result.json': result(main, forged),
    });
    const { job } = await checkout(scene, forge, sha);
    for (const name of ['tenant-plan-main', 'tenant-apply', 'tenant-outcomes'])
      expect((await job(name, onMain)).code).toBe(3);
  });

  test('a review publishes its plan, and no link', async () => {
    const { forge, scene } = await scenes();
    const request = forge.addMergeRequest('cleanup');
    await scene.open('cleanup', { 'tenant/policies.yaml': without('client_id:a') });
    const sha = scene.repository.git('rev-parse', 'cleanup');
    const { job, workspace } = await checkout(scene, forge, sha);
    const env = {
      CI_MERGE_REQUEST_IID: String(request.iid),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    };
    const results = join(workspace, '.tenant-sync');
    await mkdir(results);
    await writeFile(join(results, 'drift.result.json'), result(sha, { code: 0 }));
    expect((await job('tenant-plan', env)).code).toBe(0);
    expect((await job('tenant-note', env)).code).toBe(0);
    expect(forge.notes).toHaveLength(1);
    await rm(join(results, 'plan.md'));
    await symlinkIn(workspace, '.tenant-sync/plan.md');
    expect((await job('tenant-note', env)).code).toBe(0);
    expect(JSON.stringify(forge.notes)).not.toContain(forge.token);
    // A step that fails leaves nothing of an earlier one.
    await writeFile(join(workspace, 'tenant/policies.yaml'), 'rolse: []\n');
    expect((await job('tenant-plan', env)).code).toBe(3);
    expect(await readdir(results)).not.toContain('plan.json');
  });

  async function symlinkIn(path: string, name: string) {
    await mkdir(join(path, '.tenant-sync'), { recursive: true });
    await symlink('/proc/self/environ', join(path, name));
  }
});
