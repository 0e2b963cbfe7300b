// What several tenants in one run cost, as ratios within one run: `npm run bench:fleet` prints each figure with its bound;
// nothing here is a test. `-- sideBySide` measures only that part, and `-- --quick` all of them with few tenants.
// The embedded tenants of a project run in a process of their own, so that what is timed is the command and not the server.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { alternate, cli, environment, measureParts, ms, ratio, root, row, run, work } from './harness.mjs';
import { policiesFile, seedWith, tenantFiles } from './material.mjs';
import { atOnceBy, bareEngine, openCount, startTenants, startWorker, workerNames } from './workers.mjs';

const quick = process.argv.includes('--quick');
const most = (count, few) => (quick ? few : count);
const nameOf = (index) => `tenant-${String(index).padStart(4, '0')}`;
const prefixOf = (index) => `T${index}`;

await measureParts(
  { unchanged, sideBySide, shared, shards, journal, workers },
  process.argv.slice(2).filter((name) => name !== '--quick'),
);

/** Nothing to do on tenants with policies in a layer of their own. What one process does is done by one for each tenant. */
async function unchanged() {
  const policies = 100;
  const own = (folder) => tenantFiles(folder, { declared: policies });
  const parallel = 8;
  const measured = [];
  for (const count of [most(100, 10), most(1_000, 40)]) {
    await withFleet({ count, seed: { policies }, own }, async ({ folder, env, tenants }) => {
      const [plan, planning] = await timed(() =>
        run(['plan', folder, '--all', '--parallel', String(parallel), '--exit-code'], env),
      );
      const bareLoop = (index) => run([join(root, 'bench/bare-loop.mjs'), 'policies'], tenants[index], { bare: true });
      const [, bare] = await timed(() => atOnce(parallel, count, bareLoop));
      measured.push({ count, plan, planning, bare });
    });
  }
  const [few, many] = measured;
  const { count, plan, planning, bare } = many;
  const about = `plan of ${count} tenants of ${policies} policies, nothing changed`;
  row(
    `${about} / bare loops`,
    ratio(planning, bare),
    '<= 1.5',
    planning / bare <= 1.5,
    `${ms(planning)} / ${ms(bare)}`,
  );
  row('the same: processor time', ms(plan.cpuMs), '', true);
  row('the same: peak memory', mb(plan), '<= 300 MB', plan.maxRssMb <= 300);
  const growth = plan.maxRssMb / few.plan.maxRssMb;
  row(
    `the same / of ${few.count} tenants`,
    growth.toFixed(2),
    '<= 1.2',
    growth <= 1.2,
    `${mb(plan)} / ${mb(few.plan)}`,
  );
}

/** Tenants that respond late and grant few requests: what one waits for, others use. */
async function sideBySide() {
  const size = { policies: 1, roles: 9, permissions: 2 };
  const own = (folder) => tenantFiles(folder, { declared: 1, roles: 9, permissions: 2 });
  const options = ['--latency', '50', '--rate', '10/s'];
  for (const [count, bound] of [
    [most(50, 5), 1.2],
    [most(200, 10), 1.5],
  ]) {
    await withFleet({ count, seed: size, own, options }, async ({ folder, env, takeRequests }) => {
      const plan = (...selected) => run(['plan', folder, ...selected, '--exit-code'], env);
      await plan('--tenant', nameOf(0));
      const requests = takeRequests();
      let slowest = 0;
      for (let index = 0; index < Math.min(count, 10); index += 1)
        slowest = Math.max(slowest, (await timed(() => plan('--tenant', nameOf(index))))[1]);
      // Every tenant grants a burst again.
      await sleep(1_500);
      const [{ cpuMs }, taken] = await timed(() => plan('--all', '--parallel', String(count)));
      const limit = Math.max(bound * slowest, bound > 1.2 ? 1.3 * cpuMs : 0);
      const about = `plan of ${count} tenants of ${requests} requests, 50 ms, 10/s`;
      const detail = `${ms(taken)} / ${ms(slowest)}, processor time ${ms(cpuMs)}`;
      const shown = limit > bound * slowest ? `1.3 x ${ms(cpuMs)}` : bound;
      row(`${about} / slowest single one`, ratio(taken, slowest), `<= ${shown}`, taken <= limit, detail);
    });
  }
}

