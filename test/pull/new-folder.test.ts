import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { pullTenant } from '../support/pull-tenant.ts';

const webhook = (authorization: Readonly<Record<string, string>>) => ({
  type: 'webhook',
  configuration: { webhook_endpoint: 'https://crm.example/hook', webhook_authorization: authorization },
});

const seed: Seed = {
  resource_servers: [],
  rate_limit_policies: [livePolicy('default'), livePolicy('client_id:10', 5), livePolicy('client_id:9', 7)],
  prompts: {
    login: { partials: { login: { 'form-content-start': '<b>hello</b>\n', 'form-content-end': 'bye' } } },
    signup: { partials: {} },
  },
  event_streams: [
    {
      id: 'est_2',
      name: 'to-crm',
      status: 'disabled',
      subscriptions: [{ event_type: 'user.updated' }, { event_type: 'user.created' }],
      destination: webhook({ method: 'basic', username: 'crm' }),
    },
    {
      id: 'est_1',
      name: 'to-bridge',
      status: 'enabled',
      subscriptions: [{ event_type: 'user.created' }],
      destination: { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'eu-west-1' } },
    },
  ],
};

describe('pull into an empty folder', () => {
  test('writes one file for each section, in sync with the tenant', async () => {
    const { pull, planOf, pullInto, tenant } = await pullTenant(seed);
    const comment = async (file: string) => `# schema of ${file}`;
    const result = await pull({}, { comment });
    const written = Object.fromEntries(result.files.map(({ file, after }) => [file, after]));
    // The tenant has a client that reads it, its grant, and settings that every tenant has.
    expect(written).toEqual({
      'clients.yaml': expect.stringContaining('clients:\n  - name: test-client\n'),
      'client-grants.yaml': expect.stringContaining('client_grants:\n  - client: test-client\n'),
      'attack-protection.yaml': expect.stringContaining('attack_protection:\n  bot_detection:\n'),
      'tenant.yaml': `# schema of tenant.yaml\ntenant:\n  name: 127.0.0.1\n  base_url: ${tenant.baseUrl}\n`,
      'rate-limit-policies.yaml': [
        '# schema of rate-limit-policies.yaml',
        'rate_limit_policies:',
        '  - consumer_selector: client_id:9',
        '    configuration: { action: block, limit: 7 }',
        '  - consumer_selector: client_id:10',
        '    configuration: { action: block, limit: 5 }',
        '  - consumer_selector: default',
        '    configuration: { action: block, limit: 100 }',
        '',
      ].join('\n'),
      'partials/login/login-form-content-end.liquid': 'bye\n',
      'partials/login/login-form-content-start.liquid': '<b>hello</b>\n',
      'prompts.yaml': [
        '# schema of prompts.yaml',
        'prompts:',
        '  login:',
        '    partials:',
        '      login:',
        '        form-content-end: { file: partials/login/login-form-content-end.liquid }',
        '        form-content-start: { file: partials/login/login-form-content-start.liquid }',
        '',
      ].join('\n'),
      'event-streams.yaml': [
        '# schema of event-streams.yaml',
        'event_streams:',
        '  - name: to-bridge',
        '    status: enabled',
        '    subscriptions:',
        '      - { event_type: user.created }',
        '    destination:',
        '      type: eventbridge',
        '      configuration: { aws_account_id: "123456789012", aws_region: eu-west-1 }',
        '  - name: to-crm',
        '    status: disabled',
        '    subscriptions:',
        '      - { event_type: user.created }',
        '      - { event_type: user.updated }',
        '    destination:',
        '      type: webhook',
        '      configuration:',
        '        webhook_endpoint: https://crm.example/hook',
        '        webhook_authorization:',
        '          method: basic',
        '          username: crm',
        '          password: ${env:TENANT_VAR_TO_CRM_PASSWORD}',
        '',
      ].join('\n'),
    });
    expect(result).toMatchObject({ complete: true, variables: ['TENANT_VAR_TO_CRM_PASSWORD'] });
    expect(result.files.every(({ before }) => before === null)).toBe(true);
    const files = await pullInto({});
    expect(await planOf(files)).toEqual([]);
    expect((await pull(files)).files).toEqual([]);
  });
});
