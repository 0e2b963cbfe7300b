// The walk that explains errors knows the rules of the compiled validator: it reports something where that refuses a file,
// and nothing where it accepts one.
import Ajv2020 from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { explainSchemaErrors } from '../../src/config/errors/explain-schema-errors.ts';
import { resolved, type SchemaPart } from '../../src/config/errors/schema-lookup.ts';
import { schemaErrors } from '../../src/config/validate-file.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { validateProject } from '../../src/contract/project.generated.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import type { SchemaError, Validate } from '../../src/model/operation.ts';
import { isRecord } from '../../src/values/is-record.ts';
import { jsonPointer, withValuesAt } from '../../src/values/json-pointer.ts';
import { kinds } from '../support/all-kinds.ts';

const pair = { resource_server_identifier: 'https://a.example/', permission_name: 'read' };
const webhook = (webhook_authorization: object) => ({
  type: 'webhook',
  configuration: { webhook_endpoint: 'https://a.example/', webhook_authorization },
});
const stream = (name: string, destination: object) => ({
  name,
  status: 'enabled',
  subscriptions: [{ event_type: 'user.created' }],
  destination,
});

const config = {
  tenant: {
    name: 'acme',
    base_url: 'https://login.acme.example/api/v2',
    state: 'database',
    api: 'full',
    guards: { max_delete_percent: 30, max_delete_count: 3, max_update_percent: 50, own_clients: ['a'] },
    protect: { roles: ['Admin'] },
    undeclared: { roles: 'report', event_streams: 'delete' },
    approvals: ['3f2a9c0d1e4b5a6978c0d1e2'],
  },
  rate_limit_policies: [
    {
      resource: 'oauth_authentication_api',
      consumer: 'client',
      consumer_selector: 'default',
      configuration: { action: 'allow' },
    },
    { consumer_selector: 'client_id:a', configuration: { action: 'log', limit: 7 } },
    {
      consumer_selector: 'cimd_clients',
      configuration: { action: 'redirect', limit: 7, redirect_uri: 'https://a.example/' },
    },
    { consumer_selector: 'third_party_clients', absent: true },
  ],
  roles: [
    {
      id: 'rol_1',
      name: 'A',
      description: 'x',
      permissions: { 'https://a.example/': ['read'] },
      absent_permissions: [pair],
    },
    { name: 'B', renamed_from: 'C', permissions: [pair] },
    { name: 'D', unmanaged: true },
  ],
  resource_servers: [{ identifier: 'https://a.example/', scopes: [{ value: 'read', description: 'x' }] }],
  prompts: { login: { partials: { login: { 'form-content-start': 'x', 'form-content-end': { file: 'a.liquid' } } } } },
  event_streams: [
    stream('a', webhook({ method: 'basic', username: 'crm', password: '${env:TENANT_VAR_A}' })),
    stream('b', webhook({ method: 'bearer', token: '${env:TENANT_VAR_A}' })),
    stream('c', webhook({ method: 'custom_header', header_key: 'X-Key', header_value: '${env:TENANT_VAR_A}' })),
    stream('d', { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'eu-central-1' } }),
    stream('e', { type: 'action', configuration: { action_id: 'x' } }),
  ],
};

const project = {
  tenants: {
    'acme-dev': {
      layers: ['base', 'env/dev'],
      environment: 'ACME_DEV',
      variables: { support_url: 'x', limit: 7, isOpen: true },
      base_url: 'https://dev.acme.example/api/v2',
      wave: 2,
    },
  },
  include: ['tenants/*.yaml'],
  state: 'database',
  approvals: [{ code: '3f2a9c0d1e4b5a6978c0d1e2', tenants: ['acme-dev'] }],
};

