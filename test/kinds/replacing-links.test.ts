// What has to be done before an action of the same kind, so that a refused request takes nothing from anybody.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const resource = 'oauth_authentication_api' as const;
const consumer = 'client' as const;
const allow = { action: 'allow' } as const;
const block = (limit: number) => ({ action: 'block', limit }) as const;
type Policies = Readonly<Record<string, typeof allow | ReturnType<typeof block>>>;
const prefix = `${resource}/${consumer}/`;
const policiesOf = (policies: Policies) =>
  Object.entries(policies).map(([consumer_selector, configuration]) => ({
    resource,
    consumer,
    consumer_selector,
    configuration,
  }));

const webhook = { type: 'webhook', configuration: { webhook_endpoint: 'https://acme.example/events' } } as const;
const aws = {
  type: 'eventbridge',
  configuration: { aws_account_id: '123456789012', aws_region: 'eu-west-1' },
} as const;
const stream = (name: string, ...events: readonly string[]) => ({
  name,
  status: 'enabled',
  subscriptions: events.map((event_type) => ({ event_type })),
  destination: webhook,
});

async function planAndApply(seed: object, files: object, refused: string | null) {
  const faults = refused === null ? [] : [{ operation: refused, kind: 'status', status: 400, times: 9 } as const];
  const tenant = await tenantWith(seed as never, { faults });
  const path = await folder({
    'tenant.yaml': 'tenant: { guards: { max_delete_count: 10 } }',
    'a.yaml': JSON.stringify(files),
  });
  const planned = await runCommand(['plan', path, '--format', 'json'], { env: tenant.env });
  const { actions } = JSON.parse(planned.stdout) as {
    readonly actions: readonly { readonly id: string; readonly needs: readonly string[] }[];
  };
  const applied = await runCommand(['apply', path, '--yes', '--format', 'json'], {
    env: tenant.env,
  });
  const { outcomes } = JSON.parse(applied.stdout) as {
    readonly outcomes: readonly { readonly id: string; readonly outcome: string }[];
  };
  return {
    needs: Object.fromEntries(actions.map(({ id, needs }) => [id, needs])),
    outcomes: Object.fromEntries(outcomes.map(({ id, outcome }) => [id, outcome])),
  };
}

describe('policies', () => {
  const id = (selector: string) => `rate_limit_policies/${prefix}${selector}`;
  const seedOf = (live: Policies) => ({
    rate_limit_policies: policiesOf(live).map((policy, index) => ({ id: `rlp_${index}`, ...policy })),
  });

  test.each<readonly [string, Policies, Policies, string, string, string]>([
    [
      'a client that falls back to default keeps its policy if default could not be raised',
      { default: block(1), 'client_id:a': allow },
      { default: block(100) },
      'update',
      'default',
      'client_id:a',
    ],
    [
      'a client of third parties falls back to their policy',
      { third_party_clients: block(1), 'client_id:tpa_a': allow },
      { third_party_clients: block(100) },
      'update',
      'third_party_clients',
      'client_id:tpa_a',
    ],
    [
      'default is not lowered for a client whose own policy could not be created',
      { default: block(100) },
      { default: block(1), 'client_id:a': allow },
      'create',
      'client_id:a',
      'default',
    ],
    [
      'a client that is blocked does not fall back to a default that could not be lowered',
      { default: allow, 'client_id:a': block(0) },
      { default: block(5) },
      'update',
      'default',
      'client_id:a',
    ],
    ['nor created', {}, { default: block(1), 'client_id:a': allow }, 'create', 'client_id:a', 'default'],
    [
      'a client does not fall back to a policy of its group that could not be deleted',
      { default: allow, third_party_clients: block(0), 'client_id:tpa_a': allow },
      { default: allow },
      'delete',
      'third_party_clients',
      'client_id:tpa_a',
    ],
    [
      'nor to a default that could not be deleted',
      { default: block(0), 'client_id:a': allow },
      { 'client_id:b': allow },
      'delete',
      'default',
      'client_id:a',
    ],
  ])('%s', async (_name, live, declared, operation, refused, kept) => {
    const { needs, outcomes } = await planAndApply(
      seedOf(live),
      { rate_limit_policies: policiesOf(declared) },
      `${operation}_rate_limit_policy`,
    );
    expect(needs[id(kept)]).toEqual([id(refused)]);
    expect(outcomes).toMatchObject({ [id(refused)]: 'failed', [id(kept)]: 'not_attempted' });
  });

  test.each<readonly [string, Policies, Policies, string]>([
    [
      'raising default waits for nothing',
      { default: block(1) },
      { default: block(100), 'client_id:a': allow },
      'default',
    ],
    [
      'a deletion without a change of what follows',
      { 'client_id:a': allow, default: allow },
      { default: allow },
      'client_id:a',
    ],
    [
      'another group',
      { 'client_id:a': allow, third_party_clients: block(1) },
      { third_party_clients: block(100) },
      'client_id:a',
    ],
  ])('needs nothing: %s', async (_name, live, declared, selector) => {
    const { needs } = await planAndApply(seedOf(live), { rate_limit_policies: policiesOf(declared) }, null);
    expect(needs[id(selector)]).toEqual([]);
  });
});

