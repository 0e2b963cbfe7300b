// What people read of a stream, and what is read of the tenant for it.
import { describe, expect, test } from 'vitest';
import { eventStreams as kind } from '../../src/kinds/event-streams/index.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { NotRead, Reader } from '../../src/model/reader.ts';
import { actionRow } from '../../src/report/view/action-rows.ts';
import type { LiveStream } from '../../src/service/event-streams/types.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

function action(about: Partial<Action>): Action {
  const request = { operation: 'x', method: 'POST', path: '/x' } as const;
  return buildAction({
    kind: 'event_streams',
    key: 'a',
    action: 'create',
    reason: 'missing',
    request,
    before: null,
    ...about,
  });
}

function webhook(webhook_authorization?: Record<string, string>) {
  return {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      ...(webhook_authorization && { webhook_authorization }),
    },
  };
}

describe('describe', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['crm.example on user.created', { destination: webhook({ method: 'bearer' }) }, 'user.created'],
    [
      'AWS account 123456789012 in eu-central-1 on a, b',
      {
        destination: {
          type: 'eventbridge',
          configuration: { aws_account_id: '123456789012', aws_region: 'eu-central-1' },
        },
      },
      'a b',
    ],
    ['action act_1 on a', { destination: { type: 'action', configuration: { action_id: 'act_1' } } }, 'a'],
    [
      'disabled, AWS account 123456789012 in eu-central-1 on a',
      {
        status: 'disabled',
        destination: {
          type: 'eventbridge',
          configuration: { aws_account_id: '123456789012', aws_region: 'eu-central-1' },
        },
      },
      'a',
    ],
    ['later', { destination: { type: 'later' } }, ''],
    ['no destination', {}, ''],
  ])('in one line: %s', (summary, stream, names) => {
    const before = {
      ...stream,
      subscriptions: names
        .split(' ')
        .filter((name) => name !== '')
        .map((event_type) => ({ event_type })),
    };
    expect(actionRow([action({ action: 'delete', before })], [kind]).what).toBe(summary);
    const change = { field: 'status', before: 'enabled', after: 'disabled' };
    expect(kind.describe(action({ action: 'update', before, changes: [change] })).summary).toBeUndefined();
    expect(kind.describe(action({ action: 'update', before, reason: 'rotated' })).summary).toBe('resends its secret');
  });
});

const failed: NotRead = {
  ok: false,
  why: { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message: 'page 2 answered 500' },
  status: 500,
  serviceMessage: null,
};

/** A reader whose one listing answers as given; it shows what it was asked. */
function readerOf(items: readonly LiveStream[] | null, asked: unknown[] = []): Reader {
  return {
    list: async ({ id }, query) => {
      asked.push([id, query]);
      // What the rows' items are is known to whoever made the list.
      return items === null ? failed : { ok: true, items: items as never };
    },
    get: async () => failed,
    count: async () => failed,
  };
}

describe('read', () => {
  const ask = {
    desired: { items: [], source: { file: 'a.yaml', line: 1, column: 1 } },
    only: ['a'],
    keep: keepNothing,
  };

  test('lists every stream, also for one key', async () => {
    const asked: unknown[] = [];
    const items = [{ id: 'est_1', name: 'a' }];
    expect(await kind.reading?.read(snapshotOf(readerOf(items, asked)), ask)).toEqual({
      readable: true,
      items,
      filtered: false,
    });
    expect(asked).toEqual([['list_event_streams', {}]]);
  });

  test('a failed listing is the reason, not a list', async () => {
    expect(await kind.reading?.read(snapshotOf(readerOf(null)), ask)).toEqual(failed.why);
  });
});

describe('after a conflict', () => {
  const fix =
    'the name is in use or the tenant has reached its limit of event streams: choose another name or delete a stream first';
  test.each<[Action['action'], string, string | null]>([
    ['create', 'An event stream with this name already exists.', fix],
    ['create', 'You have reached the maximum number of event streams', fix],
    ['create', 'status 409', fix],
    ['create', 'Insufficient scope, expected any of: create:event_streams', null],
    ['update', 'An event stream with this name already exists.', null],
  ])('fix of a %s: %s', (name, message, expected) => {
    expect(kind.fix?.(action({ action: name }), message)).toBe(expected);
  });
});
