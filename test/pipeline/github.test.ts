// Comments, issues and records on GitHub: paging, other authors, failures, and responses that are lost.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AttemptEnd, type Forge, ForgeError } from '../../src/pipeline/forge.ts';
import { openGithub } from '../../src/pipeline/forges/github.ts';
import { upsert } from '../../src/pipeline/steps/publish.ts';
import { botLogin, FakeGithub, type Permissions } from '../support/fake-github.ts';

const commits = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const target = { environment: 'tenant-write', folder: 'tenant', baseUrl: 'https://login.acme.example/api/v2' };
let fake: FakeGithub;
let slept: number[];

beforeEach(async () => {
  fake = await new FakeGithub().start();
  slept = [];
});
afterEach(() => fake.close());

const everything = { contents: 'write', issues: 'write', 'pull-requests': 'write', deployments: 'write' };
const sleep = async (ms: number) => {
  slept.push(ms);
};

function open(permissions: Permissions = everything): Forge {
  const token = fake.token(permissions);
  return openGithub({ apiUrl: fake.url, repository: fake.repository, token, author: botLogin, sleep, now: () => 0 });
}

async function comment(forge: Forge, body: string, marker = '<!-- mine -->') {
  return upsert({
    find: async () => (await forge.comments(1)).find((found) => found.body.startsWith(marker)),
    update: ({ id }) => forge.updateComment(1, id, body),
    create: () => forge.createComment(1, body),
    sleep,
  });
}

describe('a comment', () => {
  test('is created once and then updated, among 250 others', async () => {
    for (let index = 0; index < 250; index++) fake.addComment(1, 'ann', 'noted');
    const forge = open();
    expect(await comment(forge, '<!-- mine --> 1')).toBe('created');
    for (let index = 0; index < 250; index++) fake.addComment(1, 'ann', 'noted');
    expect(await comment(forge, '<!-- mine --> 2')).toBe('updated');
    expect(fake.comments.filter(({ user }) => user.login === botLogin).map(({ body }) => body)).toEqual([
      '<!-- mine --> 2',
    ]);
  });

  test('of another author with the same marker is not touched', async () => {
    const other = fake.addComment(1, 'mallory', '<!-- mine --> forged');
    await comment(open(), '<!-- mine --> real');
    expect(other.body).toBe('<!-- mine --> forged');
    expect(fake.comments).toHaveLength(2);
  });

  test.each(['before', 'after'] as const)('is there once when a connection drops %s it is created', async (drop) => {
    fake.faults.push({ match: /^POST .*comments$/, times: 1, drop });
    await comment(open(), '<!-- mine --> 1');
    expect(fake.comments.map(({ body }) => body)).toEqual(['<!-- mine --> 1']);
  });

  test('is created although the forge fails at first', async () => {
    fake.faults.push({ match: /^GET .*comments$/, times: 2, status: 502 }, { match: /^POST/, times: 1, status: 500 });
    await comment(open(), '<!-- mine --> 1');
    expect(fake.comments).toHaveLength(1);
  });

  test('is an error when the forge keeps failing, and it is tried a few times only', async () => {
    fake.faults.push({ match: /^GET/, times: 1000, status: 500 });
    await expect(comment(open(), 'x')).rejects.toThrow('the forge failed (500)');
    expect(fake.requests.length).toBeLessThan(10);
  });
});

describe('rate limits', () => {
  test('are waited for', async () => {
    const headers = { 'retry-after': '7' };
    fake.faults.push(
      { match: /^POST/, times: 1, status: 403, headers },
      { match: /^GET/, times: 1, status: 429, headers },
    );
    await comment(open(), '<!-- mine --> 1');
    expect(slept).toEqual([7000, 7000]);
    expect(fake.comments).toHaveLength(1);
  });

  test('that end after a minute are an error', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' };
    fake.faults.push({ match: /^GET/, times: 1, status: 403, headers });
    await expect(comment(open(), 'x')).rejects.toThrow('the rate limit of the forge is reached (403)');
    expect(slept).toEqual([]);
  });
});

describe('refusals', () => {
  test('without a permission name it, and are not repeated', async () => {
    await expect(comment(open({ contents: 'read' }), 'x')).rejects.toThrow(
      /refused the request \(403\): .*pull-requests: write/,
    );
    expect(fake.requests).toHaveLength(1);
  });

  test('with an unknown token', async () => {
    const forge = openGithub({
      apiUrl: fake.url,
      repository: fake.repository,
      token: 'unknown-token-value',
      author: botLogin,
      sleep,
      now: () => 0,
    });
    const error = await forge.comments(1).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForgeError);
    expect(String(error)).toContain('the token is not valid (401)');
    expect(String(error)).not.toContain('unknown-token-value');
  });

  test('a redirect is not followed', async () => {
    fake.faults.push({ match: /^GET/, times: 9, status: 302, headers: { location: 'http://127.0.0.1:1/' } });
    await expect(open().comments(1)).rejects.toThrow('refused the request (302)');
  });

  test('without a connection', async () => {
    const forge = open();
    await fake.close();
    await expect(forge.comments(1)).rejects.toThrow('no response (ECONNREFUSED)');
    await fake.start();
  });
});

