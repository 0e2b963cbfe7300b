// The library as its users get it: packed, installed in an empty folder, run, and compiled against.
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesInStages, filesOfEveryKind, seedOf } from '../support/files-and-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const root = join(import.meta.dirname, '..', '..');
let consumer: string;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that ends within two minutes. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
  watch: (child: ChildProcess) => void = () => {},
) {
  return new Promise<Ended>((resolve) => {
    const child = execFile(command, [...args], { cwd, env, timeout: 120_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    watch(child);
  });
}

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'tenant-sync-consumer-'));
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer], root);
  const [{ filename }] = JSON.parse(packed.stdout);
  await copyFile(join(root, 'examples/library/sync.mjs'), join(consumer, 'sync.mjs'));
  await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const installed = await run('npm', ['install', ...options, `./${filename}`], consumer);
  if (installed.code !== 0) throw new Error(installed.stderr);
}, 240_000);
afterAll(() => rm(consumer, { recursive: true, force: true }));

describe('examples/library', () => {
  test('plans, prints, applies, and is in sync afterwards', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const state = await folder({});
    const sync = () =>
      run(process.execPath, ['sync.mjs', files, '--yes'], consumer, { ...tenant.env, TENANT_SYNC_STATE_DIR: state });
    const first = await sync();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('put prompts/login: PUT /prompts/login/partials');
    expect(first.stdout).toContain('done: prompts/login');
    expect(first.stdout).toContain('3 done, 0 failed, 0 not attempted, 0 unknown');
    expect(await sync()).toMatchObject({ code: 0, stdout: 'in sync\n' });
  });

  test('a signal finishes the request in flight, and the next run does the rest', async () => {
    let child: ChildProcess | undefined;
    const tenant = await tenantWith(seedOf(), {
      latencyMs: 200,
      onRequest: ({ method, operation }) => {
        if (method !== 'GET' && operation !== 'token') child?.kill('SIGINT');
      },
    });
    const env = { ...tenant.env, TENANT_SYNC_STATE_DIR: await folder({}) };
    const args = ['sync.mjs', await folder(filesInStages), '--yes'];
    const stopped = await run(process.execPath, args, consumer, env, (started) => {
      child = started;
    });
    expect(stopped).toMatchObject({ code: 1, stderr: '' });
    expect(stopped.stdout).toContain('1 done, 0 failed, 2 not attempted, 0 unknown');
    child = undefined;
    const next = await run(process.execPath, args, consumer, env);
    expect(next.code).toBe(0);
    expect(next.stdout).toContain('2 done, 0 failed, 0 not attempted, 0 unknown');
  });

  test('a plan that is not confirmed is not applied', async () => {
    const tenant = await tenantWith(seedOf());
    const env = { ...tenant.env, TENANT_SYNC_STATE_DIR: await folder({}) };
    const { code, stderr } = await run(process.execPath, ['sync.mjs', await folder(filesOfEveryKind)], consumer, env);
    expect({ code, declined: stderr.includes('CONFIRMATION_DECLINED') }).toEqual({ code: 4, declined: true });
    expect(tenant.tenant.snapshot()).toMatchObject({ rate_limit_policies: { length: 3 } });
  });

  test('invalid files end it before anything is sent', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({ 'a.yaml': 'roles: [{ id: 1 }]\n' });
    const { code, stderr } = await run(process.execPath, ['sync.mjs', files, '--yes'], consumer, tenant.env);
    expect({ code, reported: stderr.includes('CONFIG_WRONG_TYPE') }).toEqual({ code: 3, reported: true });
    expect(tenant.tenant.requests).toEqual([]);
  });
});

test('a database as the state needs the package pg, which is not installed with this one', async () => {
  const tenant = await tenantWith(seedOf());
  const command = join(consumer, 'node_modules/.bin/tenant-sync');
  const env = {
    ...tenant.env,
    PATH: process.env['PATH'] ?? '',
    TENANT_SYNC_STATE_URL: 'postgres://user:planted-password@127.0.0.1:1/x',
  };
  const applied = await run(command, ['apply', await folder(filesOfEveryKind), '--yes'], consumer, env);
  expect({
    code: applied.code,
    stdout: applied.stdout,
    isShown: applied.stderr.includes('STATE_DRIVER_MISSING'),
  }).toEqual({ code: 3, stdout: '', isShown: true });
  expect(applied.stderr).toContain('npm install pg@8');
  expect(applied.stderr).not.toContain('planted-password');
});

