// The figures of docs/internals/measurements.md, as ratios within one run. `npm run bench` prints each with its bound;
// nothing here is a test. `npm run bench -- requests` measures only that part.
// The embedded tenant runs in a process of its own, so that what is timed is the command and not the server.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { alternate, cli, environment, measureParts, ms, ratio, root, row, run, work } from './harness.mjs';
import { inProcess } from './in-process.mjs';
import { seedWith, tenantFiles } from './material.mjs';

const parts = { requests, slowLink, smallRuns, startUp, validate, growth, planAgain, pulls, largePlan, rendering };
await measureParts(parts, process.argv.slice(2));

/** Of a plan, of an apply that has three limits to change, and of an apply that has nothing to do. */
async function requests() {
  for (const size of [
    { policies: 0, roles: 0, permissions: 0, prompts: 0, streams: 0 },
    { policies: 100, roles: 1, permissions: 100, prompts: 1, streams: 1 },
    { policies: 250, roles: 50, permissions: 101, prompts: 3, streams: 101 },
    { policies: 10_000, roles: 500, permissions: 20, prompts: 9, streams: 200, named: true },
  ]) {
    const { policies, roles, permissions, prompts, streams } = size;
    await withTenant(size, async (tenant) => {
      const folder = await tenantFiles(join(work, `requests-${policies}`), {
        ...size,
        declared: policies,
        changed: Math.min(3, policies),
      });
      const count = async (...command) => {
        await run(command, tenant.env);
        return tenant.takeRequests().length;
      };
      const pages = (items) => Math.max(1, Math.ceil(items / 100));
      // Roles are listed for those that the files do not declare.
      const ofRoles = roles === 0 ? 0 : pages(roles) + roles * pages(permissions);
      const bound = pages(policies) + ofRoles + prompts + pages(streams) + 1;
      const about = `${policies} policies, ${roles} roles with ${permissions} pairs, ${prompts} prompts, ${streams} streams`;
      exactly(`${about}: requests of a plan`, await count('plan', folder), bound);
      const actions = Math.min(3, policies);
      await run(['apply', folder, '--yes'], tenant.env);
      const applied = countRequests(tenant.takeRequests());
      exactly(
        `the same: of an apply of ${actions} actions, up to its last write`,
        applied.all - applied.afterWrites,
        bound + actions,
      );
      // By listing or by item, whichever takes fewer requests.
      exactly('the same: readings of what was written', applied.afterWrites, Math.min(pages(policies), actions));
      exactly('the same: of an apply with nothing to do', await count('apply', folder, '--yes'), bound);
    });
  }
  await deletions();
  await movedPermission();
  await permissionsOfApis();
  await changedRole();
  const untouched = await withTenant({ policies: 300, streams: 300 }, async (tenant) => {
    const folder = await tenantFiles(join(work, 'roles-only'), {
      role: true,
      header: 'tenant: { name: bench, api: documented }',
    });
    await run(['plan', folder], tenant.env);
    return tenant.takeRequests();
  });
  exactly('plan without sections that can be read: requests', untouched.length, 0);
}

/**
 * A deletion that is concluded from several pages needs a second listing. What no response shows is read at the end: one listing
 * for the deleted items, and each role that lost a permission.
 */
async function deletions() {
  const size = { policies: 250, roles: 20, permissions: 30, prompts: 1, streams: 1 };
  const { policies, roles, prompts, streams } = size;
  const deleted = 5;
  const revoked = 3;
  await withTenant(size, async (tenant) => {
    const folder = await tenantFiles(join(work, 'deletions'), {
      ...size,
      declared: policies - deleted,
      revoked,
      header: 'tenant: { name: bench, guards: { max_delete_percent: 100, max_delete_count: 100 } }',
    });
    const count = async (...command) => {
      await run(command, tenant.env);
      return countRequests(tenant.takeRequests());
    };
    const listing = (items) => Math.max(1, Math.ceil(items / 100));
    const once = listing(roles) + roles + prompts + listing(streams) + 1;
    // Who has a role that loses something: its users, and the first page of its groups.
    const plan = 2 * listing(policies) + once + 2 * revoked;
    const writes = deleted + revoked;
    const about = `${policies} policies of which ${deleted} are deleted, ${roles} roles of which ${revoked} lose a permission`;
    exactly(`${about}: requests of a plan`, (await count('plan', folder)).all, plan);
    const applied = await count('apply', folder, '--yes');
    exactly(
      `the same: of an apply of ${writes} actions, up to its last write`,
      applied.all - applied.afterWrites,
      plan + writes,
    );
    // That an item is gone counts only if two readings of several pages agree.
    exactly('the same: verification reads', applied.afterWrites, 2 * listing(policies - deleted) + revoked);
    exactly(
      'the same: of an apply with nothing to do',
      (await count('apply', folder, '--yes')).all,
      listing(policies - deleted) + once,
    );
  });
}

