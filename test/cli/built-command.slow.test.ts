// The command as users get it: exit code, standard output, standard error, signals, and what it loads.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { lchown, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import nodeModule from 'node:module';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBuilt, runOnTerminal } from '../support/built-command.ts';
import { filesInStages, filesOfEveryKind, seedOf } from '../support/files-and-tenant.ts';
import { keyPair } from '../support/key-pairs.ts';
import { type StartedTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const writesOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');

test('--version prints the version and nothing else', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await runBuilt(['--version'])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
});

describe('a Node that is too old', () => {
  const main = resolve('dist/cli/main.cjs');
  /** Runs the command where Node has another version, and prints the other files that are loaded. */
  const runOn = async (version: string) => {
    const at = await folder({
      'old.cjs': `const { _load: load } = require('node:module');
        Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
        require('node:module')._load = (name, ...rest) => {
          console.log(name.replace(/^.*\\//, ''));
          return load(name, ...rest);
        };`,
    });
    return spawnSync(process.execPath, ['--require', join(at, 'old.cjs'), main, 'plan'], { encoding: 'utf8', cwd: at });
  };

  test.each(['0.12.18', '8.17.0', '18.20.8', '20.18.3', '20.2.0'])(
    '%s: one sentence, before any other file',
    async (version) => {
      const { status, stdout, stderr } = await runOn(version);
      expect({ status, stderr, loaded: stdout.split('\n') }).toEqual({
        status: 3,
        stderr: `tenant-sync needs Node 20.19 or later, and this is Node ${version}.\n`,
        loaded: ['main.cjs', 'package.json', ''],
      });
    },
  );

  test.each(['20.19.0', '20.100.0', '21.0.0', '100.0.0'])('%s is not', async (version) => {
    expect((await runOn(version)).stderr).not.toContain('needs Node');
  });

  test('can parse the file that it starts with', async () => {
    expect(await readFile(main, 'utf8')).not.toMatch(
      /=>|`|\?\.|\?\?|node:|\.\.\.|\b(?:const|let|class|async|import)\b/,
    );
  });
});

test.each(['validate', 'plan --format json', 'show x.json', 'init', 'drift --debug', 'pull', 'serve'])(
  '%s in a deleted working directory: an error with its path',
  async (command) => {
    const cwd = await folder({});
    const script = `rmdir "$PWD" && exec "$0" "$@"`;
    const argv = ['-c', script, process.execPath, resolve('dist/cli/main.cjs'), ...command.split(' ')];
    const { status, stdout, stderr } = spawnSync('sh', argv, { cwd, env: { PWD: cwd }, encoding: 'utf8' });
    expect(status).toBe(3);
    expect(stdout + stderr).toContain('DIRECTORY_DELETED');
    expect(stdout + stderr).toContain(cwd);
    expect(stdout + stderr).toContain('change to a directory that exists');
  },
);

describe('exit codes', () => {
  test('0, 2, 3 and 4 of plan, result on standard output and talk on standard error', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const done = await runBuilt(['plan', files], tenant.env);
    expect({ code: done.code, stderr: done.stderr, printed: done.stdout.includes('3 requests') }).toEqual({
      code: 0,
      stderr: '',
      printed: true,
    });
    expect((await runBuilt(['plan', files, '--exit-code'], tenant.env)).code).toBe(2);
    const invalid = await runBuilt(['plan', files]);
    expect({ code: invalid.code, stdout: invalid.stdout, reported: invalid.stderr.includes('ENV_MISSING') }).toEqual({
      code: 3,
      stdout: '',
      reported: true,
    });
    expect((await runBuilt(['plan', await folder({ 'p.yaml': 'rate_limit_policies: []\n' })], tenant.env)).code).toBe(
      4,
    );
  });

  test('0 of apply, and 1 when an action fails', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [{ operation: 'set_prompt_partials', kind: 'status', status: 400, nth: 1 }],
    });
    const files = await folder(filesOfEveryKind);
    expect((await runBuilt(['apply', files, '--yes'], tenant.env)).code).toBe(1);
    expect((await runBuilt(['apply', files, '--yes'], tenant.env)).code).toBe(0);
  });
});

describe('signals', () => {
  test('SIGINT in an apply: the request in flight is finished, outcomes are printed, 130', async () => {
    let child: ChildProcess | undefined;
    const tenant = await tenantWith(seedOf(), {
      latencyMs: 300,
      onRequest: ({ method, operation }) => {
        if (method !== 'GET' && operation !== 'token') child?.kill('SIGINT');
      },
    });
    const argv = ['apply', await folder(filesInStages), '--yes', '--format', 'json'];
    const result = await runBuilt(argv, tenant.env, (started) => {
      child = started;
    });
    expect({ code: result.code, summary: JSON.parse(result.stdout).summary }).toEqual({
      code: 130,
      summary: { done: 1, failed: 0, not_attempted: 2, unknown: 0, conflict: 0 },
    });
    expect(writesOf(tenant)).toHaveLength(1);
  });

  test('SIGTERM ends a server in order', async () => {
    const result = await runBuilt(['serve', '--port', '0'], {}, (child) => {
      child.stdout?.once('data', () => child.kill('SIGTERM'));
    });
    expect({ code: result.code, signal: result.signal }).toEqual({ code: 0, signal: null });
  });
});

test('a reader that closes its end does not stop an apply', async () => {
  const tenant = await tenantWith(seedOf(), { latencyMs: 50 });
  const result = await runBuilt(['apply', await folder(filesOfEveryKind), '--yes'], tenant.env, (child) => {
    child.stdout?.destroy();
  });
  expect({ code: result.code, writes: writesOf(tenant).length }).toEqual({ code: 0, writes: 3 });
});

test('a plan larger than a pipe arrives complete', async () => {
  const policies = Array.from({ length: 3_000 }, (_, index) => ({
    ...seedOf().rate_limit_policies?.[0],
    id: `rlp_${index}`,
    consumer_selector: `client_id:a${index}`,
  }));
  const tenant = await tenantWith({ rate_limit_policies: policies } as ReturnType<typeof seedOf>);
  const { stdout } = await runBuilt(
    ['plan', await folder({ 'p.yaml': 'rate_limit_policies: []\n' }), '--format', 'json'],
    tenant.env,
  );
  expect(JSON.parse(stdout).actions).toHaveLength(3_000);
});

test('validate loads neither the network, nor the server, nor what talks to people', async () => {
  const header = 'tenant: { base_url: https://login.acme.example/api/v2 }';
  const loaded = await loadedBy(['validate', await folder({ 'p.yaml': `${header}\nrate_limit_policies: []\n` })], {});
  const names = loaded.map((file) => basename(file).replace(/(?:-[\w-]{8})?\.cjs$/, ''));
  // introduced: the parsers of partials.
  expect(names).toEqual(expect.arrayContaining(['main', 'command-line', 'files', 'validate']));
  const others = [
    'main',
    'package.json',
    'start',
    'list',
    'rolldown-runtime',
    'version',
    'process-io',
    'run',
    'command-line',
    'files',
  ];
  expect(
    names.filter((name) => ![...others, 'kind-rate-limit-policies', 'validate', 'run-options'].includes(name)),
  ).toEqual([]);
});

test.each([
  ['', []],
  ['clients: [{ name: Web }]', ['clients']],
  ['event_streams: []', ['event-streams']],
  ['prompts: {}', ['prompts']],
  ['clients: [{ name: Web }]\nattack_protection: {}', ['attack-protection', 'clients']],
])('validate loads the kinds of the files and no others: %s', async (sections, expected) => {
  const header = 'tenant: { base_url: https://login.acme.example/api/v2 }';
  const loaded = await loadedBy(['validate', await folder({ 'a.yaml': `${header}\n${sections}\n` })], {});
  const kinds = loaded.flatMap((file) => /chunks\/kind-(.*)-[\w-]{8}\.cjs$/.exec(file)?.[1] ?? []);
  expect(kinds.sort()).toEqual(expected);
});

/** The files that a command loads. */
async function loadedBy(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const at = await folder({
    'list.cjs': `process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(Object.keys(require.cache))));`,
  });
  const { code, stderr } = await runBuilt(argv, { ...env, NODE_OPTIONS: `--require=${join(at, 'list.cjs')}` });
  expect(code, stderr).toBe(0);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('[')));
}

test('only a run with a private key loads what signs', async () => {
  const { spki, pkcs8 } = keyPair();
  const keyed = { client_id: 'keyed', public_keys: [spki], scopes: testClient.scopes };
  const tenant = await tenantWith(seedOf({ clients: [testClient, keyed] }));
  const argv = ['plan', await folder({ 'p.yaml': 'roles: []\n' })];
  const key = { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_CLIENT_ID: 'keyed', TENANT_SYNC_PRIVATE_KEY: pkcs8 };
  const signing = await Promise.all(
    [tenant.env, key].map(async (env) => {
      const texts = await Promise.all((await loadedBy(argv, env)).map((file) => readFile(file, 'utf8')));
      return texts.some((text) => text.includes('ERR_JWS_INVALID'));
    }),
  );
  expect(signing).toEqual([false, true]);
});

/** An apply of one change on a terminal, to a tenant that takes a while to read. */
async function onTerminal(
  reactions: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  behind = '',
) {
  const tenant = await tenantWith(seedOf(), { latencyMs: 100 });
  const files = await folder({ 'roles.yaml': 'roles: [{ name: Support, description: new }]\n' });
  const state = { TENANT_SYNC_STATE_DIR: await folder({}) };
  const { code, shown } = await runOnTerminal(['apply', files], { ...tenant.env, ...state, ...env }, reactions, behind);
  const locks = (await readdir(state.TENANT_SYNC_STATE_DIR, { recursive: true })).filter((name) => /lock$/.test(name));
  return { code, shown, locks, writes: writesOf(tenant).length };
}

describe('on a terminal', () => {
  const done = { code: 0, writes: 1, locks: [] };
  const declined = { code: 4, writes: 0, locks: [], shown: expect.stringContaining('CONFIRMATION_DECLINED') };
  const begun = 'reading the tenant';

  test.each([
    ['y', { '(y/N)': 'y\r' }, done],
    ['a corrected answer', { '(y/N)': 'n\x7fy\r' }, done],
    ['a word that begins with y', { '(y/N)': 'yarn test\r' }, declined],
    ['the end of the input', { '(y/N)': '\x04' }, declined],
    ['a line that was typed before the question', { [begun]: 'y\r', '(y/N)': '\r' }, declined],
    ['a word that was begun before the question', { [begun]: 'y', '(y/N)': '\r' }, declined],
    ['the same, with an answer', { [begun]: 'no\rno', '(y/N)': 'YES\r' }, done],
  ])('%s', async (_what, reactions, expected) => {
    expect(await onTerminal(reactions)).toMatchObject(expected);
  });

  test.each([
    ['Ctrl-C at the question', { '(y/N)': '\x03' }, 130],
    ['SIGTERM at the question', { '(y/N)': 'SIGTERM' }, 143],
    ['Ctrl-C in the bar', { [begun]: '\x03' }, 130],
  ])('%s ends the run', async (_what, reactions, code) => {
    const ended = await onTerminal(reactions);
    expect(ended).toMatchObject({
      code,
      writes: 0,
      locks: [],
      shown: expect.stringMatching(/Stopped by SIG\w+\.\s+$/),
    });
  });

  test('nothing is asked with the output in a pipe; a file is no program that reads the terminal', async () => {
    const piped = await onTerminal({ '(y/N)': 'y\r' }, {}, ' | cat');
    expect(piped).toMatchObject({ writes: 0, shown: expect.stringContaining('with the output in a pipe') });
    expect(await onTerminal({ [begun]: 'y', '(y/N)': '\r' }, {}, ' > /dev/null')).toMatchObject({ ...declined });
    expect(await onTerminal({ '(y/N)': 'y\r' }, {}, ' > /dev/null')).toMatchObject(done);
  });

  test.each([{ TERM: 'dumb' }, { NO_COLOR: '1' }])('with %o, no colours', async (env) => {
    const { shown, ...ended } = await onTerminal({ '(y/N)': 'y\r' }, env);
    expect(ended).toEqual(done);
    expect(/\x1b\[\d+m/.test(shown)).toBe(false);
    expect(shown.includes('░')).toBe(!('TERM' in env));
  });
});

describe('the compiled code that is kept between runs', () => {
  const withCache = (cache: string) => ({ XDG_CACHE_HOME: cache });
  const validate = (env: Readonly<Record<string, string>>) => runBuilt(['validate', join('examples', 'acme')], env);
  const isKept = 'enableCompileCache' in nodeModule;

  test.skipIf(isKept)('does not exist with this version of Node', async () => {
    const cache = await folder({});
    expect((await validate(withCache(cache))).code).toBe(0);
    expect(await readdir(cache)).toEqual([]);
  });

  test.skipIf(!isKept)('is in a folder of the user, and compiled again if it is damaged', async () => {
    const cache = await folder({});
    const first = await validate(withCache(cache));
    expect(first.code).toBe(0);
    expect(await readdir(cache)).toEqual(['tenant-sync']);
    const entries = await readdir(cache, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) await writeFile(file, (await readFile(file)).fill('x', 40));
    expect(await validate(withCache(cache))).toEqual(first);
  });

  test.skipIf(process.getuid?.() !== 0)('is not written through what another user made', async () => {
    const cache = await folder({ 'target/file': '' });
    await symlink(join(cache, 'target'), join(cache, 'tenant-sync'));
    await lchown(join(cache, 'tenant-sync'), 4321, 4321);
    expect((await validate(withCache(cache))).code).toBe(0);
    expect(await readdir(join(cache, 'target'), { recursive: true })).toEqual(['file']);
  });

  test('is kept where NODE_COMPILE_CACHE says, if anywhere', async () => {
    const cache = await folder({});
    const chosen = join(cache, 'chosen');
    for (const disabled of [{ NODE_DISABLE_COMPILE_CACHE: '1' }, {}]) {
      expect((await validate({ ...withCache(cache), NODE_COMPILE_CACHE: chosen, ...disabled })).code).toBe(0);
      expect(await readdir(cache)).toEqual(isKept && !('NODE_DISABLE_COMPILE_CACHE' in disabled) ? ['chosen'] : []);
    }
  });

  test('loads what a terminal needs', async () => {
    const cache = await folder({});
    const env = withCache(cache);
    for (const run of [1, 2]) {
      const { code, shown } = await onTerminal({ '(y/N)': 'y\r' }, env);
      expect({ run, code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining('1 of 1 action verified') });
      expect(shown).not.toContain('Warning');
    }
  });

  test('loads the packages beside it', async () => {
    const cache = await folder({});
    const env = { ...withCache(cache), TENANT_SYNC_BASE_URL: 'http://127.0.0.1:1/api/v2', TENANT_SYNC_TOKEN: 'x' };
    const state = { TENANT_SYNC_STATE_URL: 'postgres://127.0.0.1:1/state' };
    const apply = () => runBuilt(['apply', join('examples', 'acme'), '--yes'], { ...env, ...state });
    const first = await apply();
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error {2}DATABASE_UNREACHABLE/) });
    expect(await apply()).toEqual(first);
  });
});

test('the package holds what the command needs', async () => {
  const { files } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(files).toEqual(expect.arrayContaining(['dist', 'schemas', 'examples']));
  expect((await runBuilt(['validate', join('examples', 'acme')])).code).toBe(0);
});
