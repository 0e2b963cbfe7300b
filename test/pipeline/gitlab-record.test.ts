// The record of applies on GitLab, where each folder and tenant has an environment of its own.
import { expect, onTestFinished, test } from 'vitest';
import { openGitlab } from '../../src/pipeline/forges/gitlab.ts';
import { FakeGitlab } from '../support/fake-gitlab.ts';

const commit = 'a'.repeat(40);
const target = { environment: 'tenant-write', folder: 'tenant', baseUrl: 'https://login.acme.example/api/v2' };

async function opened() {
  const fake = await new FakeGitlab().start();
  onTestFinished(() => fake.close());
  const forge = openGitlab({ apiUrl: fake.url, project: '5', token: fake.token, sleep: async () => {}, now: () => 0 });
  const apply = async (change: object, sha = commit) => {
    const attempt = { ...target, commit: sha, digest: 'sha256:x', branch: 'main', ...change };
    const id = await forge.recordAttempt(attempt);
    await forge.endAttempt(id, 'done');
    return id;
  };
  return { fake, forge, apply };
}

test.each([
  ['characters that no environment has', { folder: 'customers+eu' }, { folder: 'customers-eu' }],
  ['their ends', { folder: `${'x'.repeat(300)}/a` }, { folder: `${'x'.repeat(300)}/b` }],
  ['the place of a slash', { environment: 'a/b', folder: 'c' }, { environment: 'a', folder: 'b/c' }],
  ['the scheme of the URL', { baseUrl: 'http://a.example' }, { baseUrl: 'https://a.example' }],
])('targets that differ in %s have records of their own', async (_what, one, other) => {
  const { fake, forge, apply } = await opened();
  await apply(one);
  expect(await forge.recorded({ ...target, ...one })).toMatchObject({ applied: commit });
  expect(await forge.recorded({ ...target, ...other })).toMatchObject({ applied: null });
  for (const { environment } of fake.deployments) expect(environment).toMatch(/^[\w./ -]{1,255}$/);
});

test('the list is read as far as the newest attempt that is done', async () => {
  const { fake, forge, apply } = await opened();
  await apply({});
  const { environment = '' } = fake.deployments[0] ?? {};
  for (let index = 0; index < 10_100; index++)
    fake.addDeployment({ environment, sha: commit, ref: 'main', status: 'failed' });
  const newest = await apply({}, 'b'.repeat(40));
  expect(await forge.recorded(target)).toMatchObject({ applied: 'b'.repeat(40), open: null, newest });
});

test('the newest attempt is the one with the highest id, in whatever order the forge lists them', async () => {
  const { fake, forge, apply } = await opened();
  await apply({});
  const newest = await apply({}, 'b'.repeat(40));
  fake.listsOldestFirst = true;
  expect(await forge.recorded(target)).toMatchObject({ applied: 'b'.repeat(40), open: null, newest });
});
