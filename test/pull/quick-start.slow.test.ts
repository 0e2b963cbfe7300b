// A tenant of the size that issue reports are about: pulled, then changed in one place, and pulled again.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { unifiedDiff } from '../../src/report/unified-diff.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { pullTenant } from '../support/pull-tenant.ts';

const numbers = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);
const pair = (index: number) => ({
  resource_server_identifier: 'https://orders.example/',
  permission_name: `do:${index}`,
});
const promptNames = [
  'login',
  'login-id',
  'login-password',
  'signup',
  'signup-id',
  'signup-password',
  'passkeys',
  'customized-consent',
  'login-passwordless',
];
const text = (name: string) => `<p>${name}</p>\n<p>Second line.</p>\n`;

const seed = (): Seed => ({
  rate_limit_policies: numbers(300).map((index) => livePolicy(`client_id:app-${index}`, index)),
  roles: numbers(41).map((index) => ({
    id: `rol_${index}`,
    name: `Role ${index}`,
    description: `No. ${index}`,
    permissions: numbers(20).map(pair),
  })),
  resource_servers: [
    {
      id: '64f1a0c2b3d4e5f60718293a',
      identifier: 'https://orders.example/',
      name: 'Orders',
      scopes: numbers(25).map((index) => ({ value: `do:${index}`, description: `No. ${index}` })),
    },
  ],
  prompts: Object.fromEntries(
    promptNames.map((name) => [name, { partials: { [name]: { 'form-content-start': text(name) } } }]),
  ),
  event_streams: numbers(12).map((index) => ({
    id: `est_${index}`,
    name: `stream-${index}`,
    status: 'enabled',
    subscriptions: [{ event_type: 'user.created' }],
    destination: {
      type: 'webhook',
      configuration: { webhook_endpoint: 'https://crm.example/hook', webhook_authorization: { method: 'bearer' } },
    },
  })),
});

/** A comment before every item, and one at the end of each item's first line. */
function withComments(files: Readonly<Record<string, string>>): Record<string, string> {
  const planted = (file: string, yaml: string) =>
    yaml
      .split('\n')
      .flatMap((line, index) => {
        const isItem = /^ {2}- /.test(line) || /^ {2}[\w-]+:$/.test(line);
        return isItem && file !== 'tenant.yaml' ? [`  # Before line ${index} of ${file}.`, `${line} # on it`] : [line];
      })
      .join('\n');
  return Object.fromEntries(
    Object.entries(files).map(([file, yaml]) => [file, file.endsWith('.yaml') ? planted(file, yaml) : yaml]),
  );
}

const changes: readonly {
  readonly title: string;
  change(seed: Required<Seed>): void;
  readonly lines: readonly (string | RegExp)[];
}[] = [
  {
    title: 'a policy that was changed by hand',
    change: ({ rate_limit_policies: policies }) =>
      void Object.assign(policies.find(({ consumer_selector: name }) => name === 'client_id:app-150') ?? {}, {
        configuration: { action: 'block', limit: 7 },
      }),
    lines: ['-    configuration: { action: block, limit: 150 }', '+    configuration: { action: block, limit: 7 }'],
  },
  {
    title: 'a deleted stream',
    change: ({ event_streams: streams }) =>
      void streams.splice(
        streams.findIndex(({ name }) => name === 'stream-5'),
        1,
      ),
    lines: [
      /^- {2}# Before line \d+ of event-streams\.yaml\.$/,
      '-  - name: stream-5 # on it',
      '-    status: enabled',
      '-    subscriptions:',
      '-      - { event_type: user.created }',
      '-    destination:',
      '-      type: webhook',
      '-      configuration:',
      '-        webhook_endpoint: https://crm.example/hook',
      '-        webhook_authorization:',
      '-          method: bearer',
      '-          token: ${env:TENANT_VAR_STREAM_5_TOKEN}',
    ],
  },
  {
    title: 'an added permission',
    change: ({ roles }) => void roles.find(({ name }) => name === 'Role 7')?.permissions?.push(pair(21)),
    lines: [/^\+\s+- do:21$/],
  },
  {
    title: 'an edited partial',
    change: ({ prompts }) => {
      const partials = prompts['signup']?.partials as Record<string, Record<string, string>>;
      partials['signup'] = { 'form-content-start': text('signup').replace('Second', 'Other') };
    },
    lines: ['-<p>Second line.</p>', '+<p>Other line.</p>'],
  },
];

test('each change on the tenant is exactly its line or block, and comments survive', { timeout: 120_000 }, async () => {
  const tenant = await pullTenant(seed());
  const requestsOf = () => tenant.tenant.tenant.requests.filter(({ operation }) => operation !== 'token').length;
  let files = await tenant.pullInto({});
  // Pages of policies, APIs and streams, every prompt, pages of roles, one request for each role, pages of clients, grants and
  // connections, and each setting of attack protection.
  expect(requestsOf()).toBe(3 + 1 + 1 + 10 + 1 + 41 + 3 + 6);
  files = withComments(files);
  expect(await tenant.planOf(files)).toEqual([]);
  for (const { title, change, lines } of changes) {
    await tenant.tenant.tenant.change((state) => change(state as Required<Seed>));
    const { files: changed } = await tenant.pull(files);
    const diff = changed.flatMap(({ file, before, after }) =>
      unifiedDiff({ path: file, before, after })
        .split('\n')
        .slice(2)
        .filter((line) => /^[+-]/.test(line)),
    );
    expect(diff, title).toEqual(lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
    files = { ...files, ...Object.fromEntries(changed.map(({ file, after }) => [file, after])) };
    expect(await tenant.planOf(files), title).toEqual([]);
  }
});
