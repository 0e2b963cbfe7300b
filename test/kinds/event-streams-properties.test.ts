// Laws over generated files and tenants: what is planned, carried out by the rules of the tenant, leaves nothing to plan.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventStreamsTenant } from '../../src/embedded-tenant/kinds/event-streams.ts';
import type { DesiredStream } from '../../src/kinds/event-streams/index.ts';
import { eventStreams as kind } from '../../src/kinds/event-streams/index.ts';
import type { Action, Finding, PlannedRequest } from '../../src/model/plan.generated.ts';
import type { LiveStream } from '../../src/service/event-streams/types.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { matchesPath } from '../support/matches-path.ts';
import { type OpenRoutes, openRoutes } from '../support/open-routes.ts';
import { propertyRuns } from '../support/thorough.ts';

const names = ['a', 'b', 'c', 'd'];
const unique = { selector: ({ name }: { readonly name: string }) => name, maxLength: names.length };
const name = fc.constantFrom(...names);
const subscriptions = fc
  .shuffledSubarray(['x', 'y', 'z'], { minLength: 1 })
  .map((types) => types.map((event_type) => ({ event_type })));
const status = fc.constantFrom('enabled' as const, 'disabled' as const);
const webhook_endpoint = fc.constantFrom('https://a.example/', 'https://b.example/');
const eventbridge = fc.record({
  type: fc.constant('eventbridge' as const),
  configuration: fc.record({
    aws_account_id: fc.constant('111122223333'),
    aws_region: fc.constantFrom('us-east-1', 'eu-west-1'),
  }),
});
const call = fc.record({
  type: fc.constant('action' as const),
  configuration: fc.record({ action_id: fc.constantFrom('1', '2') }),
});
const secret = fc.constantFrom('${env:ONE}', '${env:TWO}');
const optional = { requiredKeys: ['method'] as ['method'] };

const declaredAuthorization = fc.oneof(
  fc.record(
    { method: fc.constant('basic' as const), username: fc.constantFrom('u', 'v'), password: secret },
    { requiredKeys: ['method', 'username'] },
  ),
  fc.record({ method: fc.constant('bearer' as const), token: secret }, optional),
  fc.record(
    { method: fc.constant('custom_header' as const), header_key: fc.constantFrom('x-a', 'x-b'), header_value: secret },
    { requiredKeys: ['method', 'header_key'] },
  ),
);
const declaredWebhook = fc.record({
  type: fc.constant('webhook' as const),
  configuration: fc.record(
    { webhook_endpoint, webhook_authorization: declaredAuthorization },
    { requiredKeys: ['webhook_endpoint'] },
  ),
});
const declared: fc.Arbitrary<DesiredStream> = fc.record(
  { name, status, subscriptions, destination: fc.oneof({ arbitrary: declaredWebhook, weight: 3 }, eventbridge, call) },
  { requiredKeys: ['name', 'subscriptions', 'destination'] },
);

const liveAuthorization = fc.oneof(
  fc.record({ method: fc.constant('basic'), username: fc.constantFrom('u', 'v') }),
  fc.constant({ method: 'bearer' }),
  fc.record({ method: fc.constant('custom_header'), header_key: fc.constantFrom('x-a', 'x-b') }),
);
const liveWebhook = fc.record({
  type: fc.constant('webhook' as const),
  configuration: fc.record(
    { webhook_endpoint, webhook_authorization: liveAuthorization },
    { requiredKeys: ['webhook_endpoint'] },
  ),
});
const live: fc.Arbitrary<LiveStream & { readonly name: string }> = fc
  .record({
    name,
    status,
    subscriptions,
    destination: fc.oneof({ arbitrary: liveWebhook, weight: 3 }, eventbridge, call),
  })
  .map((stream) => ({ id: `est_${stream.name}`, ...stream }));

const scenario = fc.record({
  declared: fc.uniqueArray(declared, unique),
  live: fc.uniqueArray(live, unique),
  rotate: fc.subarray(names),
});

