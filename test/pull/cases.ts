// Tenants and files for pull, one case for each rule of what is written, added, kept or left out.

import type { Seed } from '../../src/model/seed.generated.ts';
import type { PullOptions } from '../../src/sync/index.ts';
import { kinds } from '../support/all-kinds.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

export interface PullCase {
  readonly name: string;
  readonly seed: Seed;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: Partial<Omit<PullOptions, 'files' | 'tenant'>>;
}

type Texts = Readonly<Record<string, string>>;

const policies = (...names: readonly (readonly [name: string, limit?: number])[]): Seed => ({
  rate_limit_policies: names.map(([name, limit = 1]) => livePolicy(`client_id:${name}`, limit)),
});
const policyYaml = (...names: readonly string[]) =>
  names.map((name) => `  - { consumer_selector: "client_id:${name}", configuration: { action: block, limit: 1 } }\n`);
const policyFile = (...names: readonly string[]) => `rate_limit_policies:\n${policyYaml(...names).join('')}`;

const prompts = (texts: Readonly<Record<string, Texts>>): Seed => ({
  prompts: Object.fromEntries(Object.entries(texts).map(([name, login]) => [name, { partials: { login } }])),
});
const promptYaml = (name: string, texts: Texts) =>
  `  ${name}:\n    partials:\n      login:\n${Object.entries(texts)
    .map(([point, text]) => `        ${point}: ${text}\n`)
    .join('')}`;
const promptFile = (texts: Readonly<Record<string, Texts>>) =>
  `prompts:\n${Object.entries(texts)
    .map(([name, points]) => promptYaml(name, points))
    .join('')}`;

const stream = (id: string, name: string, about: object = {}) => ({
  id,
  name,
  subscriptions: [{ event_type: 'user.created' }],
  destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://a.example/' } },
  ...about,
});
const insecure = { destination: { type: 'webhook', configuration: { webhook_endpoint: 'http://a.example/' } } };
const queue = { destination: { type: 'sqs', configuration: {} } };
const streamYaml = (name: string, more = '') =>
  `  - name: ${name}\n${more}    subscriptions: [{ event_type: user.created }]\n    destination: { type: webhook, configuration: { webhook_endpoint: https://a.example/ } }\n`;

const api = 'https://orders.example/';
const role = (id: string, name: string, ...permissions: readonly string[]) => ({
  id,
  name,
  permissions: permissions.map((permission_name) => ({ resource_server_identifier: api, permission_name })),
});
const apis = { resource_servers: [{ identifier: api, scopes: [{ value: 'read' }, { value: 'write' }] }] };

const withoutScopes = (part: string) => ({
  clients: [{ ...testClient, scopes: testClient.scopes.filter((scope) => !scope.includes(part)) }],
});

