// A kind that the project does not know, added to a copy of it: its folders and its schema, and nothing else. Then the built
// command validates, plans, applies and finds drift with it. What has to be edited beyond that is in the wrong package.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const project = join(import.meta.dirname, '..', '..');
const added = join(import.meta.dirname, 'added');
const files = join(import.meta.dirname, 'files');
const parts = ['src', 'schemas', 'scripts', 'examples', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

let copy: string;
let tenant: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'tenant-sync-invented-'));
  for (const part of parts) await cp(join(project, part), join(copy, part), { recursive: true });
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
  await cp(added, copy, { recursive: true });
  for (const script of ['generate', 'build']) {
    const { code, stdout, stderr } = await node(`scripts/${script}.mjs`);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  }
  tenant = spawn(process.execPath, ['dist/cli/main.cjs', 'serve', '--port', '0', '--seed', join(files, 'seed.json')], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  baseUrl = await new Promise((resolve, reject) => {
    tenant.stdout?.once('data', (text) => resolve(String(text).trim()));
    tenant.once('exit', () => reject(new Error(`the tenant did not start: ${tenant.stderr?.read()}`)));
  });
}, 120_000);

afterAll(async () => {
  tenant?.kill();
  await rm(copy, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function node(...argv: readonly string[]): Promise<Ended> {
  const env = {
    PATH: process.env['PATH'],
    TENANT_SYNC_BASE_URL: baseUrl,
    TENANT_SYNC_CLIENT_ID: 'harbour',
    TENANT_SYNC_CLIENT_SECRET: 'harbour-local-only',
    TENANT_SYNC_STATE_DIR: join(copy, 'state'),
    TENANT_VAR_PASS: 'planted-pass-of-the-office',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [...argv], { cwd: copy, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr }),
    );
  });
}

const run = (...argv: readonly string[]) => node('dist/cli/main.cjs', ...argv);
const inFiles = (command: string, ...options: readonly string[]) => run(command, files, ...options);

/** Requests of a plan or of outcomes, a line each. */
function requestsOf(stdout: string): string[] {
  const { actions } = JSON.parse(stdout) as {
    actions: { action: string; request: { method: string; path: string } }[];
  };
  return actions.map(({ action, request: { method, path } }) => `${action} ${method} ${path}`);
}

test('the copy type-checks', async () => {
  // What is known of the project's own files stays where it is: the copy shares its node_modules.
  const options = ['--noEmit', '--incremental', 'false', '-p', 'tsconfig.json'];
  const { code, stdout } = await node('node_modules/typescript/bin/tsc', ...options);
  expect(stdout).toBe('');
  expect(code).toBe(0);
});

test('no other file of src names the kind', async () => {
  const names = await readdir(join(copy, 'src'), { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of names.filter((each) => each.isFile() && !each.name.includes('.generated.'))) {
    const path = join(entry.parentPath, entry.name).slice(copy.length + 1);
    if (/beacon|harbour-?office/i.test(await readFile(join(copy, path), 'utf8'))) found.push(path);
  }
  const own = (path: string) =>
    /^src\/((kinds|service)\/(beacons|harbour-office)\/|embedded-tenant\/kinds\/(beacons|harbour-office)\.ts)/.test(
      path,
    );
  expect(found.filter((path) => !own(path))).toEqual([]);
});

test('validate reports an error in its section at its place', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'tenant-sync-beacons-'));
  await writeFile(
    join(broken, 'b.yaml'),
    'beacons:\n  - name: north\n    light:\n      colour: gren\n    keeper: Keepers\n',
  );
  const { code, stdout } = await run('validate', broken);
  await rm(broken, { recursive: true });
  expect(code).toBe(3);
  expect(stdout).toContain('b.yaml:4:15');
  expect(stdout).toContain('did you mean "green"?');
});