/** The files of a shared layer are parsed once. */
async function shared() {
  const count = most(200, 20);
  const folder = await mkdtemp(join(work, 'shared-'));
  await writeProject(folder, count, () => ['base']);
  await writeFolder(join(folder, 'base'), { 'policies.yaml': policiesFile(1_000) });
  const env = secretsOf(count);
  const [one, all] = await alternate(5, [
    () => run(['validate', folder, '--tenant', nameOf(0)], env),
    () => run(['validate', folder, '--all'], env),
  ]);
  const bound = 2 * one + 10 * count;
  const about = `validate of ${count} tenants that share 1,000 policies`;
  row(about, ms(all), `<= ${ms(bound)}`, all <= bound, `one: ${ms(one)}`);
}

/** The same apply with its lock and journal in a folder and in a database, which writes to the disk as well. */
async function journal() {
  const actions = most(1_000, 100);
  let changed = 0;
  const own = (folder) => tenantFiles(folder, { declared: actions, changed });
  await withFleet({ count: 1, seed: { policies: actions }, own }, async ({ folder, env }) => {
    await withDatabase(async (url) => {
      const apply = async (state) => {
        // There and back.
        changed = changed === 0 ? actions : 0;
        await own(join(folder, 'own/0'));
        await run(['apply', folder, '--tenant', nameOf(0), '--yes'], { ...env, ...state });
      };
      const [inFolder, inDatabase] = await alternate(most(5, 3), [
        () => apply({ TENANT_SYNC_STATE_DIR: join(work, 'state') }),
        () => apply({ TENANT_SYNC_STATE_URL: url }),
      ]);
      const about = `apply of ${actions} actions, state in a database / in a folder`;
      const detail = `${ms(inDatabase)} / ${ms(inFolder)}`;
      row(about, ratio(inDatabase, inFolder), '<= 1.3', inDatabase / inFolder <= 1.3, detail);
    });
  });
}

/** Runs the embedded PostgreSQL, which writes to the disk. */
async function withDatabase(use) {
  const script = join(root, 'test/support/postgres-process.mjs');
  const server = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TEST_DATABASE_FSYNC: '1' },
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  try {
    const started = new Promise((resolve) => server.stdout.once('data', resolve));
    const url = await Promise.race([started, exited]);
    return await use(String(url).trim());
  } finally {
    server.stdin.end();
    await exited;
  }
}

/** What one process does, by two that know nothing of each other. */
async function shards() {
  const count = most(1_000, 40);
  const own = (folder) => tenantFiles(folder, { declared: 20 });
  const options = ['--latency', '50'];
  await withFleet({ count, seed: { policies: 20 }, own, options }, async ({ folder, env }) => {
    const plan = (part) => {
      const results = join(`${folder}-results`, part);
      return run(['plan', folder, '--shard', part, '--results', results, '--parallel', '8', '--exit-code'], env);
    };
    const [one, alone] = await timed(() => plan('1/1'));
    const [both, together] = await timed(() => Promise.all(['1/2', '2/2'].map(plan)));
    const cpu = both.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    const about = `plan of ${count} tenants at 50 ms, by one process / by two shards`;
    row(about, ratio(alone, together), '>= 1.7', alone / together >= 1.7, `${ms(alone)} / ${ms(together)}`);
    const detail = `${ms(cpu)} / ${ms(one.cpuMs)}`;
    row('the same: processor time of both / of one', ratio(cpu, one.cpuMs), '<= 1.15', cpu / one.cpuMs <= 1.15, detail);
  });
}

/** Drift of each tenant by four workers, of which two are killed: nothing is forgotten, and nothing done by two at once. */
async function workers() {
  await withDatabase(workersOn);
}