describe('the declarations', () => {
  const program = `import { apply, drift, folderSource, parsePlan, plan, validate } from 'tenant-sync';
import type { Action, ApplyResult, Diagnostic, Plan, SyncEvent } from 'tenant-sync';

const tenant = { baseUrl: 'https://a.example/api/v2', credentials: { token: 'x' } };
const files = folderSource('/files');
export async function check(): Promise<readonly Diagnostic[]> {
  const result = await validate({ files });
  return result.status === 'invalid' ? result.diagnostics : result.warnings;
}
export async function actions(): Promise<readonly Action[]> {
  const result = await plan({ files, tenant, changed: false, selection: { only: ['roles'], except: [], rotate: [] } });
  return result.status === 'planned' ? result.plan.actions : [];
}
export async function differs(signal: AbortSignal): Promise<boolean> {
  const result = await drift({ files, tenant, signal });
  return result.status === 'compared' && result.differs;
}
export function perform(saved: Plan): Promise<ApplyResult> {
  const onEvent = (event: SyncEvent): void => {
    if (event.type === 'action_ended') event.outcome.outcome satisfies string;
  };
  return apply({ files, tenant, saved, stateFolder: '/state', confirm: async (plan) => plan.actions.length < 10, onEvent });
}
export function read(text: string): Plan | null {
  const parsed = parsePlan(text, 'plan.json');
  return parsed.status === 'parsed' ? parsed.plan : null;
}
`;
  const compile = async (text: string) => {
    await writeFile(join(consumer, 'consumer.ts'), text);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: [],
      noEmit: true,
      skipLibCheck: false,
    };
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], consumer);
  };

  test('are accepted by a strict compiler that checks libraries too', async () => {
    expect(await compile(program)).toMatchObject({ code: 0, stdout: '' });
  });

  test('refuse what the library does not have', async () => {
    const { code, stdout } = await compile(program.replace('confirm: async (plan) => plan.actions.length < 10, ', ''));
    expect({ failed: code !== 0, missing: stdout.includes("'confirm'") }).toEqual({ failed: true, missing: true });
  });

  test('are all that the package has: no sources, no tests', async () => {
    const manifest = JSON.parse(await readFile(join(consumer, 'node_modules/tenant-sync/package.json'), 'utf8'));
    expect(manifest.exports['.']).toEqual({ types: './dist/types/sync/index.d.ts', default: './dist/lib/index.js' });
    const { stdout } = await run('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], root);
    const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([manifest.exports['.'].types, 'dist/lib/index.js'].map((path) => path.replace('./', ''))),
    );
    expect(paths.filter((path) => /^(src|test)\//.test(path))).toEqual([]);
  });
});

describe('the package', () => {
  test('prints no warning when it is installed with scripts', async () => {
    const [archive = ''] = (await readdir(consumer)).filter((name) => name.endsWith('.tgz'));
    const other = await folder({ 'package.json': '{ "private": true }\n' });
    const options = ['--no-audit', '--no-fund', '--prefer-offline'];
    const installed = await run('npm', ['install', '--save-dev', ...options, join(consumer, archive)], other);
    expect(installed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warn') });
    const manifest = JSON.parse(await readFile(join(other, 'node_modules/tenant-sync/package.json'), 'utf8'));
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
    expect(atInstall.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  test('has no link to a file that it lacks', async () => {
    const packed = join(consumer, 'node_modules/tenant-sync');
    const pages = (await readdir(packed, { recursive: true })).filter((file) => file.endsWith('.md'));
    const links = pages.map(async (page) => {
      const text = (await readFile(join(packed, page), 'utf8')).replaceAll(/^ *```[\s\S]*?^ *```|`[^`\n]*`/gm, '');
      const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, target = '']) => target);
      return targets
        .filter((target) => !/^https?:/.test(target) && !existsSync(join(packed, dirname(page), target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(pages).toContain('README.md');
    expect((await Promise.all(links)).flat()).toEqual([]);
  });
});
