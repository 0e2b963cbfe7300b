// Layouts of files that are rare, through a complete pull: what is not edited stays byte by byte.
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

const seed: Seed = { rate_limit_policies: [livePolicy('client_id:a', 5), livePolicy('client_id:c', 7)] };

interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const cases: readonly Case[] = [
  {
    name: 'flow style with a comment in each line',
    before:
      'rate_limit_policies: [\n  # one\n  { consumer_selector: client_id:a, configuration: { action: block, limit: 1 } }, # a\n  # two\n  { consumer_selector: client_id:b, configuration: { action: block, limit: 1 } }, # b\n  { consumer_selector: client_id:c, configuration: { action: block, limit: 7 } } # c\n]\n',
    after:
      'rate_limit_policies: [\n  # one\n  { consumer_selector: client_id:a, configuration: { action: block, limit: 5 } }, # a\n  { consumer_selector: client_id:c, configuration: { action: block, limit: 7 } } # c\n]\n',
  },
  {
    name: 'an anchor whose users differ',
    before:
      'rate_limit_policies:\n- consumer_selector: client_id:a # a\n  configuration: &x\n    action: block\n    limit: 7 # x\n- consumer_selector: client_id:c # c\n  configuration: *x # same\n',
    after:
      'rate_limit_policies:\n- consumer_selector: client_id:a # a\n  configuration: &x\n    action: block\n    limit: 5 # x\n- consumer_selector: client_id:c # c\n  configuration: # same\n    action: block\n    limit: 7\n',
  },
  {
    name: 'question marks, carriage returns, a document start and no final line end',
    before:
      '---\r\n? rate_limit_policies\r\n:\r\n  # a\r\n  -\r\n    ? "consumer_selector"\r\n    : \'client_id:a\'\r\n    configuration: {action: "block",limit: 5}\r\n\r\n  # b\r\n  - consumer_selector: client_id:b\r\n    configuration: { action: block, limit: 1 }',
    after:
      '---\r\n? rate_limit_policies\r\n:\r\n  # a\r\n  -\r\n    ? "consumer_selector"\r\n    : \'client_id:a\'\r\n    configuration: {action: "block",limit: 5}\r\n\r\n  - consumer_selector: \'client_id:c\'\r\n    configuration: {action: "block", limit: 7}',
  },
  {
    name: 'a key after a dash that changes, and texts of several lines',
    before:
      'rate_limit_policies:\n    -   configuration:\n            limit: 6\n            action: "block" # why\n        consumer_selector: >-\n          client_id:a\n\n\n    # about c\n    -   consumer_selector: "\\\n          client_id:c"\n        configuration: { action: block, limit: 7 }\n# end\n...\n',
    after:
      'rate_limit_policies:\n    -   configuration:\n            limit: 5\n            action: "block" # why\n        consumer_selector: >-\n          client_id:a\n\n\n    # about c\n    -   consumer_selector: "\\\n          client_id:c"\n        configuration: { action: block, limit: 7 }\n# end\n...\n',
  },
];

describe('rare layouts', () => {
  test.each(cases)('$name', async ({ before, after }) => {
    const tenant = await pullTenant(seed);
    const files = await tenant.pullInto({ 'a.yaml': before });
    expect(files['a.yaml']).toBe(after);
    expect(await tenant.planOf(files)).toEqual([]);
    expect((await tenant.pull(files)).files).toEqual([]);
  });
});

test('what is null in the files stays null', async () => {
  const client = { client_id: 'web00000web00000web00000web00000', name: 'Web', app_type: 'spa' };
  const tenant = await pullTenant({ clients: [testClient, client] } as Seed);
  const text = (type: string) => `clients:\n  - name: Web\n    description: null # none\n    app_type: ${type}\n`;
  expect((await tenant.pullInto({ 'a.yaml': text('native') }))['a.yaml']).toContain(text('spa'));
});
