import type { Seed } from '../../src/model/seed.generated.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from './build-live-policy.ts';

/** A small tenant with items of every kind, and files that differ from it in a known way. */
export function livePolicy(selector: string, limit = 100): LivePolicy {
  return buildLivePolicy({ consumer_selector: selector, configuration: { action: 'block', limit } });
}

export function declaredPolicy(selector: string, limit = 100): string {
  return `  - { resource: oauth_authentication_api, consumer: client, consumer_selector: "${selector}", configuration: { action: block, limit: ${limit} } }\n`;
}

export function policiesYaml(...selectors: readonly string[]): string {
  return selectors.length === 0
    ? 'rate_limit_policies: []\n'
    : `rate_limit_policies:\n${selectors.map((selector) => declaredPolicy(selector)).join('')}`;
}

/** A header that allows the five operations of the service specification only. */
export const documentedYaml = 'tenant: { api: documented }\n';

export const rolesYaml = [
  'roles:',
  '  - id: rol_1',
  '    absent_permissions:',
  '      - { resource_server_identifier: https://orders.example/, permission_name: delete:orders }',
  '',
].join('\n');

export const promptsYaml = [
  'prompts:',
  '  login:',
  '    partials:',
  '      login: { form-content-start: "<b>hello</b>" }',
  '',
].join('\n');

export const streamsYaml = [
  'event_streams:',
  '  - name: users-to-crm',
  '    subscriptions: [{ event_type: user.created }]',
  '    destination: { type: webhook, configuration: { webhook_endpoint: https://crm.example/hook } }',
  '',
].join('\n');

export function seedOf(about: Partial<Seed> = {}): Seed {
  return {
    rate_limit_policies: [livePolicy('default'), livePolicy('client_id:one'), livePolicy('client_id:stale')],
    roles: [
      {
        id: 'rol_1',
        name: 'Support',
        permissions: [{ resource_server_identifier: 'https://orders.example/', permission_name: 'delete:orders' }],
      },
    ],
    event_streams: [
      {
        id: 'est_1',
        name: 'users-to-crm',
        subscriptions: [{ event_type: 'user.created' }],
        destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://crm.example/hook' } },
      },
    ],
    ...about,
  };
}

/** One action of each documented write against `seedOf()`, and no finding but what cannot be read. */
export const filesOfEveryKind = {
  'policies.yaml': policiesYaml('default', 'client_id:one'),
  'roles.yaml': rolesYaml,
  'prompts.yaml': promptsYaml,
  'streams.yaml': streamsYaml,
};

/** Three actions of one kind against `seedOf()`, one after the other: a create, an update and a deletion. */
export const filesInStages = {
  'policies.yaml': [policiesYaml('client_id:new', 'client_id:one'), declaredPolicy('default', 50)].join(''),
};