function decide(items: readonly DesiredStream[], streams: readonly LiveStream[], rotate: readonly string[] = []) {
  const desired = desiredSection(items.map((item) => [item.name, item] as const));
  return kind.decide({
    desired,
    live: { readable: true, items: streams, filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(rotate),
  });
}

function open(streams: readonly LiveStream[]): OpenRoutes {
  return openRoutes([eventStreamsTenant], { event_streams: [...streams] });
}

/** What apply does: the secrets are filled in, and the tenant judges what is sent. */
function send(tenant: OpenRoutes, { operation: id, path, body: planned, secrets = [] }: PlannedRequest): void {
  const { operation } = tenant.route(id);
  const body = fill(planned, secrets);
  expect([matchesPath(operation, path), operation.body?.validate(body) ?? true]).toEqual([true, true]);
  const answer = tenant.respond(id, { params: { id: path.split('/')[2] }, query: {}, body });
  expect(answer.status).toBe(operation.success);
  expect(JSON.stringify(answer)).not.toContain('planted');
}

function fill(planned: PlannedRequest['body'], secrets: NonNullable<PlannedRequest['secrets']>): unknown {
  const body: unknown = structuredClone(planned);
  for (const { pointer, env } of secrets) {
    const steps = pointer.split('/').slice(1);
    const last = steps.pop() ?? '';
    const owner = steps.reduce<unknown>((value, step) => Reflect.get(value as object, step), body) as Record<
      string,
      unknown
    >;
    expect(owner[last]).toBe(`\${env:${env}}`);
    owner[last] = `planted ${env}`;
  }
  expect(JSON.stringify(body) ?? '').not.toContain('${env:');
  return body;
}

function inOrder({ actions }: { readonly actions: readonly Action[] }): readonly Action[] {
  return [
    ...actions.filter(({ action }) => action !== 'delete'),
    ...actions.filter(({ action }) => action === 'delete'),
  ];
}

const sorted = <Item extends { readonly key: string }>(items: readonly Item[]) =>
  items.toSorted((left, right) => (left.key < right.key ? -1 : 1));

describe('for any files and any tenant', () => {
  test('after the planned requests there is nothing left to plan, and what is left are findings that were told before', () => {
    fc.assert(
      fc.property(scenario, ({ declared: items, live: streams, rotate }) => {
        const tenant = open(streams);
        const planned = decide(items, streams, rotate);
        for (const { request } of inOrder(planned)) send(tenant, request);
        const after = decide(items, tenant.snapshot().event_streams ?? []);
        expect(after.actions).toEqual([]);
        const remaining = (findings: readonly Finding[]) =>
          findings.filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED' && code !== 'LIVE_NEAR_NAME');
        expect(remaining(after.findings)).toEqual(remaining(planned.findings));
      }),
      propertyRuns(500),
    );
  });

  test('every declared secret is sent, named as not compared, or blocked by a finding', () => {
    fc.assert(
      fc.property(scenario, ({ declared: items, live: streams, rotate }) => {
        const { actions, findings } = decide(items, streams, rotate);
        const withSecret = items.filter((item) => JSON.stringify(item).includes('${env:')).map((item) => item.name);
        const sent = actions.filter(({ request }) => request.secrets !== undefined).map(({ key }) => key);
        const told = findings
          .filter(({ code }) => code === 'LIVE_SECRET_NOT_COMPARED' || code === 'LIVE_DIFFERENT')
          .map(({ key }) => key);
        expect(withSecret.filter((key) => !sent.includes(key) && !told.includes(key))).toEqual([]);
        expect(sent.filter((key) => !withSecret.includes(key) || told.includes(key))).toEqual([]);
      }),
      propertyRuns(100),
    );
  });

  test('the order of the lists does not matter', () => {
    fc.assert(
      fc.property(scenario, ({ declared: items, live: streams, rotate }) => {
        const turned = streams
          .toReversed()
          .map((stream) => ({ ...stream, subscriptions: stream.subscriptions?.toReversed() ?? [] }));
        const one = decide(items, streams, rotate);
        const other = decide(items, turned, rotate);
        const shown = (actions: readonly Action[]) => sorted(actions).map(({ before: _before, ...action }) => action);
        expect(shown(other.actions)).toEqual(shown(one.actions));
        expect(sorted(other.findings)).toEqual(sorted(one.findings));
      }),
      propertyRuns(100),
    );
  });
});