const textsInFiles: readonly PullCase[] = [
  {
    name: 'a text changes in its file, an inline one stays inline, and a new one goes beside the file',
    seed: prompts({ login: { start: 'new', end: 'now\n', more: 'more' } }),
    files: {
      'p.yaml': promptFile({ login: { start: '{ file: texts/start.liquid } # the start', end: '"old\\n" # the end' } }),
      'texts/start.liquid': 'old\n',
    },
  },
  {
    name: 'of two prompts with one file, one changes: it gets a file of its own',
    seed: prompts({ login: { start: 'new\n' }, signup: { start: 'old\n' } }),
    files: {
      'p.yaml': promptFile({
        login: { start: '{ file: texts/s.liquid }' },
        signup: { start: '{ file: texts/s.liquid }' },
      }),
      'texts/s.liquid': 'old\n',
    },
  },
  {
    name: 'of two prompts with one file, both change alike: the file changes',
    seed: prompts({ login: { start: 'new\n' }, signup: { start: 'new\n' } }),
    files: {
      'p.yaml': promptFile({
        login: { start: '{ file: texts/s.liquid }' },
        signup: { start: '{ file: texts/s.liquid }' },
      }),
      'texts/s.liquid': 'old\n',
    },
  },
  {
    name: 'of two prompts with one file, both change in different ways: each gets a file of its own',
    seed: prompts({ login: { start: 'new\n' }, signup: { start: 'other\n' } }),
    files: {
      'p.yaml': promptFile({
        login: { start: '{ file: texts/s.liquid }' },
        signup: { start: '{ file: texts/s.liquid }' },
      }),
      'texts/s.liquid': 'old\n',
    },
  },
  {
    name: 'where all texts of a prompt are inline, new ones are inline as well, and a new prompt gets files',
    seed: prompts({ login: { start: 'old\n', more: 'more' }, signup: { start: 'new\n' } }),
    files: { 'p.yaml': `tenant: { undeclared: { prompts: report } }\n${promptFile({ login: { start: '"old\\n"' } })}` },
  },
  {
    name: 'without texts before, new ones go below the folder of the file',
    seed: prompts({ login: { start: 'new\n' } }),
    files: { 'conf/p.yaml': 'prompts:\n  login: { partials: {} }\n  signup: {}\n' },
  },
  {
    name: 'a declared prompt without texts gets files, whatever others have',
    seed: prompts({ login: { start: 'old\n' }, signup: { start: 'new\n' }, 'login-id': { start: 'new\n' } }),
    files: {
      'p.yaml': `${promptFile({ login: { start: '{ file: texts/s.liquid }' }, signup: { start: '"old\\n"' } })}  login-id: { partials: {} }\n`,
      'texts/s.liquid': 'old\n',
    },
  },
  {
    name: 'a file that exists is not overwritten, but one that an interrupted pull has left is used',
    seed: prompts({ login: { A: 'first\n', a: 'second\n', taken: 'mine\n', same: 'mine\n' } }),
    files: {
      'p.yaml': 'prompts:\n  login: { partials: {} }\n',
      'partials/login/login-taken.liquid': 'of a person\n',
      'partials/login/login-taken-2.liquid': 'also of a person\n',
      'partials/login/login-same.liquid': 'mine\n',
    },
  },
  {
    name: 'names of files have plain characters only, and none is hidden or too long',
    seed: {
      prompts: {
        login: {
          partials: {
            'one two': { 'ä/ö': 'a\nb\n' },
            [`..${'x'.repeat(120)}`]: { end: 'c\nd\n' },
            '.': { '..': 'e\nf\n' },
          },
        },
      },
    },
    files: { 'p.yaml': 'prompts:\n  login: { partials: {} }\n' },
  },
  {
    name: 'a text that stays is not written again, whatever else its prompt has',
    seed: prompts({ login: { start: 'same\n', end: 'new\n' } }),
    files: {
      'p.yaml': promptFile({ login: { start: '{ file: marked.liquid }', end: '{ file: end.liquid }' } }),
      'marked.liquid': '\uFEFFsame\n',
      'end.liquid': 'old\n',
    },
  },
  {
    name: 'a text that is gone is deleted from the YAML file, and its file stays',
    seed: prompts({ login: { start: 'same\n' } }),
    files: {
      'p.yaml': promptFile({ login: { start: '{ file: s.liquid }', end: '{ file: end.liquid } # gone' } }),
      's.liquid': 'same\n',
      'end.liquid': 'old\n',
    },
  },
];

const places: readonly PullCase[] = [
  {
    name: 'in a list in natural order, at the place of the number, also before all others',
    seed: policies(['a-1'], ['a-2'], ['a-9'], ['a-10'], ['b-1']),
    files: { 'a.yaml': policyFile('a-2', 'a-10') },
  },
  {
    name: 'in a list in the order of texts, at the place of the text',
    seed: policies(['a-10'], ['a-2'], ['a-9'], ['a-1x']),
    files: { 'a.yaml': policyFile('a-10', 'a-9') },
  },
  {
    name: 'in a list without order, at the end',
    seed: policies(['a-2'], ['a-9'], ['a-1'], ['a-5']),
    files: { 'a.yaml': policyFile('a-2', 'a-9', 'a-1') },
  },
  {
    name: 'of several files, into the last one',
    seed: policies(['app-1'], ['app-2'], ['app-3'], ['web-1'], ['web-2'], ['web-3'], ['aaa'], ['zzz'], ['wa']),
    files: { 'b.yaml': policyFile('app-1', 'app-3'), 'c.yaml': policyFile('web-1', 'web-3') },
  },
  {
    name: 'of several files of which the last one is not in order, at its end',
    seed: policies(['web-3'], ['app-1'], ['web-1'], ['app-3'], ['app-2'], ['web-2'], ['m']),
    files: { 'b.yaml': policyFile('web-3', 'app-1'), 'c.yaml': policyFile('web-1', 'app-3') },
  },
  {
    name: 'where every item is gone, into the section that they leave',
    seed: policies(['new']),
    files: { 'a.yaml': `prompts: {}\n`, 'b.yaml': `# Policies.\n${policyFile('gone', 'lost')}` },
  },
  {
    name: 'into a section without items, in the file that has it',
    seed: policies(['new'], ['other']),
    files: { 'a.yaml': `prompts: {}\n`, 'b.yaml': 'event_streams: []\n', 'c.yaml': 'rate_limit_policies: []\n' },
  },
  {
    name: 'into a file of its own if there is no section; texts come first, new files last',
    seed: { ...policies(['a', 2], ['b']), ...prompts({ login: { start: 'new\n' } }) },
    files: { 'rate-limit-policies.yaml': 'event_streams: []\n', 'z.yaml': policyFile('a') },
    options: { add: ['prompts'] },
  },
];