async function workersOn(url) {
  const count = most(10_000, 200);
  const parallel = 8;
  const policies = 60;
  const { urls, journals, audience, close } = await startTenants(count, seedWith({ policies }));
  const folder = await mkdtemp(join(work, 'workers-'));
  const entries = urls.map(
    (base, index) => `  ${nameOf(index)}: { layers: [base], environment: ${prefixOf(index)}, base_url: "${base}" }\n`,
  );
  await writeFolder(folder, { 'tenant-sync.yaml': `tenants:\n${entries.join('')}` });
  await tenantFiles(join(folder, 'base'), { declared: policies });
  const environmentOf = (name) => ({
    TENANT_SYNC_STATE_URL: url,
    ...Object.fromEntries(
      urls.flatMap((base, index) => [
        [`${prefixOf(index)}_BASE_URL`, base],
        [`${prefixOf(index)}_AUDIENCE`, audience],
        [`${prefixOf(index)}_CLIENT_ID`, name],
        [`${prefixOf(index)}_CLIENT_SECRET`, 's'],
      ]),
    ),
  });
  try {
    const bare = await bareEngine(url, count, workerNames.length * parallel);
    const checks = await openCount(url);
    const started = performance.now();
    const children = workerNames.map((name) => startWorker(name, folder, environmentOf, parallel));
    const killsAt = [0.2 + 0.2 * Math.random(), 0.5 + 0.3 * Math.random()];
    let killed = 0;
    for (let done = 0; done < count; done = await checks.count()) {
      if (killed < killsAt.length && done >= killsAt[killed] * count) children[killed++].kill('SIGKILL');
      if (performance.now() - started > 1_800_000) break;
      await sleep(200);
    }
    const taken = performance.now() - started;
    const checked = await checks.count();
    await checks.end();
    for (const child of children) child.kill('SIGTERM');
    const about = `drift of ${count} tenants, 4 workers, ${killed} killed`;
    row(`${about}: checked`, checked, `= ${count}`, checked === count);
    const twice = atOnceBy(journals);
    row('the same: tenants by two workers at once', twice, '= 0', twice === 0);
    const perSecond = (time) => Math.round(count / (time / 1000));
    row('the same: jobs a second', perSecond(taken), '', true, `bare engine with an empty task: ${perSecond(bare)}`);
  } finally {
    close();
  }
}

/** A project of tenants with the same content, each in a layer of its own, and embedded tenants for it. */
async function withFleet({ count, seed, own, options = [] }, use) {
  const project = await mkdtemp(join(work, 'fleet-'));
  await writeProject(project, count, (index) => ['base', `own/${index}`]);
  await writeFolder(join(project, 'base'), { 'tenant.yaml': 'tenant: { name: bench }\n' });
  for (let index = 0; index < count; index += 1) await own(join(project, `own/${index}`));
  const folder = `${project}-served`;
  const seedFile = `${project}.json`;
  await writeFile(seedFile, JSON.stringify(seedWith(seed)));
  const served = ['--project', project, '--copy', folder, '--seed', seedFile, '--port', '0', ...options];
  const server = spawn(process.execPath, [cli, 'serve', ...served], { stdio: ['ignore', 'pipe', 'pipe'] });
  let requests = 0;
  server.stderr.setEncoding('utf8').on('data', (text) => {
    requests += text.split('\n').filter((line) => /^\S+: \d{3} /.test(line)).length;
  });
  try {
    const env = await variablesOf(server, 3 * count);
    Object.assign(env, secretsOf(count));
    const tenants = Array.from({ length: count }, (_, index) => environment(env[`${prefixOf(index)}_BASE_URL`]));
    return await use({ folder, env, tenants, takeRequests: () => requests });
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
}

/** Every embedded tenant has the same secret. Real ones do not, and no file may contain one of any tenant. */
function secretsOf(count) {
  const secret = () => randomBytes(48).toString('base64url');
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`REAL${index}_CLIENT_SECRET`, secret()]));
}

/** So many `export NAME=value` of a server. */
async function variablesOf(server, count) {
  const found = {};
  let text = '';
  for await (const piece of server.stdout.setEncoding('utf8')) {
    text += piece;
    for (const [, name, value] of text.matchAll(/^export (\w+)=(\S+)\n/gm)) found[name] = value;
    if (Object.keys(found).length === count) return found;
  }
  throw new Error('the embedded tenants did not start');
}

async function writeProject(folder, count, layersOf) {
  const entries = Array.from(
    { length: count },
    (_, index) =>
      `  ${nameOf(index)}: { layers: ${JSON.stringify(layersOf(index))}, environment: ${prefixOf(index)}, base_url: "https://t${index}.example/api/v2" }\n`,
  );
  await writeFolder(folder, { 'tenant-sync.yaml': `tenants:\n${entries.join('')}` });
}

async function writeFolder(folder, files) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Does so many pieces of work, at most so many at once. */
async function atOnce(parallel, count, work) {
  const left = Array.from({ length: count }, (_, index) => index);
  const workNext = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) await work(index);
  };
  await Promise.all(Array.from({ length: parallel }, workNext));
}

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

function mb({ maxRssMb }) {
  return `${maxRssMb.toFixed(0)} MB`;
}