/** In place of any value. */
const others: readonly unknown[] = [
  true,
  false,
  0,
  -1,
  7,
  101,
  10_001,
  '',
  'x',
  'a:b',
  '..',
  'a/b',
  'é',
  'http://a.example/',
  'https://a.example',
  'x'.repeat(256),
  'é'.repeat(700),
  [],
  ['x'],
  [7],
  [[]],
  [{}],
  {},
  { x: 1 },
  { '': 'x' },
  { absent: true },
  { file: '' },
  Array(1001).fill('3f2a9c0d1e4b5a6978c0d1e2'),
];
/** In place of any text that names a form. */
const words = [
  'allow',
  'block',
  'bloc',
  'redirect',
  'webhook',
  'webhok',
  'action',
  'basic',
  'bearer',
  'documented',
  'delete',
];

function* pointersIn(value: unknown, pointer = ''): Generator<string> {
  yield pointer;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pointersIn(member, pointer + jsonPointer(name));
}

/** The value without a member, with another name for it, and with one more. */
function* changed(file: unknown): Generator<unknown> {
  for (const pointer of pointersIn(file))
    for (const other of [...others, ...words]) yield withValuesAt(file, new Map([[pointer, other]]));
  for (const pointer of pointersIn(file)) {
    const owner = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/'))
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], file);
    if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) continue;
    for (const [name, member] of Object.entries(owner)) {
      const { [name]: _left, ...rest } = owner as Record<string, unknown>;
      for (const other of [rest, { ...rest, [`${name}x`]: member }, { ...owner, [name.toUpperCase()]: member }])
        yield withValuesAt(file, new Map([[pointer, other]]));
    }
  }
}

const validateRoot = validateProject as unknown as Validate<unknown>;
const errorsInProject = (value: unknown) => (validateRoot(value) ? [] : (validateRoot.errors ?? []));

/** The parser refuses what is no mapping. */
const noMapping: SchemaError = { instancePath: '', schemaPath: '', keyword: 'type', params: { type: 'object' } };
const errorsInFile = (value: unknown) => (isRecord(value) ? schemaErrors(value, kinds) : [noMapping]);

test.each([
  ['files of a tenant', 'config.schema.json', errorsInFile, config],
  ['projects', 'project.schema.json', errorsInProject, project],
] as const)('%s', (_name, root, errorsIn, valid) => {
  const counts = { accepted: 0, refused: 0 };
  expect(errorsIn(valid)).toEqual([]);
  const parsed = parseYaml(sourceText('a.yaml', '{ a: b }'), () => {});
  // Items apart: each change would cost the time of all of them.
  const sections = Object.entries<unknown>(valid).flatMap(([name, section]) =>
    (Array.isArray(section) ? section.map((item) => [item]) : [section]).map((part) => ({ [name]: part })),
  );
  const wrong: unknown[] = [];
  for (const value of sections.flatMap((section) => [...changed(section)])) {
    const errors = errorsIn(value);
    const isValid = errors.length === 0;
    counts[isValid ? 'accepted' : 'refused'] += 1;
    const file = { ...(parsed as NonNullable<typeof parsed>), value: value as Readonly<Record<string, unknown>> };
    const found: string[] = [];
    const report = (problem: { make(): { message: string } } | { message: string }) =>
      void found.push('make' in problem ? problem.make().message : problem.message);
    explainSchemaErrors(file, errors, report, root);
    const isExplained = found.length > 0 && !found.some((message) => message.startsWith('The value at'));
    if (isExplained === isValid) wrong.push([errors, found, JSON.stringify(value).slice(0, 1_000)]);
  }
  expect(wrong).toEqual([]);
  expect(counts.accepted).toBeGreaterThan(100);
  expect(counts.refused).toBeGreaterThan(500);
});

