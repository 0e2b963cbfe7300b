// One problem of an object must not hide another: every two mistakes of a table are reported as each of them alone.
import { describe, expect, test } from 'vitest';
import { problemsIn } from '../support/load-files.ts';

type Value = Record<string, unknown>;

/** Changes one place of a valid file. */
type Mistake = (file: Value) => void;

const at = (file: Value, ...path: (string | number)[]): Value =>
  path.reduce<unknown>((value, key) => (value as Value)[key], file) as Value;
const set =
  (path: (string | number)[], name: string, value: unknown): Mistake =>
  (file) => {
    at(file, ...path)[name] = value;
  };
const without =
  (path: (string | number)[], name: string): Mistake =>
  (file) => {
    delete at(file, ...path)[name];
  };

const pair = { resource_server_identifier: 'https://a.example/', permission_name: 'read' };

interface Table {
  readonly file: () => Value;
  /** At most one of each list is made: they are about the same field. */
  readonly mistakes: readonly (readonly Mistake[])[];
}

const policy = ['rate_limit_policies', 0];
const stream = ['event_streams', 0];
const hook = [...stream, 'destination', 'configuration'];
const role = ['roles', 0];

const tables: Readonly<Record<string, Table>> = {
  'a policy': {
    file: () => ({
      rate_limit_policies: [
        {
          resource: 'oauth_authentication_api',
          consumer: 'client',
          consumer_selector: 'default',
          configuration: { action: 'redirect', limit: 7, redirect_uri: 'https://a.example/' },
        },
      ],
    }),
    mistakes: [
      [set(policy, 'resource', 'nope'), set(policy, 'resource', 7)],
      [set(policy, 'consumer_selector', 'nope'), without(policy, 'consumer_selector')],
      [set(policy, 'extra', 1)],
      [
        set([...policy, 'configuration'], 'action', 'redirct'),
        set([...policy, 'configuration'], 'action', 'nothing like it'),
        without([...policy, 'configuration'], 'action'),
      ],
      [set([...policy, 'configuration'], 'limit', -1), set([...policy, 'configuration'], 'limit', 'many')],
      [set([...policy, 'configuration'], 'redirect_uri', 'http://a.example/')],
      [set([...policy, 'configuration'], 'limits', true)],
    ],
  },
  'an event stream': {
    file: () => ({
      event_streams: [
        {
          name: 'crm',
          subscriptions: [{ event_type: 'user.created' }],
          destination: {
            type: 'webhook',
            configuration: {
              webhook_endpoint: 'https://a.example/',
              webhook_authorization: { method: 'basic', username: 'crm' },
            },
          },
        },
      ],
    }),
    mistakes: [
      [set(stream, 'name', ''), set(stream, 'name', 7)],
      [set(stream, 'subscriptions', []), set(stream, 'subscriptions', ['user.created'])],
      [set(stream, 'status', 'on')],
      [set([...stream, 'destination'], 'type', 'webhok')],
      [set([...stream, 'destination'], 'typ', 'webhook')],
      [set(hook, 'webhook_endpoint', 'http://a.example/'), without(hook, 'webhook_endpoint')],
      [set(hook, 'extra', 1)],
      [set([...hook, 'webhook_authorization'], 'method', 'basik')],
      [
        set([...hook, 'webhook_authorization'], 'username', 'a:b'),
        without([...hook, 'webhook_authorization'], 'username'),
      ],
    ],
  },
  'a role': {
    file: () => ({ roles: [{ name: 'Support', permissions: [pair], absent_permissions: [] }] }),
    mistakes: [
      [set(role, 'name', ''), without(role, 'name')],
      [set(role, 'descripton', 'x')],
      [set(role, 'permissions', 'read'), set(role, 'permissions', ['read'])],
      [
        set(role, 'absent_permissions', [{ ...pair, permission_name: 'write', extra: 1 }]),
        set(role, 'absent_permissions', [{ name: 'x' }]),
      ],
    ],
  },
};

describe.each(Object.entries(tables))('%s', (_name, { file, mistakes }) => {
  const found = async (...made: readonly Mistake[]): Promise<readonly string[]> => {
    const changed = file();
    for (const mistake of made) mistake(changed);
    // Columns move with the second mistake.
    return (await problemsIn({ 'a.yaml': JSON.stringify(changed) })).map((problem) => problem.replace(/:\d+ /, ' '));
  };

  test('the file itself is valid', async () => expect(await found()).toEqual([]));

  const pairs = mistakes.flatMap((first, index) =>
    mistakes.slice(index + 1).flatMap((second) => first.flatMap((one) => second.map((other) => [one, other] as const))),
  );
  test(`each of ${pairs.length} pairs of mistakes`, async () => {
    for (const [one, other] of pairs) {
      const alone = [...(await found(one)), ...(await found(other))];
      const together = await found(one, other);
      expect(alone.length).toBeGreaterThan(1);
      expect(together, `${one} and ${other}`).toEqual(expect.arrayContaining(alone));
    }
  });
});

test('a misspelt discriminator is one mistake', async () => {
  const configuration = { actoin: 'redirect', limit: 7, redirect_uri: 'https://a.example/' };
  const policy = { consumer_selector: 'default', configuration };
  const found = await problemsIn({ 'a.yaml': JSON.stringify({ rate_limit_policies: [policy] }) });
  expect(found.map((text) => text.split(' ')[0])).toEqual(['CONFIG_UNKNOWN_FIELD']);
});

test('an unknown field does not hide what is wrong between valid ones', async () => {
  const role = { name: 'Support', comment: 'x', permissions: [pair, pair] };
  expect((await problemsIn({ 'a.yaml': JSON.stringify({ roles: [role] }) })).map((text) => text.split(' ')[0])).toEqual(
    ['CONFIG_UNKNOWN_FIELD', 'CONFIG_DUPLICATE_ELEMENT'],
  );
});
