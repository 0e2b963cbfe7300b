// Changes of many items: the time follows their number.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { sized } from '../support/thorough.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const policy = (name: string, limit: number) =>
  `  # about ${name}\n  - consumer_selector: client_id:${name}\n    configuration: { action: block, limit: ${limit} }\n\n`;
const policies = (count: number): Seed => ({
  rate_limit_policies: numbers(count).map((index) => livePolicy(`client_id:c${index}`, 1)),
});
const api = 'https://orders.example/';

interface Growing {
  readonly name: string;
  readonly items: number;
  seed(count: number): Seed;
  file(count: number): string;
}

const growing: readonly Growing[] = [
  {
    name: 'changed policies',
    items: sized(4_000),
    seed: policies,
    file: (count) =>
      `rate_limit_policies:\n${numbers(count)
        .map((index) => policy(`c${index}`, 2))
        .join('')}`,
  },
  {
    name: 'policies that come and go',
    items: sized(4_000),
    seed: policies,
    file: (count) =>
      `rate_limit_policies:\n${numbers(count)
        .map((index) => policy(`c${index * 2}`, 1))
        .join('')}`,
  },
  {
    name: 'changed permissions of ten roles',
    // An API has at most 1,000 scopes.
    items: sized(125),
    seed: (count) => ({
      resource_servers: [
        { id: 'a'.repeat(24), identifier: api, scopes: numbers(2 * count).map((index) => ({ value: `p:${index}` })) },
      ],
      roles: numbers(10).map((role) => ({
        id: `rol_${role}`,
        name: `Role ${role}`,
        permissions: numbers(count).map((index) => ({
          resource_server_identifier: api,
          permission_name: `p:${index * 2}`,
        })),
      })),
    }),
    file: (count) =>
      `roles:\n${numbers(10)
        .map((role) => `  - id: rol_${role}\n    permissions:\n      ${api}: [\n${permissionLines(count)}      ]\n`)
        .join('')}`,
  },
];

function permissionLines(count: number): string {
  return numbers(count)
    .map((index) => `        p:${index}, # why ${index}\n`)
    .join('');
}

test.each(growing)('$name', async ({ items, seed, file }) => {
  const seconds: number[] = [];
  // The first run compiles.
  for (const count of [items, items, 4 * items]) {
    const tenant = await pullTenant(seed(count));
    const spent = startProcessorTime();
    const { files } = await tenant.pull({ 'a.yaml': file(count) });
    seconds.push(spent() / 1000);
    expect(files).toHaveLength(1);
  }
  const [, once = 0, fourfold = 0] = seconds;
  expect(fourfold, seconds.join()).toBeLessThan(7 * once + 1);
});