/** Roles that gain a permission and lose another: each is read between its grant and its removal, which also verifies the grant. */
async function movedPermission() {
  const size = { policies: 0, roles: 20, permissions: 30, prompts: 1, streams: 1, apis: 1 };
  const { roles, prompts, streams } = size;
  const moved = 3;
  await withTenant(size, async (tenant) => {
    const files = { roles, prompts, streams, permissions: size.permissions, moved };
    const header = 'tenant: { name: bench, guards: { max_delete_percent: 100, max_delete_count: 100 } }';
    const folder = await tenantFiles(join(work, 'moved'), { ...files, header });
    await run(['plan', folder], tenant.env);
    const plan = tenant.takeRequests().length;
    await run(['apply', folder, '--yes'], tenant.env);
    const applied = countRequests(tenant.takeRequests());
    const about = `${moved} of ${roles} roles gain a permission and lose another, ${prompts} prompt, ${streams} stream`;
    exactly(`${about}: readings before the removals`, applied.all - applied.afterWrites - plan - 2 * moved, moved);
    exactly('the same: readings of what was written', applied.afterWrites, moved);
  });
}

/** What --changed costs follows the change: one of many roles that are declared by name, which gets a permission. */
async function changedRole() {
  const size = { policies: 0, roles: 500, permissions: 20, apis: 1 };
  const { roles, permissions } = size;
  const repository = join(work, 'changed');
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@acme.example'];
  const git = (...args) => execFileSync('git', ['-C', repository, ...identity, ...args], { stdio: 'ignore' });
  const files = { roles, permissions, named: true };
  await tenantFiles(repository, files);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  await tenantFiles(repository, { ...files, granted: 1 });
  await withTenant(size, async (tenant) => {
    const count = async (...options) => {
      await run(['plan', repository, '--base', 'HEAD', ...options], tenant.env);
      return tenant.takeRequests().length;
    };
    const about = `1 of ${roles} roles by name gets a permission`;
    // The role, its permissions, the APIs and the token.
    exactly(`${about}: requests of plan --base --changed`, await count('--changed'), 4);
    exactly('the same: of plan --base, which reads every role', await count(), 5 + roles + 2);
  });
}

/**
 * APIs are listed once if a role gets a permission, whoever asks. All roles are read only if a permission of an API is removed.
 */
async function permissionsOfApis() {
  const size = { policies: 0, roles: 120, permissions: 20, apis: 150 };
  const { roles, apis } = size;
  const pages = (items) => Math.max(1, Math.ceil(items / 100));
  const about = `${apis} APIs, ${roles} roles with ${size.permissions} pairs`;
  await withTenant(size, async (tenant) => {
    const count = async (name, options) => {
      const folder = await tenantFiles(join(work, `apis-${name}`), options);
      await run(['plan', folder], tenant.env);
      return tenant.takeRequests().length;
    };
    const { permissions } = size;
    const scopes = permissions + 1;
    exactly(
      `${about}: requests of a plan, all in sync`,
      await count('sync', { roles, permissions, scopes }),
      pages(apis) + pages(roles) + roles + 1,
    );
    exactly(
      'the same: without a section for APIs',
      await count('roles', { roles, permissions }),
      pages(roles) + roles + 1,
    );
    exactly(
      'the same: of which 3 get a permission',
      await count('granted', { roles, permissions, granted: 3 }),
      pages(roles) + roles + pages(apis) + 1,
    );
    // Roles on several pages are listed twice, and their permissions are read once.
    const removed = pages(apis) + 2 * pages(roles) + roles + 1;
    exactly('the same: of an API that loses a permission', await count('removed', { scopes: permissions }), removed);
  });
}

/** Requests of a command, and those of them that were sent after its last write. */
function countRequests(lines) {
  const isWrite = (line) => !line.includes(' GET ') && !line.includes('/oauth/token');
  const lastWrite = lines.findLastIndex(isWrite);
  return { all: lines.length, afterWrites: lastWrite === -1 ? 0 : lines.length - 1 - lastWrite };
}

function exactly(name, value, bound) {
  row(name, value, `= ${bound}`, value === bound);
}

