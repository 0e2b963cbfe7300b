// What jobs may set, as inputs of the action and as arguments.
import { expect, test } from 'vitest';
import { optionsOf } from '../../src/cli/options.ts';
import { secretValues, settingsFrom, sharedOptions } from '../../src/pipeline/settings.ts';

test('inputs of the action', () => {
  const settings = settingsFrom([], {
    INPUT_STEP: 'plan',
    INPUT_FOLDER: './infra/tenant/',
    INPUT_OPTIONS: '--var-file=a.yaml\n\n  --allow-env=CRM_*  \n',
    INPUT_PATHS: 'package-lock.json\nshared',
    RUNNER_TEMP: '/tmp/runner',
  });
  expect(settings).toMatchObject({
    step: 'plan',
    folder: 'infra/tenant',
    results: '/tmp/runner/tenant-sync',
    options: ['--var-file=a.yaml', '--allow-env=CRM_*'],
    paths: ['package-lock.json', 'shared'],
    author: 'github-actions[bot]',
    environment: 'tenant-write',
  });
});

test('options that begin with hyphens, in one argument', () => {
  expect(settingsFrom(['plan', '--options=--var-file=a.yaml\n--allow-env=CRM_*'], {}).options).toEqual([
    '--var-file=a.yaml',
    '--allow-env=CRM_*',
  ]);
});

test('options are those of all commands: what one has alone could leave out a part of the files', () => {
  const sets = (['validate', 'plan', 'apply', 'drift'] as const).map(
    (command) => new Set(optionsOf(command).map(({ name }) => name)),
  );
  // Each shard of a plan and its apply has a folder of results.
  const ofAll = sharedOptions.filter((name) => name !== 'results');
  expect(ofAll.filter((name) => !sets.every((names) => names.has(name)))).toEqual([]);
});

test.each(['ghs_planted\nx', 'ghs_planted \u00e9', 'ghs_planted\u0000'])('the token %j is not shown', (token) => {
  const open = () => settingsFrom([], { INPUT_STEP: 'publish', INPUT_TOKEN: token });
  expect(open).toThrow('characters that no token has');
  expect(open).not.toThrow('planted');
});

test('arguments, which GitLab uses', () => {
  const env = { TENANT_PIPELINE_TOKEN: 't', INPUT_STEP: 'apply' };
  expect(settingsFrom(['drift', '--folder', 'tenant'], env)).toMatchObject({
    step: 'drift',
    folder: 'tenant',
    token: 't',
  });
});