const headers: readonly PullCase[] = [
  {
    name: 'patterns are added to those of the header',
    seed: { event_streams: [stream('est_1', 'queue', queue), stream('est_2', 'other *', queue)] },
    files: {
      'a.yaml':
        'tenant:\n  name: acme # us\n  protect:\n    roles: [Admin]\n    event_streams: [kept] # by hand\nevent_streams: []\nroles: []\n',
    },
  },
  {
    name: 'a header without rules gets them',
    seed: { event_streams: [stream('est_1', 'queue', queue)] },
    files: { 'tenant.yaml': 'tenant:\n  name: acme # us\n', 'z.yaml': 'event_streams: []\n' },
  },
  {
    name: 'a part of a kind: the others are ignored, and what cannot be written is protected',
    seed: { event_streams: [stream('est_1', 'queue', queue), stream('est_2', 'crm'), stream('est_3', 'rest')] },
    files: {},
    options: { selection: { only: ['event_streams/queue', 'event_streams/crm'] } },
  },
  {
    name: 'a part of a kind with a rule that would report the others',
    seed: policies(['a'], ['b']),
    files: {
      'tenant.yaml': 'tenant:\n  undeclared: { prompts: report, rate_limit_policies: report } # ours\nprompts: {}\n',
    },
    options: { add: ['policies/*:a'] },
  },
  {
    name: 'a part of a kind without a rule, beside rules of others',
    seed: policies(['a'], ['b']),
    files: { 'tenant.yaml': 'tenant:\n  undeclared: { prompts: report } # ours\nprompts: {}\n' },
    options: { add: ['policies/*:a'] },
  },
  {
    name: 'a part that matches nothing adds no rule',
    seed: policies(['a']),
    files: {},
    options: { selection: { only: ['policies/*:a', 'event_streams'] } },
  },
  {
    name: 'the file with the header comes first, then texts, then the other files in their order',
    seed: {
      ...policies(['a', 5]),
      ...prompts({ login: { start: 'new\n' } }),
      event_streams: [stream('est_1', 'queue', queue)],
    },
    files: {
      'a.yaml': policyFile('a'),
      'm.yaml': 'tenant: { name: acme }\nevent_streams: []\n',
      'p.yaml': 'prompts: { login: { partials: {} } }\n',
    },
  },
];

