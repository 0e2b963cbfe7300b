// Whether files changed between two commits.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckout } from '../../src/pipeline/checkout.ts';
import { scratchRepository } from '../support/scratch-repository.ts';

test('files behind a link count as changed: commits compare the link alone', async () => {
  const { path, commit } = await scratchRepository({ 'real/a.yaml': 'one\n', 'docs/a.md': '' });
  await symlink('real', join(path, 'tenant'));
  const first = await commit({});
  const second = await commit({ 'real/a.yaml': 'two\n' });
  const { differs, isBehindLink } = openCheckout(path, process.env);
  expect(await Promise.all(['tenant', 'tenant/a.yaml', 'real', 'none', '.'].map(isBehindLink))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  for (const [paths, expected] of [
    [['tenant'], true],
    [['docs', 'tenant/a.yaml'], true],
    [['real/'], true],
    [['docs/'], false],
    [['none'], false],
    [['.'], true],
  ] as const)
    expect([paths, await differs(first, second, paths)]).toEqual([paths, expected]);
});
