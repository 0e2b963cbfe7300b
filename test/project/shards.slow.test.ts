// Shards of a project, and their results as those of one run.
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.ts';
import { inShard, nameOf, type Target } from '../../src/cli/targets.ts';
import { emptySource } from '../../src/config/files/overlaid-source.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand, stopWith } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { propertyRuns } from '../support/thorough.ts';

const anyName = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,12}$/);
const targetOf = (name: string): Target => ({
  files: emptySource,
  project: null,
  tenant: {
    name,
    layers: [],
    environment: 'X',
    variables: {},
    baseUrl: null,
    wave: 1,
    approvals: [],
    source: { file: 'a.yaml', line: 1, column: 1 },
  },
});
const namesIn = (names: readonly string[], part: number, of: number) =>
  inShard(names.map(targetOf), { part, of }).map(nameOf);

describe('laws of shards', () => {
  const someNames = fc.uniqueArray(anyName, { maxLength: 40 });
  const parts = fc.integer({ min: 1, max: 12 });

  test('together they are all tenants, each once', () => {
    fc.assert(
      fc.property(someNames, parts, (names, of) => {
        const shards = Array.from({ length: of }, (_, index) => namesIn(names, index + 1, of));
        expect(shards.flat().sort()).toEqual([...names].sort());
      }),
      propertyRuns(200),
    );
  });

  test('a tenant that is added moves no other', () => {
    fc.assert(
      fc.property(someNames, anyName, parts, (names, added, of) => {
        const before = names.filter((name) => name !== added);
        for (let part = 1; part <= of; part += 1)
          expect(namesIn([...before, added], part, of).filter((name) => name !== added)).toEqual(
            namesIn(before, part, of),
          );
      }),
      propertyRuns(200),
    );
  });

  test('are of similar size, and the same on every machine', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `tenant-${index}`);
    for (let part = 1; part <= 10; part += 1) {
      expect(namesIn(names, part, 10).length).toBeGreaterThan(900);
      expect(namesIn(names, part, 10).length).toBeLessThan(1100);
    }
    expect([1, 2, 3].map((part) => namesIn(['acme-dev', 'acme-prod', 'globex'], part, 3))).toEqual([
      ['acme-dev', 'globex'],
      ['acme-prod'],
      [],
    ]);
  });
});

