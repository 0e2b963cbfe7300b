// The laws of pull over generated tenants, with the real client and the embedded tenant.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { openPulls, type PulledTenant, written } from '../support/pull-tenant.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

/** Each case pulls and plans several times. */
const timeout = 240_000;

let tenant: StartedTenant;
let pulls: PulledTenant;
beforeAll(async () => {
  tenant = await startTenant();
  pulls = await openPulls(tenant);
});
afterAll(() => tenant.close());

/** Texts that YAML, variables or line ends could turn into something else. */
const hostileText = fc.oneof(
  fc.constantFrom(
    ...['on', '1e3', '0x1F', '~', '2026-01-01', 'null', '', ' ', ' blank ', 'tab\there', '\ttab', 'a\r\nb', 'a\nb\n'],
    ...[
      'no final',
      'x'.repeat(3000),
      '# no comment',
      'a # b',
      'key: value',
      'a: ',
      '- item',
      '"quoted"',
      "it's",
      '${',
      '$${',
    ],
    ...[
      '${env:HOME}',
      '${var:x}',
      '$${var:x}',
      '日本',
      '😀',
      'e\u0301',
      '\u200b',
      '\u2028',
      '\x00',
      '\x1b[0m',
      '\\',
      '\\n',
    ],
    ...[
      '*',
      '&a',
      '!tag',
      '|',
      '>',
      '%',
      '@',
      '`',
      '{a}',
      '[a]',
      'a,b',
      '---',
      '...',
      '<<',
      '=',
      '?',
      '\uFEFFmark',
      '\u0085',
    ],
    ...[
      '  indented\n text\n\n\n',
      '\n\nstart',
      'end\n\n\n',
      'trailing  \nblank ',
      'lone\rcr',
      '.',
      '../../x',
      'node_modules',
    ],
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const limit = fc.integer({ min: 0, max: 3 });
const policies = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'b-2', 'b-10', 'c', 'true', '1.5', "o'x"),
    configuration: fc.oneof(
      fc.constant({ action: 'allow' as const }),
      fc.record({ action: fc.constantFrom('block' as const, 'log' as const), limit }),
      fc.record({
        action: fc.constant('redirect' as const),
        limit,
        redirect_uri: fc.constantFrom('https://a.example/?q=%23#x', 'https://b.example/x'),
      }),
    ),
  }),
  { selector: ({ name }) => name },
);
const streams = fc.uniqueArray(
  fc.record({
    // No pattern protects an item without a name, and no service has one.
    name: hostileText.filter((name) => name !== ''),
    events: fc.uniqueArray(fc.oneof(fc.constantFrom('user.created', 'user.deleted'), hostileText), {
      minLength: 1,
      maxLength: 3,
    }),
    status: fc.constantFrom('enabled', 'disabled', 'paused'),
    destination: fc.oneof(
      hostileText.map((text) => ({
        type: 'webhook',
        configuration: { webhook_endpoint: `https://a.example/${text}` },
      })),
      hostileText.map((username) => ({
        type: 'webhook',
        configuration: { webhook_endpoint: 'https://a.example/', webhook_authorization: { method: 'basic', username } },
      })),
      fc.constant({
        type: 'webhook',
        configuration: { webhook_endpoint: 'https://a.example/', webhook_authorization: { method: 'bearer' } },
      }),
      fc.constant({ type: 'eventbridge', configuration: { aws_account_id: '012345678901', aws_region: 'eu-west-1' } }),
      hostileText.map((type) => ({ type: type || 'none', configuration: {} })),
    ),
  }),
  { selector: ({ name }) => name, maxLength: 6 },
);
const partials = fc.dictionary(
  fc.constantFrom('login', 'a/b', '.hidden'),
  fc.dictionary(fc.constantFrom('form-content-start', 'toString', '..', 'A', 'a'), hostileText),
);
const prompts = fc.uniqueArray(fc.record({ prompt: fc.constantFrom('login', 'signup', 'login-id'), partials }), {
  selector: ({ prompt }) => prompt,
});
const state = fc.record({ policies, streams, prompts });
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

async function arrange(parts: State): Promise<void> {
  await tenant.tenant.change((seed: Seed) => {
    seed.clients = [testClient];
    // A grant is for an API that the tenant has.
    seed.resource_servers = [];
    seed.rate_limit_policies = parts.policies.map(({ name, configuration }) => ({
      id: `rlp_${Buffer.from(name).toString('hex')}`,
      resource: 'oauth_authentication_api',
      consumer: 'client',
      consumer_selector: `client_id:${name}`,
      configuration,
    }));
    seed.prompts = Object.fromEntries(
      parts.prompts.map(({ prompt, partials: texts }) => [prompt, { partials: texts }]),
    );
    seed.event_streams = parts.streams.map(({ name, events, status, destination }, index) => ({
      id: `est_${index}`,
      name,
      status,
      subscriptions: events.map((event_type) => ({ event_type })),
      destination,
    }));
  });
}

// Rules stay: what they protect is kept, also when it is gone. An address that no file can express is shown as odd.
const isOpen = (line: string) => !/^(?:LIVE_PROTECTED|RULE_UNMATCHED|LIVE_UNEXPECTED_FIELD) /.test(line);
const planOf = async (files: Readonly<Record<string, string>>) => (await pulls.planOf(files)).filter(isOpen);