const kept: readonly PullCase[] = [
  {
    name: 'what the files declare absent or unmanaged',
    seed: { event_streams: [stream('est_1', 'old'), stream('est_2', 'left')] },
    files: {
      'a.yaml':
        'event_streams:\n  - { name: old, absent: true }\n  - { name: left, unmanaged: true }\n  - { name: none, absent: true }\n',
    },
  },
  {
    name: 'what files cannot express, where the item is declared',
    seed: { event_streams: [stream('est_1', 'crm', queue)] },
    files: { 'a.yaml': `event_streams:\n${streamYaml('crm')}` },
  },
  {
    name: 'what files cannot express and the header already keeps, or leaves alone',
    seed: {
      event_streams: [stream('est_1', 'queue', queue)],
      roles: [role('rol_1', ' '), role('rol_2', 'One')],
      ...apis,
    },
    files: {
      'tenant.yaml':
        'tenant:\n  protect: { event_streams: [que*] }\n  undeclared: { roles: ignore }\nevent_streams: []\nroles: []\n',
    },
    options: { add: ['streams', 'roles'] },
  },
  {
    name: 'several live items with one identity, declared or not',
    seed: {
      rate_limit_policies: ['a', 'b'].flatMap((name) =>
        [1, 2].map((limit) => ({ ...livePolicy(`client_id:${name}`, limit), id: `rlp_${name}_${limit}` })),
      ),
    },
    files: { 'a.yaml': policyFile('a', 'c') },
  },
  {
    name: 'values that the schema of the files refuses, declared or not',
    seed: {
      event_streams: [
        stream('est_1', 'crm', insecure),
        stream('est_2', 'hook', insecure),
        stream('est_3', 'bus', { subscriptions: [{ event_type: 'user.deleted' }] }),
        stream('est_4', 'both', { ...insecure, subscriptions: [{ event_type: '' }] }),
      ],
    },
    files: { 'a.yaml': `event_streams:\n${streamYaml('crm')}${streamYaml('bus')}${streamYaml('gone')}` },
  },
  {
    name: 'a rule of a role that the tenant violates',
    seed: { ...apis, roles: [role('rol_1', 'Support', 'read', 'write')] },
    files: {
      'a.yaml': `roles:\n  - id: rol_1\n    name: Support\n    permissions: { ${api}: [] }\n    absent_permissions: { ${api}: [write] }\n`,
    },
  },
  {
    name: 'protected items, unless --add names them',
    seed: {
      event_streams: [
        stream('est_1', 'one'),
        stream('est_2', 'two'),
        stream('est_10', 'one-10'),
        stream('est_9', 'one-9'),
      ],
    },
    files: { 'a.yaml': 'tenant: { protect: { event_streams: [o*, two] } }\nevent_streams: []\nroles: []\n' },
    options: { add: ['streams/two'] },
  },
  {
    name: 'an item of a kind that ignores undeclared ones, although another kind has one of the same key',
    seed: {
      ...policies(['a']),
      event_streams: [stream('est_1', 'oauth_authentication_api/client/client_id:a')],
    },
    files: {
      'a.yaml': 'tenant: { undeclared: { rate_limit_policies: ignore } }\nrate_limit_policies: []\nevent_streams: []\n',
    },
  },
  {
    name: 'a declared item that does not differ, although one of another kind with the same key does',
    seed: { ...policies(['a', 1]), event_streams: [] },
    files: {
      'a.yaml': `${policyFile('a')}event_streams:\n${streamYaml('oauth_authentication_api/client/client_id:a')}`,
    },
  },
  {
    name: 'what is not selected',
    seed: { ...policies(['a', 5], ['b', 5], ['c', 5], ['d', 5]) },
    files: { 'a.yaml': policyFile('a', 'b') },
    options: { selection: { only: ['policies/*:a', 'policies/*:c'] } },
  },
];