/** Items of kinds that no file has yet. */
const items = {
  connections: [
    {
      name: 'Users',
      strategy: 'auth0',
      options: {
        passwordPolicy: 'good',
        mfa: { active: true },
        precedence: ['email'],
        configuration: { A: '${env:A}' },
      },
      metadata: { a: 'b' },
      enabled_clients: ['Web', { id: 'c1' }],
    },
    { name: 'Corp', strategy: 'oidc', options: { client_id: 'x', client_secret: '${env:A}', scope: 'openid' } },
    { name: 'Hub', strategy: 'github', realms: ['Hub'] },
    { name: 'Old', absent: true },
  ],
  clients: [
    {
      name: 'Web',
      description: null,
      callbacks: ['https://a.example/'],
      refresh_token: { rotation_type: 'rotating', expiration_type: 'expiring', leeway: 0 },
      client_metadata: { team: 'shop' },
      addons: { samlp: { audience: 'a' } },
    },
    { id: 'c1', name: 'Web' },
  ],
  'client-grants': [
    { client: { id: 'c1' }, audience: 'https://a.example/', scope: ['read:a'], organization_usage: null },
  ],
};

test.each(Object.entries<readonly object[]>(items))('items of %s', (name, valid) => {
  const root = `${name}.schema.json#/$defs/declared`;
  const ajv = new Ajv2020.default({ strict: false, discriminator: true, validateFormats: false });
  for (const file of [`${name}.schema.json`, 'item.schema.json']) ajv.addSchema(resolved({ $ref: file }));
  const validate = ajv.compile({ $ref: root });
  const parsed = parseYaml(sourceText('a.yaml', '{ a: b }'), () => {});
  const wrong: unknown[] = [];
  for (const item of valid) expect(validate(item), JSON.stringify([item, validate.errors])).toBe(true);
  for (const value of valid.flatMap((item) => [...changed(item)])) {
    const isValid = validate(value);
    const file = { ...(parsed as NonNullable<typeof parsed>), value: value as Readonly<Record<string, unknown>> };
    const found: string[] = [];
    const report = (problem: { make(): { message: string } } | { message: string }) =>
      void found.push('make' in problem ? problem.make().message : problem.message);
    explainSchemaErrors(file, (validate.errors ?? []) as readonly SchemaError[], report, root);
    const isExplained = found.length > 0 && !found.some((message) => message.startsWith('The value at'));
    if (isExplained === isValid) wrong.push([validate.errors, found, JSON.stringify(value).slice(0, 1_000)]);
  }
  expect(wrong.slice(0, 3)).toEqual([]);
});

test('every rule of a schema for files is one that the walk can explain', () => {
  const texts = [
    'title',
    'description',
    'markdownDescription',
    'examples',
    'default',
    '$comment',
    '$schema',
    '$id',
    'tsType',
  ];
  const notes = ['enumDescriptions', 'deprecationMessage', 'patternErrorMessage', 'doNotSuggest', 'deprecated'];
  const rules = [
    'type',
    'enum',
    'const',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'maxProperties',
    'pattern',
  ];
  const parts = ['items', 'properties', 'additionalProperties', 'propertyNames', 'required', 'if', 'then', '$ref'];
  // An item can be declared by its id or by its name, and some fields cannot be declared: these are the only ones with `not`.
  const choices = ['anyOf', 'oneOf', 'allOf', 'discriminator', 'not'];
  const known = new Set([...texts, ...notes, ...rules, ...parts, ...choices, '$defs', 'x-format']);
  const seen = new Set<SchemaPart>();
  const unknown = new Set<string>();
  const walk = (of: SchemaPart) => {
    const part = resolved(of);
    if (seen.has(part)) return;
    seen.add(part);
    for (const [name, value] of Object.entries(part)) {
      if (!known.has(name) && !name.startsWith('x-')) unknown.add(name);
      if (name === 'properties') for (const member of Object.values(value as SchemaPart)) walk(member as SchemaPart);
      if (choices.includes(name) && Array.isArray(value)) for (const one of value) walk(one);
      if (['items', 'additionalProperties', 'propertyNames', 'if', 'then'].includes(name) && isRecord(value))
        walk(value);
    }
  };
  for (const root of ['config.schema.json', 'project.schema.json']) walk({ $ref: root });
  expect(seen.size).toBeGreaterThan(100);
  expect([...unknown]).toEqual([]);
});
