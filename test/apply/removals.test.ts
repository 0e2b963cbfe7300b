// Nothing is taken away that has not been replaced: what a removal or a deletion relies on is done, and a reading shows it.
import { describe, expect, test } from 'vitest';
import { openReliance } from '../../src/apply/reliance.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, withUnreadable } from '../support/build-plan.ts';
import { runApply, type ScriptedApply, type Try } from '../support/run-apply.ts';

const create = (key: string, kind = 'rate_limit_policies') => buildAction({ kind, key, action: 'create' });
const request = (...permissions: string[]) => ({
  operation: 'o',
  method: 'POST' as const,
  path: '/p',
  body: { permissions },
});
const add = (key: string, ...pairs: string[]) =>
  buildAction({ kind: 'roles', key, part: 'add', action: 'add', request: request(...pairs) });
const remove = (key: string, pairs: readonly string[], needs: string[] = []) =>
  buildAction({ kind: 'roles', key, part: 'remove', action: 'remove', needs, request: request(...pairs) });
const stale = buildAction({ key: 'old' });

const apply = (actions: readonly Action[], script: ScriptedApply = {}) =>
  runApply(buildPlan({ actions: [...actions] }), script);
const because = (id: string) => `not sent because it depends on ${id}, which is not known to be done`;

describe('a deletion relies on what replaces all that goes with it', () => {
  const kinds = [
    { name: 'clients' },
    {
      name: 'client_grants',
      references: { to: [], goneWith: ['clients'], declared: () => [], live: () => [], liveIn: () => [] },
    },
    { name: 'connections' },
  ];
  const one = (kind: string, action: Action['action']) => buildAction({ kind, key: action, action });
  test.each([
    ['a new grant, for a client', one('client_grants', 'create'), one('clients', 'delete'), true],
    ['no other change of a grant', one('client_grants', 'update'), one('clients', 'delete'), false],
    ['clients of a connection', one('connections', 'add'), one('connections', 'delete'), true],
    ['nothing of a kind that stays', one('connections', 'add'), one('clients', 'delete'), false],
    ['nothing, for another removal', one('client_grants', 'create'), one('clients', 'remove'), false],
  ])('%s', (_name, gives, takes, isRelied) => {
    expect(openReliance([gives, takes], kinds)(takes).flat()).toEqual(isRelied ? [gives.id] : []);
  });
});

describe('what is relied on must be done', () => {
  const own = add('A', 'p');
  const rows: [string, Action[], Try, string | null][] = [
    ['needs', [own, remove('A', ['q'], [own.id])], 'refused', own.id],
    ['every create of the kind, for a deletion', [create('new'), stale], 'refused', create('new').id],
    ['no create of another kind', [create('new', 'event_streams'), stale], 'refused', null],
    [
      'every grant of the same permission to any role',
      [add('B', 'p', 'q'), remove('A', ['p'])],
      'refused',
      'roles/B#add',
    ],
    ['no grant of another permission', [add('B', 'q'), remove('A', ['p'])], 'refused', null],
    ['no update', [buildAction({ key: 'u', action: 'update' }), stale], 'refused', null],
  ];
  test.each(rows)('%s', async (_name, actions, response, relied) => {
    const [grant] = actions as [Action];
    const { outcomes, messages, sent } = await apply(actions, { tries: { [grant.id]: [response] } });
    expect(outcomes[1]).toBe(relied === null ? 'done' : 'not_attempted');
    expect(messages[1]).toBe(relied === null ? null : because(relied));
    expect(sent).toHaveLength(relied === null ? 2 : 1);
  });

  test.each<[Try, Outcome['outcome']]>([
    ['broken', 'not_attempted'],
    ['lost', 'done'],
  ])('also after a response that did not arrive: %s', async (response, outcome) => {
    const { outcomes } = await apply([create('new'), stale], {
      tries: { new: Array<Try>(5).fill(response) },
    });
    expect(outcomes[1]).toBe(outcome);
  });
});

