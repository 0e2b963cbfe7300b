// A declared field that is compared or sent nowhere would be ignored silently. This fails for a field that is
// added to a schema and forgotten in the kind.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DesiredStream } from '../../src/kinds/event-streams/index.ts';
import { eventStreams } from '../../src/kinds/event-streams/index.ts';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { CreatePolicyBody as Policy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

interface Listed {
  readonly kind: AnyKind;
  readonly schema: string;
  readonly item: object;
  /** Another valid value of each declared field. */
  readonly others: Readonly<Record<string, unknown>>;
}

const policy: Policy = {
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector: 'default',
  configuration: { action: 'block', limit: 100 },
};
const stream: Required<DesiredStream> = {
  name: 'to-crm',
  status: 'enabled',
  subscriptions: [{ event_type: 'user.created' }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      webhook_authorization: { method: 'basic', username: 'crm' },
    },
  },
};
const listed: readonly Listed[] = [
  {
    kind: rateLimitPolicies,
    schema: 'rate-limit-policies',
    item: policy,
    others: {
      resource: 'another_api',
      consumer: 'another_consumer',
      consumer_selector: 'cimd_clients',
      configuration: { action: 'block', limit: 50 },
    } satisfies Record<keyof Policy, unknown>,
  },
  {
    kind: eventStreams,
    schema: 'event-streams',
    item: stream,
    others: {
      name: 'to-billing',
      status: 'disabled',
      subscriptions: [{ event_type: 'user.deleted' }],
      destination: {
        type: 'webhook',
        configuration: { ...stream.destination.configuration, webhook_endpoint: 'https://crm.example/other' },
      },
    } satisfies Record<keyof DesiredStream, unknown>,
  },
];

describe.each(listed)('$schema', ({ kind, schema, item, others }) => {
  const decide = (desired: object) =>
    kind.decide({
      desired: desiredSection([['changed', desired]]),
      live: { readable: true, items: [{ ...item, id: 'id_1' }], filtered: false },
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });

  test.each(declaredFields(schema))('a difference in %s is sent or reported', (field) => {
    expect(Object.keys(others)).toContain(field);
    const { actions, findings } = decide({ ...item, [field]: others[field] });
    // A field of the identity makes it another item, which is created.
    const sent = actions.some(({ request }) => Object.hasOwn(request.body ?? {}, field));
    expect(sent || findings.length > 0).toBe(true);
  });
});

function declaredFields(schema: string): string[] {
  const path = join(import.meta.dirname, '..', '..', 'schemas', `${schema}.schema.json`);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly $defs: { readonly declared: { readonly properties: object } };
  };
  // The flags are for every kind, and a kind does not see them. It sees a client as a consumer_selector.
  return Object.keys($defs.declared.properties).filter(
    (field) => !['absent', 'unmanaged', 'renamed_from', 'client'].includes(field),
  );
}
