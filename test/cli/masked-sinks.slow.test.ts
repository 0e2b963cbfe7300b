// Every place where a run prints or writes, and every credential: one table for one tenant, and one for several. A tenant
// repeats each credential in the name and the id of a policy, so that every cell shows where it was.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { once } from '../../src/values/memoized.ts';
import { startFaultServer } from '../support/fault-server.ts';
import { keyPair } from '../support/key-pairs.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const key = keyPair().pkcs8;

const database = await newDatabase();

/** Short enough for an id. */
const credentials = {
  'client secret': 'clientSecretPlanted',
  'client secret that the run of one does not use': 'elsewhereIsPlanted0',
  token: 'tokenOfOneIsPlanted',
  'token that another tenant issues later': 'laterTokenIsPlanted',
  'value of a variable': 'variableIsPlanted01',
  'password of a proxy': 'proxyWordIsPlanted1',
  'password of the database': new URL(database).password,
  // The beginning of a line.
  'private key of another tenant, in a file': /^[A-Za-z0-9]{20}/m.exec(key.split('\n').slice(2).join('\n'))?.[0] ?? '',
};
type Credential = keyof typeof credentials;
const names = Object.keys(credentials) as Credential[];

/** `at-0-`, and after it the credential. */
const markOf = (name: Credential) => `at-${names.indexOf(name)}-`;

const formats = ['text', 'json', 'markdown', 'html', 'github'];

const layer = {
  'tenant.yaml':
    'tenant: { guards: { max_delete_count: 100, max_delete_percent: 100 }, undeclared: { rate_limit_policies: delete } }\n',
  'policies.yaml': 'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: allow } }\n',
  'streams.yaml': `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: bearer, token: "\${env:TENANT_VAR_HOOK}" }
`,
};

const ends: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(ends.map((end) => end())));

/** A tenant that issues this token and repeats all of these secrets. */
async function repeating(token: string, repeated: readonly Credential[]) {
  const policy = (id: string, consumer_selector: string) => ({
    ...{ id, resource: 'oauth_authentication_api', consumer: 'client', consumer_selector },
    configuration: { action: 'allow' },
  });
  const policies = [
    policy('rlp_default', 'default'),
    ...repeated.map((name) => {
      const text = markOf(name) + credentials[name];
      // No request may contain the own credential.
      return policy(name === 'client secret' ? 'rlp_1' : text, `client_id:${text}`);
    }),
  ];
  const server = await startFaultServer(({ method, path }) => {
    if (path.startsWith('/oauth/token'))
      return { body: { access_token: token, token_type: 'Bearer', expires_in: 86_400 } };
    if (method !== 'GET') return { status: 400, body: { statusCode: 400, error: 'Bad Request', message: 'refused' } };
    return { body: path.includes('/event-streams') ? { eventStreams: [] } : { rate_limit_policies: policies } };
  });
  ends.push(() => server.close());
  return server.baseUrl;
}

const shared = {
  T_THREE_CLIENT_SECRET: credentials['client secret that the run of one does not use'],
  TENANT_VAR_HOOK: credentials['value of a variable'],
  HTTPS_PROXY: `http://ci:${credentials['password of a proxy']}@127.0.0.1:9`,
};

type Variables = Readonly<Record<string, string>>;

/** A text of each place, by its name. */
type Sinks = Map<string, string>;

function add(sinks: Sinks, sink: string, text: string): void {
  sinks.set(sink, (sinks.get(sink) ?? '') + text);
}

/** Files that name no item: of the other tenant, indexes, locks, and which tenants a run has finished. */
const isAboutNone = (name: string) => /\b(?:two|three)\b|_|\.lock|\.run/.test(name) && !name.endsWith('.journal');

async function addFiles(sinks: Sinks, command: string, path: string): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const sink = `${command}: ${isAboutNone(entry.name) ? '(none) ' : ''}${file.slice(path.length + 1).replace(/[^/]*\.journal/, 'journal')}`;
    add(sinks, sink, await readFile(file, 'utf8'));
  }
}

/** What a command prints and writes, in every format. FILES is a folder for it. */
async function addRun(sinks: Sinks, argv: readonly string[], cwd: string, env: Variables): Promise<void> {
  const [command = ''] = argv;
  for (const format of formats) {
    const files = await folder({});
    const reports = formats.flatMap((name) => ['--report', `${name}=${join(files, `report.${name}`)}`]);
    const run = [...argv.map((text) => text.replace('FILES', files)), '--debug', '--format', format, ...reports];
    const inFolder = env['TENANT_SYNC_STATE_URL'] === undefined && { TENANT_SYNC_STATE_DIR: join(files, 'state') };
    const { code, stdout, stderr } = await runCommand(run, { cwd, env: { ...env, ...inFolder }, clock: systemClock });
    expect([0, 1, 2], stderr).toContain(code);
    add(sinks, `${command}: stdout as ${format}`, stdout);
    add(sinks, `${command}: stderr`, stderr);
    await addFiles(sinks, command, files);
  }
}

async function addTables(sinks: Sinks, command: string): Promise<void> {
  const tables = await asAdmin(
    database,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('tenant_sync', 'tenant_sync_queue') and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables)
    sinks.set(`${command}: table ${name}`, JSON.stringify(await asAdmin(database, `select * from ${name}`)));
}

const isLater = (name: Credential) => name.startsWith('token that');
const isOfOthers = (name: Credential) => name.includes('another tenant');