test('plan, apply, plan again, drift and the journal', { timeout: 60_000 }, async () => {
  expect((await inFiles('validate')).stdout).toContain('beacons 3');

  const planned = await inFiles('plan', '--format', 'json');
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  expect(requestsOf(planned.stdout)).toEqual([
    'add POST /roles/rol_Keepers0000000001/permissions',
    'create POST /beacons',
    'put PUT /beacons/{result:beacons/north:id}/pattern',
    'update PATCH /beacons/bcn_1',
    'delete DELETE /beacons/bcn_2',
  ]);
  const [, , , update] = JSON.parse(planned.stdout).actions;
  // The reach and the seconds that are not declared stay, and so does the order of signals.
  expect(update.changes).toEqual([{ field: 'light.colour', before: 'white', after: 'red' }]);
  expect(update.request.body).toEqual({ light: { colour: 'red' } });
  const shown = (await inFiles('plan', '--no-color')).stdout;
  expect(shown).toContain('beacon  north');
  expect(shown).toContain('colour green');

  const applied = await inFiles('apply', '--yes', '--format', 'json');
  expect(applied.code, applied.stderr).toBe(0);
  expect(JSON.parse(applied.stdout).summary).toMatchObject({ done: 5, failed: 0, unknown: 0, not_attempted: 0 });

  expect((await inFiles('plan', '--exit-code')).code).toBe(0);
  expect((await inFiles('drift')).code).toBe(0);

  const [journal = ''] = (await readdir(join(copy, 'state'))).filter((name) => name.endsWith('.journal'));
  const records = (await readFile(join(copy, 'state', journal), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pattern = records.find((record) => record.record === 'intent' && record.part === 'pattern');
  expect(pattern).toMatchObject({ id: 'beacons/north#pattern', kind: 'beacons', key: 'north' });
  expect(pattern.path).toMatch(/^\/beacons\/bcn_[A-Za-z0-9]+\/pattern$/);
  expect(records.at(-1)).toMatchObject({ record: 'end', summary: { done: 5 } });
});

test('pull writes what is on the tenant, and leaves what is as it was', { timeout: 60_000 }, async () => {
  const into = await mkdtemp(join(tmpdir(), 'tenant-sync-pulled-'));
  const file = (...lines: readonly string[]) => ['tenant: { name: harbour }', 'beacons:', ...lines, ''].join('\n');
  const west = [
    '  - name: west # the old one',
    '    light: { colour: red }',
    '    signals:',
    '      - { code: storm } # rare',
    '      - code: fog # often',
    '        seconds: 1',
    '      - { code: hail }',
    '    keeper: Keepers',
  ];
  await writeFile(join(into, 'b.yaml'), file(...west));
  const pulled = await run('pull', into, '--only', 'beacons', '--yes');
  expect(pulled.code, pulled.stderr).toBe(0);
  expect(await readFile(join(into, 'b.yaml'), 'utf8')).toBe(
    file(
      '  - name: north',
      '    light: { colour: green }',
      '    signals:',
      '      - { code: fog, seconds: 3 }',
      '    keeper: Keepers',
      '  - name: south',
      '    light: { colour: red, reach: 12 }',
      '    signals:',
      '      - { code: fog, seconds: 5 }',
      '      - { code: storm, seconds: 9 }',
      '    keeper: Keepers',
      '  - name: west # the old one',
      '    light: { colour: white }',
      '    signals:',
      '      - { code: storm } # rare',
      '      - code: fog # often',
      '        seconds: 7',
      '    keeper: Keepers',
    ),
  );
  expect((await run('plan', into, '--exit-code', '--only', 'beacons')).code).toBe(0);
  await rm(into, { recursive: true });
});

describe('what a tenant has once or not at all', () => {
  let at: string;
  const only = ['--only', 'harbour_office'];
  const write = (...lines: readonly string[]) => writeFile(join(at, 'b.yaml'), [...lines, ''].join('\n'));
  const read = () => readFile(join(at, 'b.yaml'), 'utf8');
  const post = '  mail: { street: Quay 1, pass: "${env:TENANT_VAR_PASS}" }';
  const bodies = (stdout: string) =>
    JSON.parse(stdout).actions.map(({ request }: { request: object }) => request) as object[];

  beforeAll(async () => {
    at = await mkdtemp(join(tmpdir(), 'tenant-sync-office-'));
  });
  afterAll(async () => rm(at, { recursive: true }));

  async function applied(...lines: readonly string[]) {
    await write(...lines);
    const { stdout, stderr } = await run('plan', at, ...only, '--format', 'json');
    const approve = JSON.parse(stdout).refusals.flatMap((refusal: { approve: string }) => [
      '--approve',
      refusal.approve,
    ]);
    const result = await run('apply', at, ...only, '--yes', ...approve);
    expect(result.code, stderr + result.stdout + result.stderr).toBe(0);
    expect((await run('plan', at, ...only, '--exit-code')).code).toBe(0);
    expect((await run('drift', at, ...only)).code).toBe(0);
    return bodies(stdout);
  }

  test('is created, changed to another form, and deleted', { timeout: 60_000 }, async () => {
    expect(await applied('harbour_office:', '  name: post', post)).toMatchObject([
      {
        ...{ method: 'POST', path: '/harbour-office' },
        body: { name: 'post', mail: { street: 'Quay 1', value: '${env:TENANT_VAR_PASS}' } },
        secrets: [{ pointer: '/mail/value', env: 'TENANT_VAR_PASS' }],
      },
    ]);
    expect(
      await applied('harbour_office:', '  name: wire', '  mail: { number: 7, pass: "${env:TENANT_VAR_PASS}" }'),
    ).toMatchObject([
      { method: 'PATCH', body: { name: 'wire', mail: { number: 7, value: '${env:TENANT_VAR_PASS}' } } },
    ]);
    await write('harbour_office: { absent: true }');
    const { stdout } = await run('plan', at, ...only, '--no-color');
    expect(stdout).toContain('is deleted for good, with its key');
    expect(stdout).not.toContain('harbour_office#');
    expect(await applied('harbour_office: { absent: true }')).toMatchObject([{ method: 'DELETE' }]);
  });

  test('has required fields, and those of its form', async () => {
    await write('harbour_office:', '  name: post', '  mail: { number: 7 }');
    const { stdout } = await run('validate', at);
    expect(stdout).toMatch(/b\.yaml:3:11 +error +CONFIG_UNKNOWN_FIELD/);
    await write('harbour_office: { name: post }');
    expect((await run('validate', at)).stdout).toContain('CONFIG_MISSING_FIELD');
  });

  test('is pulled, also where there is none', { timeout: 60_000 }, async () => {
    await write('harbour_office:', '  name: post # by hand', post);
    const pulled = async () => {
      const { code, stderr, stdout } = await run('pull', at, ...only, '--yes');
      expect(code, stderr + stdout).toBe(0);
      return read();
    };
    expect(await pulled()).toBe('harbour_office:\n  unmanaged: true\n');
    await write('tenant: { name: harbour }', 'harbour_office:', '  name: post', post);
    expect(await pulled()).toBe('tenant: { name: harbour }\n');
    await applied('harbour_office:', '  name: post', post);
    await write('harbour_office:', '  name: wire # by hand', '  mail: { number: 7, pass: "${env:TENANT_VAR_PASS}" }');
    expect(await pulled()).toBe(
      [
        'harbour_office:',
        '  name: post # by hand',
        '  mail: { pass: "${env:TENANT_VAR_HARBOUR_OFFICE_PASS}", street: "Quay 1" }',
        '',
      ].join('\n'),
    );
    await write('tenant: { name: harbour }');
    expect(await pulled()).toContain('tenant');
    expect(await readFile(join(at, 'harbour-office.yaml'), 'utf8')).toContain(
      'harbour_office:\n  name: post\n  mail:\n',
    );
  });
});
