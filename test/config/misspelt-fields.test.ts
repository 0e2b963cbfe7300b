import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';

test.each([['tokn: planted'], ['pasword: "planted"'], ['\uff50assword: planted'], ['api_key: { a: planted }']])(
  'the value of a field that may be meant to be a secret is not shown: %s',
  async (field) => {
    const configuration = `{ webhook_authorization: { method: bearer, ${field} } }`;
    const yaml = `event_streams: [{ name: crm, destination: { type: webhook, configuration: ${configuration} } }]\n`;
    const { diagnostics } = await loadDesired(memorySource({ 'a.yaml': yaml }), kinds);
    const excerpts = diagnostics.map(({ excerpt }) => JSON.stringify(excerpt)).join('');
    expect(excerpts).toContain('method: bearer');
    expect(JSON.stringify(diagnostics)).not.toContain('planted');
  },
);

test.each([
  ['actoin', 'rate_limit_policies:\n  - { consumer_selector: default, configuration: { actoin: block, limit: 5 } }\n'],
  ['typ', 'event_streams:\n  - { name: a, subscriptions: [], destination: { typ: webhook, configuration: {} } }\n'],
])('a misspelt field that selects a form is named: %s', async (name, yaml) => {
  const { diagnostics } = await loadDesired(memorySource({ 'a.yaml': yaml }), kinds);
  const named = diagnostics.filter(({ message }) => message.startsWith(`"${name}" is not a field`));
  expect(named).toMatchObject([
    { code: 'CONFIG_UNKNOWN_FIELD', hint: expect.stringMatching(/^did you mean "\w+"\?$/) },
  ]);
});
