import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import { kinds } from '../../src/kinds/index.ts';
import { memorySource } from '../support/memory-source.ts';

test.each([['tokn: planted'], ['pasword: "planted"'], ['\uff50assword: planted'], ['api_key: { a: planted }']])(
  'the value of a field that may be meant to be a secret is not shown: %s',
  async (field) => {
    const yaml = `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: bearer, ${field} }
`;
    const { diagnostics } = await loadDesired(memorySource({ 'a.yaml': yaml }), kinds);
    const excerpts = diagnostics.map(({ excerpt }) => JSON.stringify(excerpt)).join('');
    expect(excerpts).toContain('method: bearer');
    expect(JSON.stringify(diagnostics)).not.toContain('planted');
  },
);