test.each([
  [{ INPUT_STEP: 'deploy' }, 'Unknown step "deploy"'],
  [{ INPUT_STEP: 'plan', INPUT_FOLDER: '../other' }, 'is not inside the repository'],
  [{ INPUT_STEP: 'plan', INPUT_FOLDER: '/etc' }, 'is not inside the repository'],
  [{ INPUT_STEP: 'plan', INPUT_FOLDER: '--yes' }, 'is not inside the repository'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: 'other-folder' }, '"other-folder" is not an option'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--var-file=a.yaml\n--var=LIMIT=1' }, 'takes no --var. Use --var-file'],
  [{ INPUT_STEP: 'apply', INPUT_OPTIONS: '--wave=1' }, 'takes no --wave. Use the input "wave"'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--tenant' }, 'takes no --tenant. Use the input "tenant"'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--only=roles/a' }, 'takes no --only. Use the input "only"'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--rotate=roles/a' }, 'takes no --rotate. Use the input "rotate"'],
  [{ INPUT_STEP: 'apply', INPUT_OPTIONS: '--except=roles' }, 'takes no --except. Use one of'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--except' }, 'takes no --except. Use one of'],
  [
    { INPUT_STEP: 'plan', INPUT_OPTIONS: '--help' },
    'takes no --help. Use one of --allow-env, --debug, --no-color, --report, --results, --shard, --var-file.',
  ],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--format=json' }, 'takes no --format. Use one of'],
  [{ INPUT_STEP: 'plan', INPUT_OPTIONS: '--varFile=a.yaml' }, 'takes no --varFile. Use one of'],
  [{ INPUT_STEP: 'plan', INPUT_ROTATE: 'event_streams' }, '"event_streams" names no single item'],
  [{ INPUT_STEP: 'plan', INPUT_ROTATE: 'event_streams/*' }, 'names no single item'],
  [{ INPUT_STEP: 'plan', INPUT_ONLY: 'roles/a\nroles/b' }, 'names no single item'],
  [{ INPUT_STEP: 'plan', INPUT_ONLY: '--yes' }, 'names no single item'],
])('%j is refused', (env, message) => {
  expect(() => settingsFrom([], env)).toThrow(message);
});

test.each([[['plan', 'tenant']], [['plan', '--unknown']]])('%j is refused', (argv) => {
  expect(() => settingsFrom(argv, {})).toThrow();
});

test('one item of a run, with a key of any characters', () => {
  const env = { INPUT_STEP: 'plan', INPUT_ROTATE: ' event_streams/Users, to CRM ', INPUT_ONLY: '' };
  expect(settingsFrom([], env)).toMatchObject({ rotate: 'event_streams/Users, to CRM', only: '' });
});

test('secrets for the tool', () => {
  const secrets = { TENANT_VAR_A: 'one', TENANT_VAR_B: 'two\nlines', ACME_DEV_VAR_A_TOKEN: 'three' };
  expect(settingsFrom([], { INPUT_STEP: 'apply', INPUT_SECRETS: JSON.stringify(secrets) }).secrets).toEqual(secrets);
  expect(settingsFrom([], { INPUT_STEP: 'apply', INPUT_SECRETS: '' }).secrets).toEqual({});
});

test('credentials of tenants, of which the log hides what is secret', () => {
  const credentials = {
    ACME_DEV_BASE_URL: 'https://dev.acme.example/api/v2',
    ACME_DEV_AUTH_URL: 'https://dev.acme.example',
    ACME_DEV_AUDIENCE: 'audience',
    ACME_DEV_CLIENT_ID: 'client',
    ACME_DEV_CLIENT_SECRET: 'secret',
    GLOBEX_PRIVATE_KEY: 'key',
    TENANT_SYNC_TOKEN: 'token',
  };
  const settings = settingsFrom([], {
    INPUT_STEP: 'plan',
    INPUT_CREDENTIALS: JSON.stringify(credentials),
    INPUT_SECRETS: '{"TENANT_VAR_A":"one","GLOBEX_VAR_A_URL":"two"}',
  });
  expect(settings.credentials).toEqual(credentials);
  expect(secretValues(settings)).toEqual(['one', 'two', 'secret', 'key', 'token']);
});

test.each([
  'PATH',
  'NODE_OPTIONS',
  'GIT_SSH_COMMAND',
  'TENANT_VAR_A_TOKEN',
  'ACME_VAR_A_TOKEN',
  'acme_TOKEN',
  'TENANT_SYNC_STATE_DIR',
])('the credential %s is refused', (name) => {
  const env = { INPUT_STEP: 'plan', INPUT_CREDENTIALS: JSON.stringify({ [name]: 'planted' }) };
  expect(() => settingsFrom([], env)).toThrow('The input "credentials" has a name that cannot be set');
});

test.each([
  'planted',
  '["planted"]',
  '{"PATH":"planted"}',
  '{"ACME_TOKEN":"planted"}',
  '{"TENANT_SYNC_TOKEN":"planted"}',
  '{"TENANT_VAR_A":{"b":"planted"}}',
  '{"TENANT_VAR_A":""}',
])('the secrets %s are refused and not shown', (text) => {
  const open = () => settingsFrom([], { INPUT_STEP: 'apply', INPUT_SECRETS: text });
  expect(open).toThrow('The input "secrets" ');
  expect(open).not.toThrow('planted');
});