test('pull into an empty folder, then plan: nothing to do, whatever texts the tenant has', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(state, async (parts) => {
      await arrange(parts);
      const result = await pulls.pull({});
      const files = written({}, result);
      expect(await planOf(files)).toEqual([]);
      expect((await pulls.pull(files)).files).toEqual([]);
    }),
    propertyRuns(30, 12),
  );
});

test('any change on the tenant: pull, then plan is empty, and a second pull edits nothing', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(state, state, async (before, after) => {
      await arrange(before);
      const files = await pulls.pullInto({});
      await arrange(after);
      const changed = await pulls.pullInto(files);
      expect(await planOf(changed)).toEqual([]);
      expect((await pulls.pull(changed)).files).toEqual([]);
    }),
    propertyRuns(30, 12),
  );
});

/** Files as people lay them out: split, in any order, with comments, anchors and variables. */
interface Layout {
  readonly files: Readonly<Record<string, string>>;
  /** The text of each policy that shares nothing with another, by name. */
  readonly blocks: ReadonlyMap<string, string>;
}

const layoutOf = fc.record({
  parts: fc.integer({ min: 1, max: 3 }),
  shuffle: fc.infiniteStream(fc.integer({ min: 0, max: 99 })),
  share: fc.boolean(),
  style: fc.constantFrom('flow', 'block', 'quoted', 'variable'),
  crlf: fc.boolean(),
});
type LayoutChoice = typeof layoutOf extends fc.Arbitrary<infer Value> ? Value : never;

function laidOut({ policies: some }: State, { parts, shuffle, share, style, crlf }: LayoutChoice): Layout {
  const blocks = new Map<string, string>();
  const files = Array.from({ length: parts }, (_none, index) => [`# File ${index}.`, 'rate_limit_policies:']);
  const variables: string[] = [];
  const anchors = files.map(() => new Map<string, string>());
  const placed = some
    .map((policy) => ({ policy, order: shuffle.next().value ?? 0 }))
    .sort((left, right) => left.order - right.order);
  for (const [index, { policy }] of placed.entries()) {
    const part = index % parts;
    const lines = [`  # About number ${index}.`, `  - consumer_selector: "client_id:${policy.name}"`];
    const text = JSON.stringify(policy.configuration);
    const anchor = anchors[part]?.get(text);
    const isShared = share && style !== 'variable';
    if (isShared && anchor !== undefined) lines.push(`    configuration: *${anchor}`);
    else if (isShared) {
      anchors[part]?.set(text, `shared${index}`);
      lines.push(`    configuration: &shared${index} ${text}`);
    } else lines.push(...configurationLines(policy.configuration, style, index, variables));
    lines.push('');
    if (!isShared) blocks.set(policy.name, lines.slice(0, -1).join('\n'));
    files[part]?.push(...lines);
  }
  const end = crlf ? '\r\n' : '\n';
  const texts = files.map((lines): [string, string] => [
    `p${files.indexOf(lines)}.yaml`,
    lines.length === 2 ? `${lines[0]}\nrate_limit_policies: []\n` : lines.join('\n'),
  ]);
  if (variables.length > 0) texts.push(['vars.yaml', `${variables.join('\n')}\n`]);
  return {
    files: Object.fromEntries(texts.map(([file, text]) => [file, text.replaceAll('\n', end)])),
    blocks: new Map([...blocks].map(([name, text]) => [name, text.replaceAll('\n', end)])),
  };
}

function configurationLines(
  configuration: State['policies'][number]['configuration'],
  style: LayoutChoice['style'],
  index: number,
  variables: string[],
): string[] {
  if (style === 'flow')
    return [
      `    configuration: ${JSON.stringify(configuration).replaceAll(':', ': ')} # on it`.replace('https: ', 'https:'),
    ];
  return [
    '    configuration:',
    ...Object.entries(configuration).map(([name, value]) => {
      if (style === 'variable' && name === 'limit') {
        variables.push(`limit_${index}: ${value}`);
        return `      limit: \${var:limit_${index}}   # a variable`;
      }
      const text = typeof value === 'string' && style === 'quoted' ? `'${value}'` : String(value);
      return `      ${name}: ${text}`;
    }),
  ];
}

test('any layout, any change: pull, then plan is empty, and every block that is equal stays as it is', {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(state, state, layoutOf, async (before, after, choice) => {
      const { files, blocks } = laidOut(before, choice);
      await arrange(after);
      const result = await pulls.pull(files);
      const changed = written(files, result);
      expect(await planOf(changed)).toEqual([]);
      expect((await pulls.pull(changed)).files).toEqual([]);
      expect(changed['vars.yaml']).toBe(files['vars.yaml']);
      const text = Object.values(changed).join('');
      for (const { name, configuration } of before.policies) {
        const now = after.policies.find((policy) => policy.name === name);
        if (JSON.stringify(now?.configuration) === JSON.stringify(configuration))
          expect(text).toContain(blocks.get(name) ?? '');
      }
    }),
    propertyRuns(40, 16),
  );
});
