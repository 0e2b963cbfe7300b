import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { contractSeed } from '../contract/contract-seed.ts';
import type { OpenedTenant } from '../support/start-tenant.ts';
import { authorizedRequest, openTenant } from '../support/start-tenant.ts';

let folder: string;
let stateFile: string;
/** Where a change is written before it replaces the state file. */
let temporaryFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenant-state-'));
  stateFile = join(folder, 'state.json');
  temporaryFile = join(folder, `state.json.tmp`);
});

afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

describe('the state file', () => {
  test('is there from the start, for its owner alone', async () => {
    await openTenant(contractSeed, { stateFile });
    expect(await stored()).toEqual(contractSeed);
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('contains every change before its response is sent', async () => {
    const tenant = await openTenant(contractSeed, { stateFile });
    const ids = (contractSeed.rate_limit_policies ?? []).slice(0, 20).map((policy) => policy.id);
    for (const id of ids) {
      expect(await write(tenant, 'DELETE', `/rate-limit-policies/${id}`)).toBe(204);
      expect(await stored()).toEqual(tenant.snapshot());
    }
    expect(await write(tenant, 'PUT', '/prompts/login/partials', { login: { a: 'b' } })).toBe(200);
    await tenant.change((state) => {
      state.roles = [];
    });
    expect(await stored()).toEqual({
      ...contractSeed,
      rate_limit_policies: contractSeed.rate_limit_policies?.slice(20),
      prompts: { login: { partials: { login: { a: 'b' } } } },
      roles: [],
    });
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('contains all of many concurrent changes', async () => {
    const tenant = await openTenant(contractSeed, { stateFile });
    const statuses = await Promise.all(
      (contractSeed.rate_limit_policies ?? []).map(({ id }) => write(tenant, 'DELETE', `/rate-limit-policies/${id}`)),
    );
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await stored()).toEqual({ ...contractSeed, rate_limit_policies: [] });
  });

  test('wins over the seed', async () => {
    await openTenant(contractSeed, { stateFile });
    const tenant = await openTenant({ roles: [] }, { stateFile });
    expect(tenant.snapshot()).toEqual(contractSeed);
  });

  test('a refused write does not touch it', async () => {
    const tenant = await openTenant(contractSeed, { stateFile });
    await rm(stateFile);
    expect(await write(tenant, 'DELETE', '/rate-limit-policies/rlp_none')).toBe(404);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a second file that a kill has left behind is written over, and a link in its place is not followed', async () => {
    const other = join(folder, 'other.json');
    await writeFile(other, 'precious');
    await symlink(other, temporaryFile);
    await openTenant(contractSeed, { stateFile });
    expect(await readFile(other, 'utf8')).toBe('precious');
    expect(await stored()).toEqual(contractSeed);
    await writeFile(temporaryFile, '{"half":');
    const tenant = await openTenant({}, { stateFile });
    expect(await write(tenant, 'DELETE', '/rate-limit-policies/rlp_1000')).toBe(204);
    expect(await readdir(folder)).toEqual(['other.json', 'state.json']);
  });

  test('a change that cannot be stored returns 500 and is undone', async () => {
    const tenant = await openTenant(contractSeed, { stateFile });
    await mkdir(join(temporaryFile, 'in the way'), { recursive: true });
    expect(await write(tenant, 'DELETE', '/rate-limit-policies/rlp_1000')).toBe(500);
    await expect(tenant.change((state) => Reflect.deleteProperty(state, 'roles'))).rejects.toThrow('EISDIR');
    expect(tenant.snapshot()).toEqual(contractSeed);
    expect(await stored()).toEqual(contractSeed);
    await rm(temporaryFile, { recursive: true });
    expect(await write(tenant, 'DELETE', '/rate-limit-policies/rlp_1000')).toBe(204);
    expect(await stored()).toEqual(tenant.snapshot());
  });
});

describe('a state file that cannot be used', () => {
  test.each([
    ['not JSON', 'not JSON', 'SEED_INVALID', 'is not valid JSON.'],
    ['no state', '{"roles":7}', 'SEED_INVALID', ': /roles: Expected type array but found type number.'],
  ])('%s', async (_name, text, code, message) => {
    await writeFile(stateFile, text);
    const opening = openTenant(contractSeed, { stateFile });
    await expect(opening).rejects.toMatchObject({
      diagnostics: [{ code, severity: 'error', message: expect.stringContaining(message) }],
    });
    expect(await readFile(stateFile, 'utf8')).toBe(text);
  });

  test('a folder', async () => {
    await expect(openTenant({}, { stateFile: folder })).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'OPTION_INVALID',
          message: `The state file ${folder} cannot be used: NOT_REGULAR.`,
          hint: expect.stringContaining('free space'),
        },
      ],
    });
  });

  test('a folder that is not there', async () => {
    const file = join(folder, 'none', 'state.json');
    await expect(openTenant({}, { stateFile: file })).rejects.toMatchObject({
      diagnostics: [{ code: 'OPTION_INVALID', message: `The state file ${file} cannot be used: ENOENT.` }],
    });
  });
});

async function stored(): Promise<Seed> {
  return JSON.parse(await readFile(stateFile, 'utf8')) as Seed;
}

async function write(tenant: OpenedTenant, method: string, path: string, body?: object): Promise<number> {
  return (await tenant.fetch(await authorizedRequest(tenant, method, path, body))).status;
}