const renames: readonly PullCase[] = [
  {
    name: 'the name of a role and of a stream that were renamed on the tenant',
    seed: {
      ...apis,
      roles: [role('rol_1', 'Customer Support', 'read'), role('rol_2', 'Admin', 'write')],
      event_streams: [stream('est_1', 'users-to-crm')],
    },
    files: {
      'a.yaml': `roles:\n  - name: Support # ours\n    permissions: { ${api}: [read] }\n  - { name: Admin, permissions: { ${api}: [write] } }\nevent_streams:\n${streamYaml('crm # theirs')}`,
    },
  },
  {
    name: 'two items that may be one: neither was renamed',
    seed: { event_streams: [stream('est_1', 'one'), stream('est_2', 'two')] },
    files: { 'a.yaml': `event_streams:\n${streamYaml('crm')}` },
  },
  {
    name: 'one item that may be two: neither was renamed',
    seed: { event_streams: [stream('est_1', 'one')] },
    files: { 'a.yaml': `event_streams:\n${streamYaml('crm')}${streamYaml('hook')}` },
  },
  {
    name: 'an absent item, and one that is there, were not renamed',
    seed: { event_streams: [stream('est_1', 'one'), stream('est_2', 'crm')] },
    files: { 'a.yaml': `event_streams:\n${streamYaml('crm')}  - { name: gone, absent: true }\n` },
  },
  {
    name: 'renamed_from stays until the item has its new name',
    seed: {
      event_streams: [stream('est_1', 'old', { status: 'disabled' }), stream('est_2', 'new', { status: 'enabled' })],
    },
    files: {
      'a.yaml': `event_streams:\n${streamYaml('fresh', '    renamed_from: old\n    status: enabled\n')}${streamYaml('new', '    renamed_from: before\n    status: disabled\n')}`,
    },
  },
  {
    name: 'a rename whose two names are both on the tenant',
    seed: { event_streams: [stream('est_1', 'old'), stream('est_2', 'new'), stream('est_3', 'other')] },
    files: { 'a.yaml': `event_streams:\n${streamYaml('new', '    renamed_from: old\n')}` },
  },
  {
    name: 'a role that was renamed to what no file can express is another one',
    seed: { ...apis, roles: [role('rol_1', 'a'.repeat(3), 'read'), role('rol_2', ' ', 'write')] },
    files: { 'a.yaml': `roles:\n  - { name: Support, permissions: { ${api}: [write] } }\n` },
  },
  ...[
    { name: 'on the tenant', renamedFrom: '' },
    { name: 'in the files alone', renamedFrom: '    renamed_from: Support\n' },
    { name: 'on the tenant, and waits for another rename', renamedFrom: '    renamed_from: Old\n' },
  ].map(({ name, renamedFrom }) => ({
    name: `a rule that the tenant violates, of a role that was renamed ${name}`,
    seed: { ...apis, roles: [{ ...role('rol_1', 'Support', 'read', 'write'), description: 'Helps' }] },
    files: {
      'a.yaml': `roles:\n  - name: Helpdesk\n${renamedFrom}    description: Helps\n    absent_permissions: { ${api}: [write] }\n`,
    },
  })),
  {
    name: 'no live item that is excluded is another one, and one beside those that are selected is',
    seed: {
      event_streams: [stream('est_1', 'new')],
      roles: [{ ...role('rol_1', 'Support'), description: 'Helps' }],
    },
    files: { 'a.yaml': `event_streams:\n${streamYaml('old')}roles:\n  - { name: Old, description: Helps }\n` },
    options: { selection: { only: ['streams/old', 'roles'], except: ['roles/Support'] } },
  },
  {
    name: 'the name of a role whose undeclared ones are ignored',
    seed: { ...apis, roles: [role('rol_1', 'Customer Support', 'read'), role('rol_2', 'Admin', 'write')] },
    files: {
      'a.yaml': `tenant: { undeclared: { roles: ignore } }\nroles:\n  - { name: Support, permissions: { ${api}: [read] } }\n  - { name: Admin, permissions: { ${api}: [write] } }\n`,
    },
  },
  {
    name: 'where no role is missing, the undeclared ones that are ignored are not read',
    seed: { ...apis, roles: [role('rol_1', 'Support', 'read'), role('rol_2', 'Admin', 'write')] },
    files: {
      'a.yaml': `tenant: { undeclared: { roles: ignore } }\nroles:\n  - { name: Support, permissions: { ${api}: [write] } }\n  - { name: Gone, absent: true }\n  - { name: Admin, unmanaged: true }\n`,
    },
  },
  {
    name: 'undeclared roles that are reported are read once',
    seed: { ...apis, roles: [role('rol_1', 'Support', 'read'), role('rol_2', 'Admin', 'write')] },
    files: { 'a.yaml': `roles:\n  - { name: Support, permissions: { ${api}: [read] } }\n` },
  },
  {
    name: 'a role that is gone, among others that were not renamed',
    seed: { ...apis, roles: [role('rol_1', 'One', 'read'), role('rol_2', 'Two', 'write')] },
    files: {
      'a.yaml': `tenant: { undeclared: { roles: ignore } }\nroles:\n  - { name: One, permissions: { ${api}: [read] } }\n  - { name: Gone, permissions: { ${api}: [read, write] } }\n`,
    },
  },
];