describe('streams', () => {
  test('a stream is kept if the one that takes over its events could not be changed', async () => {
    const { needs, outcomes } = await planAndApply(
      {
        event_streams: [
          { id: 'est_00000000000000000a', ...stream('a', 'user.deleted') },
          { id: 'est_00000000000000000b', ...stream('b', 'user.created') },
        ],
      },
      { event_streams: [stream('a', 'user.deleted', 'user.created')] },
      'update_event_stream',
    );
    expect(needs['event_streams/b']).toEqual(['event_streams/a']);
    expect(outcomes).toEqual({ 'event_streams/a': 'failed', 'event_streams/b': 'not_attempted' });
  });

  test('a stream keeps delivering an event if the new stream for it could not be created', async () => {
    const { needs, outcomes } = await planAndApply(
      { event_streams: [{ id: 'est_00000000000000000a', ...stream('a', 'user.created', 'user.deleted') }] },
      { event_streams: [stream('a', 'user.created'), { ...stream('b', 'user.deleted'), destination: aws }] },
      'create_event_stream',
    );
    expect(needs['event_streams/a']).toEqual(['event_streams/b']);
    expect(outcomes).toEqual({ 'event_streams/a': 'not_attempted', 'event_streams/b': 'failed' });
  });

  test('an event stays with its receiver if only another receiver gets it, and a loss of another event is no exchange', async () => {
    const live = [
      { id: 'est_00000000000000000a', ...stream('a', 'user.created', 'user.deleted') },
      { id: 'est_00000000000000000b', ...stream('b', 'user.updated', 'organization.created') },
    ];
    const files = [stream('a', 'user.deleted'), stream('b', 'user.created', 'user.updated')];
    const { needs, outcomes } = await planAndApply(
      { event_streams: live },
      { event_streams: files },
      'update_event_stream',
    );
    expect(needs['event_streams/a']).toEqual(['event_streams/b']);
    expect(outcomes).toEqual({ 'event_streams/a': 'not_attempted', 'event_streams/b': 'failed' });
  });

  test('events that are handed on wait for the stream at the end', async () => {
    const live = [
      { id: 'est_00000000000000000a', ...stream('a', 'user.created', 'user.updated') },
      { id: 'est_00000000000000000b', ...stream('b', 'user.deleted') },
      { id: 'est_00000000000000000c', ...stream('c', 'user.updated') },
    ];
    const files = [
      stream('a', 'user.updated'),
      stream('b', 'user.created'),
      stream('c', 'user.updated', 'user.deleted'),
    ];
    const { needs, outcomes } = await planAndApply(
      { event_streams: live },
      { event_streams: files },
      'update_event_stream',
    );
    expect(needs).toEqual({
      'event_streams/a': ['event_streams/b'],
      'event_streams/b': ['event_streams/c'],
      'event_streams/c': [],
    });
    expect(outcomes).toEqual({
      'event_streams/a': 'not_attempted',
      'event_streams/b': 'not_attempted',
      'event_streams/c': 'failed',
    });
  });

  test('streams that exchange their events do not wait for each other', async () => {
    const { needs, outcomes } = await planAndApply(
      {
        event_streams: [
          { id: 'est_00000000000000000a', ...stream('a', 'user.created') },
          { id: 'est_00000000000000000b', ...stream('b', 'user.deleted') },
        ],
      },
      { event_streams: [stream('a', 'user.deleted'), stream('b', 'user.created')] },
      null,
    );
    expect(needs).toEqual({ 'event_streams/a': [], 'event_streams/b': [] });
    expect(outcomes).toEqual({ 'event_streams/a': 'done', 'event_streams/b': 'done' });
  });
});