const policy = (limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n`;
/**
 * Tenants that differ in other ways. A role of five of them is deleted, c deletes more than its guards allow, and d cannot
 * be reached.
 */
async function fleet({ broken = true, more = '', own = {} as Readonly<Record<string, string>> } = {}) {
  const scene = await startFleet({
    files: {
      'base/policies.yaml': policy(5),
      'c/a.yaml': 'tenant: { guards: { max_delete_count: 0, max_delete_percent: 0 } }\n',
      'c/p.yaml': 'rate_limit_policies:\n  - { consumer_selector: "client_id:x", absent: true }\n',
      // An empty section of a later layer is a warning, and shows the line.
      'b/a.yaml': 'rate_limit_policies: []\n',
      ...own,
    },
    live: Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [
        name,
        [livePolicy('default', limit), ...(name === 'c' ? [livePolicy('client_id:x', 1)] : [])],
      ]),
    ),
    waves: { e9: 2, e10: 2 },
    more,
  });
  if (broken) scene.env['TENANT_D_CLIENT_SECRET'] = 'wrong';
  const stateDir = join(scene.cwd, '.state');
  const run = (...argv: string[]) =>
    runCommand(argv[0] === 'apply' ? [...argv, '--yes', '--state-dir', stateDir] : argv, at());
  const at = () => ({ cwd: scene.cwd, env: scene.env, clock: startFakeClock(1_790_000_000_000) });
  /** Each shard has a folder of its own, as jobs have that share no disk. */
  const inShards = async (command: string, of: number, ...argv: string[]) => {
    const codes: number[] = [];
    for (let part = 1; part <= of; part += 1) {
      const shard = ['--shard', `${part}/${of}`, '--results', `results/of-${part}`];
      codes.push((await run(command, '.', ...shard, ...argv)).code);
    }
    return codes;
  };
  return { ...scene, run, at, inShards, results: join(scene.cwd, 'results') };
}

/** c deletes nothing. */
const harmless = {
  'c/a.yaml': 'tenant: { undeclared: { rate_limit_policies: report } }\n',
  'c/p.yaml': 'rate_limit_policies: []\n',
};
const limits = { a: 5, 'a-b': 6, b: 6, c: 7, d: 6, e10: 5, e9: 6 };
const names = Object.keys(limits);
const approved = (text: string) => /- (\{ code: [^}]*\})/.exec(text)?.[0] ?? '';

describe('the results of all shards are those of one run', () => {
  test.each([
    ['plan', 1, []],
    ['plan', 3, ['--exit-code', '--wave', '1']],
    ['plan', 12, ['--tenant', 'a*', '--tenant', 'e*', '--exit-code']],
    ['drift', 4, []],
    ['drift', 2, ['--tenant', 'e10']],
  ])('%s in %i shards with %j, in every format', async (command, of, options) => {
    const { run, inShards } = await fleet();
    await inShards(command, of, ...options);
    const all = options.some((option) => option === '--tenant' || option === '--wave')
      ? options
      : ['--all', ...options];
    for (const format of commandTable.show.formats) {
      const one = await run(
        command,
        '.',
        ...all,
        ...(all.includes('e10') ? ['--shard', '1/1'] : []),
        '--format',
        format,
      );
      const merged = await run('show', 'results', '--format', format);
      expect({ of: format, ...merged, stderr: '' }).toEqual({ of: format, ...one, stderr: '' });
    }
  });

  test('apply of a wave, in every format', async () => {
    const whole = await fleet();
    const parted = await fleet();
    const codes = await parted.inShards('apply', 3, '--wave', '1');
    expect(codes.toSorted()).not.toEqual([0, 0, 0]);
    const reports = commandTable.show.formats.flatMap((format) => ['--report', `${format}=report.${format}`]);
    const one = await whole.run('apply', '.', '--wave', '1', ...reports);
    const merged = await parted.run('show', 'results', ...reports);
    expect(merged.code).toBe(one.code);
    // The tenants of each have their own ports, tokens and digests.
    const plain = async (cwd: string, format: string) =>
      (await readFile(join(cwd, `report.${format}`), 'utf8'))
        .replaceAll(/127\.0\.0\.1(?::|%3A)\d+/g, 'HOST')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/[0-9a-f]{24,}/g, 'DIGEST');
    for (const format of commandTable.show.formats)
      expect(await plain(parted.cwd, format), format).toBe(await plain(whole.cwd, format));
  });

  test('what all shards together delete is reviewed together, and approved once', async () => {
    const absent = 'rate_limit_policies:\n  - { consumer_selector: default, absent: true }\n';
    const scene = await startFleet({
      files: { 'base/policies.yaml': absent },
      live: Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [
          `t${index}`,
          [livePolicy('default', 5), livePolicy('client_id:y', 1)],
        ]),
      ),
    });
    const run = (...argv: string[]) => runCommand(argv, { cwd: scene.cwd, env: scene.env });
    for (let part = 1; part <= 12; part += 1) await run('plan', '.', '--shard', `${part}/12`, '--results', 'results');
    const { code, stderr } = await run('show', 'results');
    expect(code).toBe(4);
    expect(stderr).toContain('GUARD_SAME_DELETION');
    expect(stderr).toContain('12 tenants (t0, t1, t10, t11, t2');
    const project = await readFile(join(scene.cwd, 'tenant-sync.yaml'), 'utf8');
    await writeFile(join(scene.cwd, 'tenant-sync.yaml'), `${project}approvals:\n  ${approved(stderr)}\n`);
    for (let part = 1; part <= 12; part += 1)
      expect((await run('plan', '.', '--shard', `${part}/12`, '--results', 'again')).code).toBe(0);
    expect((await run('show', 'again')).code).toBe(0);
  });

  test('two results of one tenant are an error that names them', async () => {
    const { run, cwd } = await fleet({ broken: false, own: harmless });
    for (const folder of ['one', 'two']) await run('plan', '.', '--tenant', 'b', '--tenant', 'c', '--results', folder);
    expect(await run('show', 'one', 'two/c.json', '--format', 'json')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('c has 2 results: one/c.json, two/c.json.'),
    });
    // The file of a tenant that differed again is in the same folder.
    await copyFile(join(cwd, 'two/c.json'), join(cwd, 'one/c~again.json'));
    expect((await run('show', 'one')).code).not.toBe(3);
    expect((await run('show', 'two/c.json', 'one/c~again.json')).stderr).toContain('c has 2 results');
  });

  test('their plans are saved as those of one run, with its digest, for an apply in other shards', async () => {
    const { run, inShards, cwd, requests } = await fleet({ broken: false, own: harmless });
    expect(await inShards('plan', 3)).toEqual([0, 0, 0]);
    const merged = await run('show', 'results', '--out', 'merged', '--format', 'json');
    const one = await run('plan', '.', '--all', '--out', 'one', '--format', 'json');
    const last = (text: string) => text.trimEnd().split('\n').at(-1);
    expect(last(merged.stderr)?.replaceAll('merged', 'one')).toBe(last(one.stderr));
    const read = (folder: string, name: string) => readFile(join(cwd, folder, name), 'utf8');
    for (const name of await readdir(join(cwd, 'one')))
      expect(await read('merged', name)).toBe(await read('one', name));
    const [digest = ''] = /sha256:[0-9a-f]{64}/.exec(merged.stderr) ?? [];
    requests.length = 0;
    for (const wave of ['1', '2'])
      for (const shard of ['1/2', '2/2']) {
        const argv = ['--plan', 'merged', '--wave', wave, '--shard', shard, '--expect', digest];
        expect((await run('apply', '.', ...argv)).code).toBe(0);
      }
    expect(requests.filter((request) => request.includes(' PATCH ')).map((request) => request.split(' ')[0])).toEqual(
      expect.arrayContaining(['a-b', 'b', 'c', 'd', 'e9']),
    );
    // A shard whose results are missing fails its wave.
    await rm(join(cwd, 'results/of-1'), { recursive: true });
    expect((await run('show', 'results', '--out', 'some')).code).toBe(1);
    expect((await run('apply', '.', '--plan', 'some', '--wave', '1')).code).toBe(4);
    for (const folder of ['merged', 'merged/a.json'])
      expect(await run('show', folder, '--out', 'x')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('--out needs results of plan'),
      });
  });

  test('an item that only a tenant of another shard has is no error', async () => {
    const { run, inShards } = await fleet({
      broken: false,
      own: { 'e9/a.yaml': 'roles:\n  - { name: Tester, permissions: {} }\n' },
    });
    const codes = await inShards('plan', 7, '--only', 'roles/Tester');
    expect(codes).toContain(3);
    const merged = await run('show', 'results', '--format', 'json');
    const one = await run('plan', '.', '--all', '--only', 'roles/Tester', '--format', 'json');
    expect({ ...merged, stderr: '' }).toEqual({ ...one, stderr: '' });
    expect(JSON.parse(merged.stdout)).toMatchObject([{ tenant: { name: 'e9' } }]);
  });
});

describe('results', () => {
  test('each is the document of --format json, which only the owner can read, and has no secret', async () => {
    const { run, cwd, env } = await fleet();
    await run('plan', '.', '--all', '--results', 'results');
    const documents = JSON.parse((await run('plan', '.', '--all', '--format', 'json')).stdout);
    const files = (await readdir(join(cwd, 'results'))).sort();
    expect(files).toEqual([
      expect.stringMatching(/^_selection-[0-9a-f]{12}\.json$/),
      ...names.map((name) => `${name}.json`).sort(),
    ]);
    for (const [index, name] of names.toSorted().entries()) {
      const path = join(cwd, 'results', `${name}.json`);
      const text = await readFile(path, 'utf8');
      const result = JSON.parse(text);
      expect(result).toMatchObject({
        tenant: name,
        command: 'plan',
        code: name === 'd' ? 1 : name === 'c' ? 4 : 0,
      });
      expect(result.document).toEqual(documents[index]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      for (const [variable, value] of Object.entries(env))
        if (variable.endsWith('SECRET')) expect(text).not.toContain(value);
    }
    const alone = await run('show', 'results/e9.json');
    expect(alone.stdout).toContain('e9');
  });

  test('what a stopped run has finished is kept, and show names the rest', async () => {
    const { at, run, cwd } = await fleet({ broken: false });
    const { signal, stop } = stopWith();
    const watched = (async () => {
      while (!existsSync(join(cwd, 'results/a-b.json'))) await setImmediate();
      stop();
    })();
    const { code } = await runCommand(['drift', '.', '--all', '--parallel', '1', '--results', 'results'], {
      ...at(),
      signal,
    });
    await watched;
    expect(code).toBe(130);
    await run('drift', '.', '--tenant', 'c', '--results', 'results');
    const { code: shown, stdout, stderr } = await run('show', 'results');
    expect(shown).toBe(1);
    expect(stdout).toMatch(/^a-b {2}/m);
    expect(stderr).toContain('warning  RESULT_MISSING');
    expect(stderr).toMatch(/There is no result of \d tenants: .*e9\./);
  });

  test('of an earlier run are not taken for those of a killed one', async () => {
    const { run, cwd, env } = await fleet({ broken: false });
    await run('drift', '.', '--all', '--results', 'results');
    // Nothing can be sent.
    env['TENANT_A_BASE_URL'] = 'https://other.example/api/v2';
    expect((await run('drift', '.', '--tenant', 'a*', '--results', 'results')).code).toBe(3);
    expect(existsSync(join(cwd, 'results/a.json'))).toBe(false);
    expect(existsSync(join(cwd, 'results/b.json'))).toBe(true);
    expect((await run('show', 'results')).stderr).toContain('There is no result of 2 tenants: a, a-b.');
  });

  test('a folder with other files is not touched', async () => {
    const { run, cwd, requests } = await fleet();
    await writeFile(join(cwd, 'base/a.json'), '{}');
    const others = 'it contains files that are not results';
    for (const [folder, why] of Object.entries({ base: others, 'base/a.json': 'it is a file', '.': others }))
      expect(await run('drift', '.', '--all', '--results', folder)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`--results ${folder} cannot be used: ${why}.`),
      });
    expect(await readFile(join(cwd, 'base/a.json'), 'utf8')).toBe('{}');
    expect(requests).toEqual([]);
  });

  test('one that was changed, and a selection that is none, are refused', async () => {
    const { run, cwd } = await fleet();
    await run('plan', '.', '--all', '--results', 'results');
    const path = join(cwd, 'results/e9.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"PATCH"', '"DELETE"'));
    await writeFile(join(cwd, 'results/_selection-000000000000.json'), '{}');
    await writeFile(join(cwd, 'results/a.json'), '{"document": []}');
    const { code, stdout, stderr } = await run('show', 'results');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('e9.json was changed after it was saved');
    expect(stderr).toContain('_selection-000000000000.json is not the selection of a run with --results');
    expect(stderr).toContain('a.json cannot be used');
  });

  test('a tenant that differs again after its wave has both documents', async () => {
    const { run, changeAt } = await fleet({ broken: false, own: harmless });
    const stopChanging = await changeAt('b PATCH', 'a-b', 'rlp_default');
    const one = await run('apply', '.', '--all', '--parallel', '1', '--results', 'results', '--format', 'json');
    const { stdout } = await run('show', 'results', '--format', 'json');
    expect(one.stderr).toContain('a-b: it differs from the files again');
    const about = (text: string) =>
      JSON.parse(text)
        .map((one: { readonly plan?: object }) => ('plan' in one ? one.plan : one))
        .flatMap((plan: { readonly tenant?: { readonly name: string } }) => plan.tenant?.name ?? []);
    expect(about(stdout)).toEqual(about(one.stdout));
    expect(about(stdout).filter((name: string) => name === 'a-b')).toHaveLength(2);
    // Resumed, it is as declared, and what was found before is gone.
    stopChanging();
    const runName = /--resume ([0-9a-f]{8})/.exec(one.stderr)?.[1] ?? '';
    const rest = await run('apply', '.', '--all', '--yes', '--results', 'results', '--resume', runName);
    expect({ code: rest.code, shown: (await run('show', 'results')).code }).toEqual({ code: 0, shown: 0 });
  });
});

describe('a shard', () => {
  test('without a tenant is an empty result', async () => {
    const { run, requests } = await fleet();
    const empty = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].find((part) => namesIn(names, part, 12).length === 0);
    for (const command of ['validate', 'plan', 'drift']) {
      const { code, stdout } = await run(
        command,
        '.',
        '--shard',
        `${empty}/12`,
        '--format',
        'json',
        ...(command === 'validate' ? [] : ['--results', `results/${command}`]),
      );
      expect({ code, diagnostics: [JSON.parse(stdout)].flat()[0].diagnostics }).toEqual({ code: 0, diagnostics: [] });
    }
    expect(await run('apply', '.', '--shard', `${empty}/12`, '--wave', '2')).toMatchObject({ code: 0, stdout: '' });
    expect(requests).toEqual([]);
    for (const command of ['plan', 'drift'])
      expect((await run('show', `results/${command}`)).stderr).toContain(
        `There is no result of 7 tenants: ${names.toSorted().join(', ')}.`,
      );
    const mixed = await run('show', 'results');
    expect(mixed).toMatchObject({ code: 3, stderr: expect.stringContaining('The results are of drift and plan.') });
  });

  test('applies its part of saved plans, with the digest of all', async () => {
    const { run, requests } = await fleet({ broken: false, own: harmless });
    const { stderr } = await run('plan', '.', '--all', '--out', 'plans');
    const [digest = ''] = /sha256:[0-9a-f]{64}/.exec(stderr) ?? [];
    const writes = () =>
      requests.filter((request) => request.includes(' PATCH ')).map((request) => request.split(' ')[0]);
    for (const wave of ['1', '2'])
      for (let part = 1; part <= 12; part += 1) {
        const shard = ['--wave', wave, '--shard', `${part}/12`, '--results', 'results'];
        const { code } = await run('apply', '.', '--plan', 'plans', ...shard, '--expect', digest);
        expect(code).toBe(0);
        expect(writes()).toEqual(expect.arrayContaining(wave === '2' ? ['a-b', 'b', 'd'] : []));
      }
    expect(writes().toSorted()).toEqual(['a-b', 'b', 'c', 'd', 'e9']);
    expect(await run('show', 'results')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [['plan', '.', '--shard', '0/2'], '--shard 0/2 is not a shard'],
    [['plan', '.', '--shard', '3/2'], 'use I/N with I from 1 to N'],
    [['drift', '.', '--shard', '1/1001'], 'N is at most 1000'],
    [['validate', '.', '--shard', '1'], 'is not a shard'],
    [['apply', '.', '--shard', '1/2'], '--shard needs --wave'],
    [
      ['apply', '.', '--all', '--shard', '1/2'],
      'add --wave N, and start the next wave when all shards of this one have ended with 0',
    ],
    [['apply', '.', '--tenant', 'a', '--plan', 'a.json', '--results', 'x'], '--plan FILE is the plan of one tenant'],
    [['plan', 'base', '--shard', '1/2'], 'name a folder with tenant-sync.yaml'],
    [['plan', 'base', '--results', 'x'], 'name a folder with tenant-sync.yaml'],
    [['plan', '.', '--results', 'x'], 'add --tenant NAME'],
  ])('%j', async (argv, words) => {
    const { run, requests } = await fleet();
    expect(await run(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
    expect(requests).toEqual([]);
  });
});
