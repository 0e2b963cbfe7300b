// Addresses about whose host parsers disagree: refused in files, and a live one is shown without its user info.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readValue } from '../../src/contract/read-value.ts';
import { operations as policies } from '../../src/service/rate-limit-policies/description.generated.ts';
import { policyFile } from '../config/file-texts.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { diagnosticsOf, summaryOf } from '../support/load-files.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const refused: readonly (readonly [name: string, address: string])[] = [
  ['a backslash', 'https://crm.example\\\\@other.example/hook'],
  ['a backslash in the path', 'https://crm.example/a\\\\b'],
  ['a control character', 'https://crm.example/a\\u0001b'],
  ['a tab', 'https://crm.ex\\tample/'],
  ['a line end', 'https://crm.example/\\n'],
  ['white space', 'https://crm.example/a b'],
  ['white space before it', ' https://crm.example/'],
  ['an ideographic space', 'https://crm.example/\\u3000'],
  ['no host', 'https:///hook'],
  ['no host but a port', 'https://:443/hook'],
  ['user info', 'https://crm:hunter2@crm.example/hook'],
  ['a user', 'https://hunter2@crm.example/hook'],
  ['user info without a host', 'https:///crm:hunter2@crm.example/hook'],
];
const streamFile = (address: string) =>
  `event_streams:\n  - name: a\n    subscriptions: [{ event_type: b }]\n    destination: { type: webhook, configuration: { webhook_endpoint: "${address}" } }\n`;

describe('files may not have an address with', () => {
  test.each(refused)('%s', async (_name, address) => {
    const redirect = policyFile(`{ action: redirect, limit: 1, redirect_uri: "${address}" }`);
    for (const [text, place] of [
      [redirect, 'CONFIG_BAD_FORMAT a.yaml:5:64'],
      [streamFile(address), 'CONFIG_UNKNOWN_VALUE a.yaml:4:70'],
    ] as const) {
      const found = await diagnosticsOf({ 'a.yaml': text });
      expect(found.map(summaryOf)).toEqual([expect.stringMatching(`^${place} `)]);
      expect(found[0]?.message).toContain('without credentials');
      expect(found[0]?.hint).toMatch(/^write an? .*address, such as https/);
      expect(JSON.stringify(found)).not.toContain('hunter2');
    }
  });

  test('nothing else in it', async () => {
    const address = 'https://crm.example:8443/a@b/hook?to=c%20d@e#f';
    expect(await diagnosticsOf({ 'a.yaml': streamFile(address) })).toEqual([]);
  });
});

const stream = (webhook_endpoint: string) => ({
  id: 'est_1',
  name: 'crm',
  status: 'enabled',
  subscriptions: [{ event_type: 'b' }],
  destination: { type: 'webhook', configuration: { webhook_endpoint } },
});
const live = [
  'https://crm:hunter2@crm.example/hook',
  'https:///crm:hunter2@crm.example/',
  'https://crm:hunter2@crm.example\\@other.example/',
  'https:\\\\crm:hunter2@crm.example/',
  ' https:crm:hunter2/x@crm.example/',
];

describe('a live address with user info', () => {
  test.each(live)('%j is shown without it, whatever a run prints or writes', async (address) => {
    const tenant = await tenantWith({ event_streams: [stream(address)] });
    const declared = await folder({ 'a.yaml': streamFile('https://crm.example/').replace('name: a', 'name: crm') });
    const undeclared = await folder({ 'a.yaml': 'event_streams: []\n' });
    const saved = join(declared, 'plan.json');
    for (const [path, argv] of [
      [declared, ['plan', '--detail', 'full', '--out', saved]],
      [declared, ['plan', '--format', 'json', '--debug']],
      [declared, ['drift', '--format', 'html']],
      [undeclared, ['plan', '--format', 'markdown']],
      [undeclared, ['pull', '--check']],
      [declared, ['pull', '--yes']],
      [await folder({}), ['pull', '--yes']],
      [declared, ['apply', '--yes']],
    ] as const) {
      const [command, ...options] = argv;
      const { stdout, stderr } = await runCommand([command, path, ...options], { env: tenant.env });
      expect(stdout + stderr).not.toContain('hunter2');
      if (command === 'plan' && path === declared) expect(stdout).toContain('[…]@');
    }
    expect(await readFile(saved, 'utf8')).not.toContain('hunter2');
  });

  test.each([live[0] ?? '', 'https://crm.example\\.other.example/'])(
    '%j is nothing that files can express',
    async (address) => {
      const tenant = await pullTenant({ event_streams: [stream(address)] });
      const only = { selection: { only: ['event_streams'] } };
      const { warnings } = await tenant.pull({}, only);
      expect(warnings).toMatchObject([
        { code: 'PULL_LEFT_OUT', message: expect.stringContaining('event_streams/crm cannot be written into files') },
      ]);
      expect((await tenant.pullInto({}, only))['tenant.yaml']).toContain('protect:\n    event_streams: [crm]');
      const written = streamFile('https://crm.example/').replace('name: a', 'name: crm');
      expect(await tenant.pullInto({ 'a.yaml': written })).toEqual({ 'a.yaml': written });
      expect((await tenant.pull({ 'a.yaml': written })).warnings).toMatchObject([{ code: 'PULL_KEPT' }]);
    },
  );

  test('of a redirect is read in the same way', () => {
    const read = (redirect_uri: string) =>
      readValue(policies.list.item, {
        ...livePolicy('default'),
        configuration: { action: 'redirect', limit: 1, redirect_uri },
      });
    expect(read('https://crm:hunter2@crm.example/busy')).toMatchObject({
      value: { configuration: { redirect_uri: 'https://[…]@crm.example/busy' } },
      odd: [{ field: 'configuration.redirect_uri', what: 'form' }],
    });
    const valid = 'https://crm.example/a@b';
    expect(read(valid)).toMatchObject({ value: { configuration: { redirect_uri: valid } }, odd: [] });
  });
});
