// One review of several tenants: codes that the project approves, by name.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';

const base = 'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 5 } }\n';
const surplus = (count: number, limit = 9) =>
  Array.from({ length: count }, (_, index) => livePolicy(`client_id:c${index}`, limit));

interface Refused {
  readonly tenant: { readonly name: string };
  readonly review?: string;
  readonly refusals: readonly {
    readonly approve: string;
    readonly approved_by: unknown;
    readonly approve_in: unknown;
  }[];
}

describe('codes of a project', () => {
  test('are equal for tenants that are refused for the same values, whatever the ids and times are', async () => {
    const { run } = await startFleet({
      files: { 'base/policies.yaml': base },
      live: {
        a: [livePolicy('default', 5), ...surplus(5)],
        b: [
          livePolicy('default', 5),
          ...surplus(5).map((policy) => ({
            ...policy,
            id: `${policy.id}_other`,
            created_at: '2026-01-02T03:04:05.000Z',
            updated_at: '2026-02-03T04:05:06.000Z',
          })),
        ],
        c: [livePolicy('default', 5), ...surplus(5, 8)],
        d: [livePolicy('default', 5)],
      },
    });
    const { code, stdout } = await run('plan', '.', '--all', '--format', 'json');
    expect(code).toBe(4);
    const [a, b, c, d] = JSON.parse(stdout) as Refused[];
    const codes = [a, b, c].map((plan) => plan?.refusals[0]?.approve);
    expect(codes[0]).toMatch(/^[0-9a-f]{24}$/);
    expect(codes[1]).toBe(codes[0]);
    expect(codes[2]).not.toBe(codes[0]);
    expect(a?.review).toBe(codes[0]);
    expect(d?.review).toBeUndefined();
  });

  test('are asked for once, with the counts of all tenants that need one', async () => {
    const own = '  - { consumer_selector: "client_id:own", configuration: { action: block, limit: 5 } }\n';
    const { run } = await startFleet({
      files: { 'base/policies.yaml': base, 'b/policies.yaml': `rate_limit_policies:\n${own}` },
      live: {
        a: [livePolicy('default', 5), ...surplus(5)],
        b: [livePolicy('default', 5), livePolicy('client_id:own', 5), ...surplus(5)],
      },
    });
    const { stderr, stdout } = await run('plan', '.', '--all');
    expect(stderr).toContain('2 tenants (a, b): rate_limit_policies: the plan would delete 5 of 6 to 7 live');
    expect(stdout).toContain('GUARD_TOO_MANY_DELETES: would delete 5 of 6 to 7 live');
  });

  test('approve the tenants that they name, until the refusal of one changes', async () => {
    const { run, cwd } = await startFleet({
      files: { 'base/policies.yaml': base },
      live: Object.fromEntries(['a', 'b'].map((name) => [name, [livePolicy('default', 5), ...surplus(5)]])),
    });
    const first = JSON.parse((await run('plan', '.', '--tenant', 'a', '--format', 'json')).stdout) as Refused;
    const [refusal] = first.refusals;
    expect(refusal?.approve_in).toMatchObject({ file: 'tenant-sync.yaml', change: 'insert' });
    const { line, lines } = Object(refusal?.approve_in) as { readonly line: number; readonly lines: readonly string[] };
    const project = (await readFile(join(cwd, 'tenant-sync.yaml'), 'utf8')).split('\n');
    project.splice(line - 1, 0, ...lines);
    await writeFile(join(cwd, 'tenant-sync.yaml'), project.join('\n'));
    expect((await run('plan', '.', '--tenant', 'a')).code).toBe(0);
    const all = await run('plan', '.', '--all', '--format', 'json');
    expect(all.code).toBe(4);
    const [a, b] = JSON.parse(all.stdout) as Refused[];
    expect(a?.refusals[0]?.approved_by).toMatchObject({ source: { file: 'tenant-sync.yaml', line: line + 3 } });
    expect(b?.refusals[0]?.approved_by).toBeNull();
  });
});
