import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { unifiedDiff } from '../../src/report/unified-diff.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { pullTenant } from '../support/pull-tenant.ts';

const policies = (...some: readonly (readonly [selector: string, limit?: number])[]): Seed => ({
  rate_limit_policies: some.map(([selector, limit]) => livePolicy(`client_id:${selector}`, limit)),
});
const item = (selector: string, limit: number | string) =>
  `  # About ${selector}.\n  - consumer_selector: client_id:${selector}\n    configuration: { action: block, limit: ${limit} } # per second\n`;
const file = (...items: readonly string[]) => `# Policies.\nrate_limit_policies:\n${items.join('')}`;

/** Lines of the diffs that are not context. */
async function changedLines(seed: Seed, files: Readonly<Record<string, string>>, options = {}): Promise<string[]> {
  const tenant = await pullTenant(seed);
  const { files: changed } = await tenant.pull(files, options);
  const after = { ...files, ...Object.fromEntries(changed.map((one) => [one.file, one.after])) };
  expect(await tenant.planOf(after)).toEqual([]);
  expect((await tenant.pull(after, options)).files).toEqual([]);
  return changed.flatMap(({ file: path, before, after: text }) =>
    unifiedDiff({ path, before, after: text })
      .split('\n')
      .slice(2)
      .filter((line) => /^[+-]/.test(line)),
  );
}

describe('pull into existing files', () => {
  test('a changed value is one line', async () => {
    const files = { 'a.yaml': file(item('a', 1), item('b', 2)) };
    expect(await changedLines(policies(['a', 1], ['b', 5]), files)).toEqual([
      '-    configuration: { action: block, limit: 2 } # per second',
      '+    configuration: { action: block, limit: 5 } # per second',
    ]);
  });

  test('an item that is gone takes its comment with it', async () => {
    const files = { 'a.yaml': file(item('a', 1), item('b', 2), item('c', 3)) };
    expect(await changedLines(policies(['a', 1], ['c', 3]), files)).toEqual([
      '-  # About b.',
      '-  - consumer_selector: client_id:b',
      '-    configuration: { action: block, limit: 2 } # per second',
    ]);
  });

  test('a new item goes to its neighbours, at its sorted place', async () => {
    const files = { 'a.yaml': file(item('app-1', 1), item('app-10', 2)), 'b.yaml': file(item('web-1', 3)) };
    const seed = policies(['app-1', 1], ['app-9', 9], ['app-10', 2], ['web-1', 3]);
    expect(await changedLines(seed, files)).toEqual([
      '+  - consumer_selector: client_id:app-9',
      '+    configuration: { action: block, limit: 9 }',
    ]);
  });

  test('a new section gets a file of its own beside one of its name', async () => {
    const tenant = await pullTenant(policies(['a', 1]));
    const files = { 'rate-limit-policies.yaml': 'prompts: {}\n' };
    const { files: changed } = await tenant.pull(files, { add: ['rate_limit_policies'] });
    expect(changed.map(({ file: name, before }) => [name, before])).toEqual([['rate-limit-policies-2.yaml', null]]);
  });
});