describe('the record of applies', () => {
  const [first = '', second = '', third = ''] = commits;
  const attempt = async (forge: Forge, commit: string, end: AttemptEnd | null, change = {}) => {
    const id = await forge.recordAttempt({ ...target, commit, digest: 'sha256:x', branch: 'main', ...change });
    if (end !== null) await forge.endAttempt(id, end);
    return id;
  };

  test.each<readonly [string, readonly (readonly [string, AttemptEnd | null])[], object]>([
    ['is empty at first', [], { applied: null, open: null }],
    [
      'has the newest commit that was applied',
      [
        [first, 'done'],
        [second, 'done'],
      ],
      { applied: second, open: null },
    ],
    [
      'has an attempt that a killed job left',
      [
        [first, 'done'],
        [second, null],
      ],
      { applied: first, open: second },
    ],
    [
      'has an attempt that failed',
      [
        [first, 'done'],
        [second, 'failed'],
      ],
      { applied: first, open: second },
    ],
    [
      'has an apply that ended, and is not known to be complete',
      [
        [first, 'done'],
        [second, 'ended'],
      ],
      { applied: first, open: second },
    ],
    [
      'has the newest of several attempts',
      [
        [first, null],
        [second, 'failed'],
      ],
      { applied: null, open: second },
    ],
    [
      'is complete again',
      [
        [first, 'done'],
        [second, null],
        [third, 'done'],
      ],
      { applied: third, open: null },
    ],
    [
      'has another apply of the same plan',
      [
        [first, 'done'],
        [first, null],
      ],
      { applied: first, open: first },
    ],
  ])('%s', async (_name, attempts, expected) => {
    const forge = open();
    let newest = 0;
    for (const [commit, end] of attempts) newest = await attempt(forge, commit, end);
    expect(await forge.recorded(target)).toMatchObject({ ...expected, newest });
  });

  test('is that of this folder and tenant', async () => {
    const forge = open();
    const newest = await attempt(forge, first, 'done');
    for (const change of [{ folder: 'other' }, { baseUrl: 'https://other.example/api/v2' }, { environment: 'other' }])
      await attempt(forge, second, null, change);
    expect(await forge.recorded(target)).toEqual({
      applied: first,
      open: null,
      newest,
      attempts: [{ id: newest, commit: first, state: 'done' }],
    });
  });

  test('has another state of an attempt whenever it begins again or ends', async () => {
    const forge = open();
    const states: unknown[] = [];
    const note = async () => states.push((await forge.recorded(target)).attempts[0]?.state);
    for (const end of ['ended', 'failed', 'ended', 'done'] as const) {
      const id = await attempt(forge, first, null);
      await note();
      await forge.endAttempt(id, end);
      await note();
    }
    // The forge adds this one when another deployment ends.
    fake.deployments[0]?.statuses.push('inactive');
    expect(await note()).toBe(9);
    expect([new Set(states).size, states.slice(-2)]).toEqual([8, ['done', 'done']]);
  });

  test('is read as far as the newest attempt that is done', async () => {
    const forge = open();
    const payload = { folder: 'tenant', base_url: target.baseUrl };
    const deployment = { task: 'tenant-sync', environment: 'tenant-write', payload };
    for (let index = 0; index < 10_100; index++)
      fake.addDeployment({ sha: first, ...deployment }).statuses.push('success');
    expect(await attempt(forge, second, 'done')).toBe(10_101);
    const newest = await attempt(forge, third, null);
    fake.requests.length = 0;
    expect(await forge.recorded(target)).toMatchObject({ applied: second, open: third, newest });
    expect(fake.requests).toHaveLength(3);
  });

  test('has the waves of one plan as one attempt, which fails with one of them', async () => {
    const forge = open();
    const id = await attempt(forge, first, null);
    expect(await attempt(forge, first, 'failed')).toBe(id);
    expect(await attempt(forge, first, null, { digest: 'sha256:y' })).not.toBe(id);
    expect(fake.deployments.map(({ statuses }) => statuses)).toEqual([
      ['in_progress', 'in_progress', 'failure'],
      ['in_progress'],
    ]);
  });

  test('has an attempt also without its status, and no deployments of jobs', async () => {
    const forge = open();
    await attempt(forge, first, 'done');
    fake.faults.push({ match: /^POST .*statuses$/, times: 1, status: 500 });
    await expect(attempt(forge, second, null)).rejects.toThrow('the forge failed (500)');
    fake.addDeployment({ sha: third, task: 'deploy', environment: 'tenant-write', payload: {} });
    expect(await forge.recorded(target)).toMatchObject({ applied: first, open: second });
  });

  test('does not have those of another author', async () => {
    const payload = { folder: 'tenant', base_url: target.baseUrl };
    const forge = open();
    await attempt(forge, first, 'done');
    const deployment = { sha: second, task: 'tenant-sync', environment: 'tenant-write', payload };
    fake.addDeployment(deployment, 'mallory').statuses.push('success');
    expect(await forge.recorded(target)).toMatchObject({ applied: first, open: null });
  });

  test('may have another form', async () => {
    const payload = { folder: 'tenant', base_url: target.baseUrl };
    const add = (sha = '', value: unknown = null) =>
      fake
        .addDeployment({ sha, task: 'tenant-sync', environment: 'tenant-write', payload: value })
        .statuses.push('success');
    add(first, payload);
    add(second, '{');
    add('--upload-pack=x', payload);
    expect(await open().recorded(target)).toMatchObject({ applied: first, open: '' });
  });
});

test('merged pull requests of a commit', async () => {
  const [commit = ''] = commits;
  const merged = fake.addPull('feature');
  merged.merged_at = '2026-11-20T10:00:00Z';
  merged.commits.push(commit);
  fake.addPull('open').commits.push(commit);
  expect(await open().mergedChanges(commit)).toEqual([merged.number]);
});
