// The identifiers of APIs in a report: short where they are unique, complete where the short form could be another one.
import { describe, expect, test } from 'vitest';
import { formatNames } from '../../src/report/formats.ts';
import { shortUrl } from '../../src/values/short-url.ts';
import { runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = (identifier: string, index = 0) => ({
  id: `${index}`.repeat(24),
  name: `API ${index}`,
  identifier,
  scopes: [{ value: 'read:a' }, { value: 'read:b' }],
});
const pair = (identifier: string, permission = 'read:a') => ({
  resource_server_identifier: identifier,
  permission_name: permission,
});
const role = (...permissions: ReturnType<typeof pair>[]) => ({ id: 'rol_1', name: 'Support', permissions });
const declares = (identifier: string, permission = 'read:a') =>
  `roles:\n  - { name: Support, permissions: { "${identifier}": [${permission}] } }\n`;

const shop = 'https://shop.example/';

/** What a report in each format but JSON, which has no short form, says of the access of a role. */
async function stated(run: (...argv: string[]) => Promise<{ readonly stdout: string }>) {
  const formats = formatNames.filter((name) => name !== 'json');
  const reports = await Promise.all(formats.map((name) => run('plan', '.', '--format', name)));
  return reports.map(({ stdout }) => stdout);
}

describe('one report', () => {
  test.each([
    ['one API', [shop], [pair(shop, 'read:b')], shop, 'loses read:b; gains read:a of shop.example'],
    [
      'a slash',
      [shop, 'https://shop.example'],
      [pair(shop)],
      'https://shop.example',
      'loses read:a of https://shop.example/; gains read:a of https://shop.example',
    ],
    [
      'a scheme',
      [shop, 'shop.example'],
      [pair(shop)],
      'shop.example',
      'loses read:a of https://shop.example/; gains read:a of shop.example',
    ],
    [
      'another scheme',
      [shop, 'http://shop.example/'],
      [pair(shop)],
      'http://shop.example/',
      'loses read:a of shop.example; gains read:a of http://shop.example/',
    ],
  ])('%s', async (_name, apis, held, declared, text) => {
    const tenant = await tenantWith({ resource_servers: apis.map(api), roles: [role(...held)] });
    const cwd = await folder({ 'a.yaml': declares(declared) });
    for (const report of await stated((...argv) => runCommand(argv, { cwd, env: tenant.env })))
      expect(report).toContain(text);
  });

  test('an API that is named as an item counts', async () => {
    const tenant = await tenantWith({ resource_servers: [shop, 'shop.example'].map(api), roles: [role(pair(shop))] });
    const cwd = await folder({
      'a.yaml': `${declares(shop, 'read:b')}resource_servers:\n  - { identifier: shop.example, scopes: [{ value: "read:b" }] }\n`,
    });
    for (const report of await stated((...argv) => runCommand(argv, { cwd, env: tenant.env })))
      expect(report).toContain('loses read:a; gains read:b of https://shop.example/');
  });

  test('of several tenants', async () => {
    const { run } = await startFleet({
      files: {
        'base/tenant.yaml': 'tenant: {}\n',
        'a/r.yaml': declares(shop, 'read:b'),
        'b/r.yaml': declares('https://shop.example', 'read:b'),
      },
      live: {
        a: { resource_servers: [api(shop)], roles: [role(pair(shop))] },
        b: { resource_servers: [api('https://shop.example')], roles: [role(pair('https://shop.example'))] },
      },
    });
    for (const report of await stated((...argv) => run(...argv, '--all'))) {
      expect(report).toContain('loses read:a; gains read:b of https://shop.example/');
      expect(report).toMatch(/loses read:a; gains read:b of https:\/\/shop\.example(?!\/)/);
    }
  });
});

test.each([
  ['https://shop.example/', 'shop.example'],
  ['https://shop.example', 'shop.example'],
  ['https://crm.example/hook', 'crm.example/hook'],
  ['https://crm.example/hook/', 'crm.example/hook/'],
  ['http://shop.example/', 'http://shop.example/'],
  ['shop.example', 'shop.example'],
])('the short form of %s', (url, short) => {
  expect(shortUrl(url)).toBe(short);
});