/** Roles are read together; the service costs nothing, so that the link is what is measured. */
async function slowLink() {
  const [roles, latency, permissions] = [500, 50, 20];
  const folder = await tenantFiles(join(work, 'slow'), { roles, permissions });
  const script = join(root, 'bench/slow-link.mjs');
  const server = spawn(process.execPath, [script, ...[latency, roles, permissions].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const env = environment((await lines.next()).value);
  await against('roles', `plan of ${roles} roles of ${permissions} over a link of ${latency} ms`, 1.5, env, folder);
  server.kill('SIGTERM');
}

/** What a run adds to reading: the start of the program, and that of what only it needs. */
async function smallRuns() {
  for (const [policies, command, bound] of [
    [100, 'plan', 1.5],
    [1000, 'apply', 2],
  ]) {
    const folder = await tenantFiles(join(work, `small-${policies}`), { declared: policies });
    await withTenant({ policies, streams: 0 }, ({ env }) =>
      against('policies', `${command} with nothing to do on ${policies} policies`, bound, env, folder, command),
    );
  }
}

/** A run beside a process that fetches the same pages and parses them. */
async function against(what, name, bound, env, folder, command = 'plan') {
  const options = command === 'apply' ? ['--yes'] : [];
  const [running, bare] = await alternate(9, [
    () => run([command, folder, ...options], env),
    () => run([join(root, 'bench/bare-loop.mjs'), what], env, { bare: true }),
  ]);
  row(
    `${name} / bare loop`,
    ratio(running, bare),
    `<= ${bound}`,
    running / bare <= bound,
    `${ms(running)} / ${ms(bare)}`,
  );
}

async function startUp() {
  // Node 20 keeps no compiled code.
  const bound = Number.parseInt(process.versions.node, 10) >= 22 ? 3 : 3.5;
  // As init and pull write it; without the assertion there is a warning to print.
  const header = 'tenant: { name: bench, base_url: https://login.bench.example/api/v2 }';
  const folder = await tenantFiles(join(work, 'small'), { declared: 12, streams: 2, role: true, header });
  const [bare, version, small] = await alternate(21, [
    () => run(['-e', '0'], {}, { bare: true }),
    () => run(['--version']),
    () => run(['validate', folder]),
  ]);
  row('--version / node -e 0', ratio(version, bare), '<= 1.5', version / bare <= 1.5, `${ms(version)} / ${ms(bare)}`);
  row(
    'validate of a small tenant / node -e 0',
    ratio(small, bare),
    `<= ${bound}`,
    small / bare <= bound,
    `${ms(small)} / ${ms(bare)}`,
  );
}

async function validate() {
  const times = {};
  for (const count of [1_000, 10_000]) {
    const folder = await tenantFiles(join(work, `validate-${count}`), { declared: count });
    const { stdout } = await run([join(root, 'bench/validate-and-parse.mjs'), folder], {}, { bare: true });
    times[count] = JSON.parse(stdout);
  }
  const { loaded, parsed } = times[10_000];
  row(
    'validate 10,000 policies / document parser alone',
    ratio(loaded, parsed),
    '<= 1.5',
    loaded / parsed <= 1.5,
    `${ms(loaded)} / ${ms(parsed)}`,
  );
  const growth = loaded / times[1_000].loaded;
  row(
    'validate 10,000 / 1,000 policies',
    growth.toFixed(2),
    '<= 12',
    growth <= 12,
    `${ms(loaded)} / ${ms(times[1_000].loaded)}`,
  );
}

/** The loader on hostile files. A few milliseconds more are noise. */
async function growth() {
  for (const { name, once, twice, isLinear } of await inProcess('growth', ({ measureAll }) => measureAll()))
    row(`growth: twice the ${name}`, ratio(twice, once), '<= 2.5', isLinear, `${ms(twice)} / ${ms(once)}`);
}

/** What an apply does before each write whose reading is too old. */
async function planAgain() {
  await inProcess('plan-again', async ({ planOneAgain }) => {
    for (const [declared, bound] of [
      [500, 5],
      [2_000, 10],
      [10_000, 25],
    ]) {
      const time = await planOneAgain(declared);
      row(`CPU to plan one of ${declared} policies again`, ms(time), `<= ${bound} ms`, time <= bound);
    }
  });
}

/** A pull into a new folder: read, verified and written. A plan of the result is what it is compared with. */
async function pulls() {
  const size = { policies: 300, roles: 41, permissions: 20, prompts: 9, streams: 12 };
  await withTenant(size, async (tenant) => {
    let last = '';
    const pull = async () => {
      last = await mkdtemp(join(work, 'pulled-'));
      await run(['pull', last, '--yes'], tenant.env);
    };
    const [time] = await alternate(5, [pull]);
    const about = '300 policies, 41 roles, 9 prompts, 12 streams';
    row(`pull of ${about} into a new folder`, ms(time), '<= 2000 ms', time <= 2000);
    tenant.takeRequests();
    await pull();
    const pulled = tenant.takeRequests().length;
    await run(['plan', last], tenant.env);
    const planned = tenant.takeRequests().length;
    // A plan reads only the prompts that have texts.
    const bound = planned + Math.ceil(size.roles / 100) + size.roles + (10 - size.prompts) + 1;
    row(
      'the same: requests, beside those of a plan of the result',
      pulled,
      `<= ${bound}`,
      pulled <= bound,
      `${planned}`,
    );
  });
  await withTenant({ policies: 10_000, streams: 0 }, async (tenant) => {
    const folder = await mkdtemp(join(work, 'pulled-'));
    await run(['pull', folder, '--yes'], tenant.env);
    const pull = async () => run(['pull', await mkdtemp(join(work, 'pulled-')), '--yes'], tenant.env);
    const [pulling, planning] = await alternate(5, [pull, () => run(['plan', folder], tenant.env)]);
    row(
      'pull of 10,000 policies into a new folder / plan of the same',
      ratio(pulling, planning),
      '<= 2.5',
      pulling / planning <= 2.5,
      `${ms(pulling)} / ${ms(planning)}`,
    );
  });
}

/** Twice: every policy but one is undeclared, and is kept as a finding; or is to be deleted, which makes the longest plan there is. */
async function largePlan() {
  const kept = await tenantFiles(join(work, 'large-kept'), {
    declared: 1,
    header: 'tenant: { name: bench, undeclared: { rate_limit_policies: report } }',
  });
  const deleted = await tenantFiles(join(work, 'large-deleted'), { declared: 1 });
  await withTenant({ policies: 100_000, streams: 0 }, async (tenant) => {
    const memory = { kept: 0, deleted: 0 };
    const plan = (name, folder) => async () => {
      const { maxRssMb } = await run(['plan', folder], tenant.env);
      memory[name] = Math.max(memory[name], maxRssMb);
    };
    const bareLoop = () => run([join(root, 'bench/bare-loop.mjs')], tenant.env, { bare: true });
    const [bare, keeping, deleting] = await alternate(5, [bareLoop, plan('kept', kept), plan('deleted', deleted)]);
    row(
      'plan on 100,000 live policies, 99,999 findings / bare loop',
      ratio(keeping, bare),
      '<= 2',
      keeping / bare <= 2,
      `${ms(keeping)} / ${ms(bare)}`,
    );
    row('the same plan: peak memory', `${memory.kept.toFixed(0)} MB`, '<= 500 MB', memory.kept <= 500);
    // A deletion that is concluded from several pages needs a second listing.
    row(
      'plan on 100,000 live policies, 99,999 deletions / two bare loops',
      ratio(deleting, 2 * bare),
      '<= 2',
      deleting / (2 * bare) <= 2,
      `${ms(deleting)} / ${ms(2 * bare)}`,
    );
    row('the same plan: peak memory', `${memory.deleted.toFixed(0)} MB`, '<= 500 MB', memory.deleted <= 500);
  });
}

/** A plan of 10,000 changes and deletions in every format, in this process. */
async function rendering() {
  const { formatNames, formatRow } = await import(join(root, 'dist/report/formats.cjs'));
  const { allKinds } = await import(join(root, 'dist/kinds/index.cjs'));
  const kinds = await allKinds();
  const folder = await tenantFiles(join(work, 'rendering'), { declared: 7000, changed: 7000 });
  const file = join(work, 'rendering.json');
  await withTenant({ policies: 10_000, streams: 0 }, (tenant) => run(['plan', folder, '--out', file], tenant.env));
  const plan = JSON.parse(await readFile(file, 'utf8'));
  const plain = (text) => text;
  const context = {
    style: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain },
    kinds,
    folder: '',
    version: '0.0.0',
  };
  const renderers = await Promise.all(formatNames.map((name) => formatRow(name).load()));
  const [stringify, ...rendered] = await alternate(5, [
    () => JSON.stringify(plan),
    ...renderers.map((render) => async () => {
      for (const _piece of render([{ type: 'plan', plan, diagnostics: [] }], context));
    }),
  ]);
  const bound = 1.5 * stringify + 1000;
  for (const [index, name] of formatNames.entries()) {
    const time = rendered[index];
    row(`a plan of ${plan.actions.length} actions as ${name}`, ms(time), `<= ${ms(bound)}`, time <= bound);
  }
}

async function withTenant(size, use, options = []) {
  const seed = join(work, `seed-${Object.values(size).join('-')}.json`);
  await writeFile(seed, JSON.stringify(seedWith(size)));
  const server = spawn(process.execPath, [cli, 'serve', '--seed', seed, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const requests = [];
  server.stderr.setEncoding('utf8').on('data', (text) => {
    requests.push(...text.split('\n').filter((line) => /^(\d{3}|broken) /.test(line)));
  });
  const baseUrl = await new Promise((resolve, reject) => {
    server.stdout.setEncoding('utf8').once('data', (text) => resolve(text.trim()));
    server.once('exit', () => reject(new Error('the embedded tenant did not start')));
  });
  const env = environment(baseUrl);
  const takeRequests = () => requests.splice(0);
  try {
    return await use({ env, takeRequests });
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
}