describe('and a reading must show it', () => {
  test.each(['update', 'create'] as const)('for an %s, such as a lower default, as well', async (action) => {
    const given = create('client_id:a');
    const lowered = buildAction({ key: 'default', action, needs: [given.id] });
    const { outcomes, sent } = await apply([given, lowered], { tries: { 'client_id:a': ['ignored'] } });
    expect([outcomes, sent]).toEqual([['unknown', 'not_attempted'], ['client_id:a']]);
  });

  test('of what is relied on, and of what that needs in turn', async () => {
    const scope = buildAction({ kind: 'resource_servers', key: 'api', action: 'update' });
    const given = { ...add('A', 'q'), needs: [scope.id] };
    const { outcomes } = await apply([scope, given, remove('A', ['p'], [given.id])], { tries: { api: ['ignored'] } });
    expect(outcomes).toEqual(['unknown', 'done', 'not_attempted']);
  });

  test('that began after the last response', async () => {
    const { events } = await apply([create('x'), create('y'), stale]);
    expect(events.slice(0, 4)).toEqual([
      'send rate_limit_policies/x',
      'send rate_limit_policies/y',
      'read rate_limit_policies/x rate_limit_policies/y rate_limit_policies/old',
      'send rate_limit_policies/old',
    ]);
  });

  test('of the role that gets the permission, and of the own role', async () => {
    const own = add('A', 'p');
    const { events } = await apply([own, add('B', 'q'), remove('A', ['q'], [own.id])]);
    expect(events.slice(2)).toEqual([
      'read roles/A#add roles/A#remove',
      'read roles/B#add',
      'send roles/A#remove',
      'read roles/A#add roles/A#remove',
    ]);
  });

  test('one reading serves all that wait for it', async () => {
    const removals = ['C', 'D', 'E'].map((key) => remove(key, ['p']));
    const { reads, outcomes } = await apply([add('B', 'p'), ...removals]);
    expect(reads.filter((read) => read === 'roles/B#add')).toHaveLength(1);
    expect(outcomes).toEqual(Array(4).fill('done'));
  });

  test.each<[string, Try]>([
    ['never performed', 'ignored'],
    ['shown too late', { lateMs: 120_000 }],
  ])('not at all, %s: nothing is sent', async (_name, response) => {
    const { sent, document, messages } = await apply([create('new'), stale], { tries: { new: [response] } });
    expect(sent).toEqual(['new']);
    expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['unknown', 'not_attempted']);
    expect(messages[1]).toMatch(/^not sent: no reading shows that rate_limit_policies\/new was carried out/);
  });

  test.each([250, 3_000, 10_000])('late by %i ms: it waits, with backoff', async (lateMs) => {
    const { outcomes, clock, reads } = await apply([create('new'), stale], { tries: { new: [{ lateMs }] } });
    expect(outcomes).toEqual(['done', 'done']);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(lateMs);
    expect(reads.length).toBeLessThan(10);
  });

  test('changed by others since: a conflict, with nothing sent', async () => {
    const { sent, document } = await apply([create('new'), stale], { tries: { new: ['changed'] } });
    expect(sent).toEqual(['new']);
    expect(document.outcomes[1]).toMatchObject({
      outcome: 'conflict',
      message: expect.stringMatching(
        /^not sent, because rate_limit_policies\/new, which it relies on, was changed after/,
      ),
    });
  });

  test('at least two readings, however long they take: then the deadline counts', async () => {
    const { reads, outcomes } = await apply([create('new'), stale], { tries: { new: ['ignored'] }, readMs: 31_000 });
    expect(reads.filter((read) => read.includes('old'))).toHaveLength(2);
    expect(outcomes).toEqual(['unknown', 'not_attempted']);
  });

  test('one deadline for all: many removals do not wait one after the other', async () => {
    const stales = Array.from({ length: 100 }, (_, index) => buildAction({ key: `old-${index}` }));
    const { clock, outcomes } = await apply([create('new'), ...stales], { tries: { new: ['ignored'] } });
    expect(outcomes.slice(1)).toEqual(Array(100).fill('not_attempted'));
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(4_000);
    expect(clock.monotonic() - Date.UTC(2026, 10, 20, 10, 0, 0)).toBeLessThan(16 * 45_000);
  });

  test('a reading that fails is no reading', async () => {
    const unreachable = Object.assign(new Error('no connection'), { diagnostic: {} });
    const { sent, messages } = await apply([create('new'), stale], {
      knowledge: { read: () => Promise.reject(unreachable) },
    });
    expect(sent).toEqual(['new']);
    expect(messages[1]).toBe('not sent, because it could not be read again: no connection');
  });

  test('nor are readings that fail one after the other: they end with the deadline', async () => {
    const unread = withUnreadable(buildPlan({ complete: false }), 'rate_limit_policies');
    const { sent, outcomes } = await apply([create('new'), remove('A', ['p'], ['rate_limit_policies/new'])], {
      plans: () => unread,
    });
    expect([sent, outcomes]).toEqual([['new'], ['done', 'not_attempted']]);
  });

  test('a grant that needed no request has to be shown as well, when the removal is sent', async () => {
    const actions = [create('new'), stale];
    const { reads, sent } = await apply(actions, {
      tries: {},
      plans: (plan) => ({ ...plan, actions: plan.actions.filter(({ key }) => key !== 'new') }),
    });
    expect([reads.length > 0, sent]).toEqual([true, ['new', 'old']]);
  });
});