const forOne = once(async () => {
  const repeated = names.filter((name) => !isOfOthers(name));
  // What is shown beside the documents, too.
  const path = `files-${credentials['value of a variable']}`;
  const cwd = await folder(Object.fromEntries(Object.entries(layer).map(([name, text]) => [`${path}/${name}`, text])));
  const env = {
    ...shared,
    TENANT_SYNC_BASE_URL: await repeating(credentials.token, repeated),
    TENANT_SYNC_CLIENT_ID: 'ci',
    TENANT_SYNC_CLIENT_SECRET: credentials['client secret'],
  };
  const inDatabase = { ...env, TENANT_SYNC_STATE_URL: database };
  const sinks: Sinks = new Map();
  await addRun(sinks, ['plan', path, '--out', 'FILES/plan.json'], cwd, inDatabase);
  await addRun(sinks, ['drift', path], cwd, inDatabase);
  await addRun(sinks, ['apply', path, '--yes'], cwd, inDatabase);
  await addTables(sinks, 'apply');
  // The database is none of its credentials.
  const inFolder: Sinks = new Map();
  await addRun(inFolder, ['apply', path, '--yes'], cwd, env);
  return { sinks, inFolder };
});

const forSeveral = once(async () => {
  const oneUrl = await repeating(credentials.token, names);
  const twoUrl = await repeating(credentials['token that another tenant issues later'], []);
  const threeUrl = await repeating('token-of-the-third-tenant', []);
  const entries = { T_ONE: oneUrl, T_TWO: twoUrl, T_THREE: threeUrl };
  const cwd = await folder({
    ...Object.fromEntries(Object.entries(layer).map(([name, text]) => [`base/${name}`, text])),
    'two.pem': key,
    'tenant-sync.yaml': `tenants:\n${Object.entries(entries)
      .map(
        ([prefix, url]) =>
          `  ${prefix.slice(2).toLowerCase()}: { layers: [base], environment: ${prefix}, base_url: "${url}" }\n`,
      )
      .join('')}`,
  });
  const env = {
    ...shared,
    T_ONE_BASE_URL: oneUrl,
    T_ONE_CLIENT_ID: 'ci',
    T_ONE_CLIENT_SECRET: credentials['client secret'],
    T_THREE_BASE_URL: threeUrl,
    T_THREE_CLIENT_ID: 'ci',
    T_TWO_BASE_URL: twoUrl,
    T_TWO_CLIENT_ID: 'ci',
    T_TWO_PRIVATE_KEY_FILE: 'two.pem',
  };
  const inDatabase = { ...env, TENANT_SYNC_STATE_URL: database };
  const sinks: Sinks = new Map();
  // The second tenant gets its token when the first one has ended.
  const all = ['.', '--all', '--parallel', '1', '--results', 'FILES/results'];
  await addRun(sinks, ['plan', ...all, '--out', 'FILES/plans'], cwd, inDatabase);
  await addRun(sinks, ['drift', ...all], cwd, inDatabase);
  await addRun(sinks, ['apply', ...all, '--yes'], cwd, inDatabase);
  await addTables(sinks, 'apply');
  const inFolder: Sinks = new Map();
  await addRun(inFolder, ['apply', ...all, '--yes'], cwd, env);
  const worker: Sinks = new Map();
  const { stdout, stderr } = await runCommand(['worker', '.', '--once', '--parallel', '1'], {
    cwd,
    env: inDatabase,
    clock: systemClock,
  });
  worker.set('worker: stdout', stdout).set('worker: stderr', stderr);
  await addTables(worker, 'worker');
  return { sinks, inFolder, worker };
});

/** Where the names of items are: each of these must show where the credential was. */
const showsItems =
  /stdout as|report\.|plan\.json|journal|(?:results|plans)\/one\.json|^apply: (?:stderr|table tenant_sync\.texts)|^worker: table tenant_sync\.checks/;

function expectMasked(sinks: Sinks, name: Credential): void {
  const [secret, mark] = [credentials[name], `${markOf(name)}***`];
  // What --debug prints at once may be before the other tenant has its token. No request has the client secret.
  const isNoRow = (sink: string) => sink.endsWith('stderr') && (name === 'client secret' || isLater(name));
  const cells = [...sinks].filter(([sink]) => !isNoRow(sink));
  expect(cells.filter(([, text]) => text.includes(secret)).map(([sink]) => sink)).toEqual([]);
  expect(cells.filter(([sink, text]) => showsItems.test(sink) && !text.includes(mark)).map(([sink]) => sink)).toEqual(
    [],
  );
}

describe.each([
  ['one tenant', forOne, 34],
  ['several tenants', forSeveral, 37],
] as const)('of %s', (which, run, rows) => {
  const own = names.filter((name) => which === 'several tenants' || !isOfOthers(name));

  test('every format and every file is a row', async () => {
    const { sinks: all, inFolder } = await run();
    const shown = new Set([...all.keys(), ...inFolder.keys()].filter((sink) => showsItems.test(sink)));
    expect([...shown]).toHaveLength(rows);
  });

  test.each(own)('no place shows the %s', async (name) => {
    const { sinks: all, inFolder } = await run();
    expectMasked(all, name);
    if (name !== 'password of the database') expectMasked(inFolder, name);
  });
});

// What is only known while another tenant is checked is forgotten with that check.
test.each(names.filter((name) => !isOfOthers(name)))('no place of a worker shows the %s', async (name) => {
  expectMasked((await forSeveral()).worker, name);
});