const asked: readonly PullCase[] = [
  {
    name: 'an --only that matches nothing',
    seed: policies(['a']),
    files: { 'a.yaml': 'event_streams: []\n' },
    options: { add: ['policies'], selection: { only: ['prompts/login', 'policies/*/none'] } },
  },
  {
    name: 'an --add that matches nothing',
    seed: { ...policies(['a']), event_streams: [], resource_servers: [] },
    files: { 'a.yaml': 'event_streams: []\nrate_limit_policies: [{ consumer_selector: default, unmanaged: true }]\n' },
    options: { add: ['policies/none', 'policies/*:a', 'streams', 'apis/none', 'policies/*/default', 'prompts/*'] },
  },
  {
    name: 'an --add of a kind that cannot be read matches something for all that is known',
    seed: { ...withoutScopes('event_streams'), ...policies(['a']), event_streams: [] },
    files: { 'a.yaml': 'rate_limit_policies: []\n' },
    options: { add: ['streams/one'] },
  },
  {
    name: 'references in quotes, in both styles: an equal one stays, another is replaced',
    seed: policies(['a', 5], ['b', 6], ['c', 5], ['d', 7]),
    files: {
      'vars.yaml': 'five: 5\n',
      'a.yaml': `rate_limit_policies:\n${['a', 'b'].map((name) => `  - { consumer_selector: "client_id:${name}", configuration: { action: block, limit: "\${var:five}" } }\n`).join('')}${['c', 'd'].map((name) => `  - consumer_selector: client_id:${name}\n    configuration:\n      action: block\n      limit: '\${var:five}' # per second\n`).join('')}`,
    },
  },
  {
    name: 'values of the command line whose only use changes, and those that stay in use',
    seed: {
      ...policies(['a', 5], ['b', 2], ['c', 3]),
      ...prompts({ login: { start: 'new\n', end: 'old\n' } }),
    },
    files: {
      'a.yaml': `rate_limit_policies:\n${['one', 'two', 'three'].map((name, index) => `  - consumer_selector: client_id:${'abc'[index]}\n    configuration:\n      action: block\n      limit: \${var:${name}} # per second\n`).join('')}`,
      'p.yaml': promptFile({ login: { start: '{ file: start.liquid }', end: '{ file: end.liquid }' } }),
      'start.liquid': 'old\n',
      'end.liquid': 'old\n',
    },
    options: {
      variables: {
        env: {},
        values: ['one', 'two', 'three'].map((name, index) => ({ name, text: String(index + 1) })),
        files: [],
      },
    },
  },
  {
    name: 'an --add that is no selector',
    seed: policies(['a']),
    files: { 'a.yaml': 'event_streams: []\n' },
    options: { add: ['policys'] },
  },
  {
    name: 'an --add of a kind that is not read, which --only narrows',
    seed: { ...policies(['a']), event_streams: [stream('est_1', 'one')] },
    files: { 'a.yaml': 'event_streams: []\n' },
    options: { add: ['policies', 'streams/one'], selection: { only: ['policies'] } },
  },
  {
    name: 'what an interrupted pull has left to add, without what no longer matches',
    seed: { ...policies(['a']), event_streams: [stream('est_1', 'one')], resource_servers: [] },
    files: { 'a.yaml': 'prompts: {}\n' },
    options: { resume: ['rate_limit_policies', 'policies/none', 'nonsense', 'resource_servers'] },
  },
  {
    name: 'a kind that pull cannot write',
    seed: { ...policies(['a', 5]), event_streams: [stream('est_1', 'one')] },
    files: { 'a.yaml': policyFile('a') },
    options: {
      kinds: kinds.map(({ pull, ...kind }) => (kind.name === 'event_streams' && pull ? { ...kind, pull } : kind)),
      add: ['prompts', 'streams'],
    },
  },
  {
    name: 'a folder with nothing but variables is a new one',
    seed: { ...policies(['a']), prompts: {} },
    files: { 'vars.yaml': 'x: 1\n' },
    options: { selection: { only: ['rate_limit_policies'] } },
  },
];

const unreadable: readonly PullCase[] = [
  {
    name: 'kinds without a section may stay unread, and those with one may not',
    seed: { ...withoutScopes('event_streams'), ...policies(['a', 5]), event_streams: [stream('est_1', 'one')] },
    files: { 'a.yaml': `${policyFile('a')}event_streams: []\n` },
  },
  {
    name: 'a kind that was asked for and cannot be read',
    seed: { ...withoutScopes('event_streams'), ...policies(['a', 5]) },
    files: { 'a.yaml': policyFile('a') },
    options: { add: ['streams'] },
  },
  {
    name: 'undeclared items of a kind that is read by its names alone',
    seed: { ...withoutScopes('read:roles'), roles: [role('rol_1', 'One')] },
    files: { 'a.yaml': 'roles:\n  - { name: One, permissions: [] }\n' },
  },
  {
    name: 'operations that the header does not allow',
    seed: { event_streams: [stream('est_1', 'one')], ...policies(['a', 5]) },
    files: { 'a.yaml': `tenant: { api: documented }\n${policyFile('a')}` },
    options: { add: ['streams'] },
  },
];

export const pullCases: Readonly<Record<string, readonly PullCase[]>> = {
  'texts in files': textsInFiles,
  'new items': places,
  'the header': headers,
  'items that stay': kept,
  'renamed items': renames,
  'what was asked for': asked,
  'what cannot be read': unreadable,
};
