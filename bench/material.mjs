// Files and seeds of a given size.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const triple = { resource: 'oauth_authentication_api', consumer: 'client' };
const selector = (index) => `client_id:application-${index}`;
const limit = (index) => (index % 100) + 1;

const pair = (index) => ({ resource_server_identifier: 'https://orders.example/', permission_name: `do:${index}` });
const { $defs: prompts } = JSON.parse(
  await readFile(new URL('../schemas/prompts.schema.json', import.meta.url), 'utf8'),
);
const promptNames = prompts.prompt.enum;
const listOf = (count, itemOf) => Array.from({ length: count ?? 0 }, (_, index) => itemOf(index));

/** `changed` of the limits are another than the tenant's. */
export function policiesFile(count, changed = 0) {
  const items = Array.from({ length: count }, (_, index) =>
    [
      `  - resource: ${triple.resource}`,
      `    consumer: ${triple.consumer}`,
      `    consumer_selector: ${selector(index)}`,
      '    configuration:',
      '      action: block',
      `      limit: ${limit(index) + (index < changed ? 1 : 0)}`,
    ].join('\n'),
  );
  return count === 0 ? 'rate_limit_policies: []\n' : `rate_limit_policies:\n${items.join('\n')}\n`;
}

function streamsFile(count) {
  const items = Array.from({ length: count }, (_, index) => `  - ${JSON.stringify(declaredStream(index))}`);
  return count === 0 ? 'event_streams: []\n' : `event_streams:\n${items.join('\n')}\n`;
}

function declaredStream(index) {
  return {
    name: `stream-${index}`,
    subscriptions: [{ event_type: 'user.created' }],
    destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://a.example/hook' } },
  };
}

/**
 * A folder with a section for every count that is given. `revoked` roles declare one permission less than the tenant has,
 * `granted` ones one more, `moved` ones another one; `scopes` is the number of permissions that the first API is declared to define.
 */
export async function tenantFiles(
  folder,
  {
    declared,
    changed,
    streams,
    role,
    roles,
    named,
    permissions,
    revoked = 0,
    granted = 0,
    moved = 0,
    scopes,
    prompts,
    header = 'tenant: { name: bench }',
  },
) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tenant.yaml'), `${header}\n`);
  if (declared !== undefined) await writeFile(join(folder, 'policies.yaml'), policiesFile(declared, changed));
  if (streams !== undefined) await writeFile(join(folder, 'streams.yaml'), streamsFile(streams));
  if (roles) {
    const items = listOf(roles, (index) => ({
      ...(named ? { name: `Role ${index}` } : { id: `rol_${index}` }),
      permissions: [
        ...listOf(permissions - (index < revoked ? 1 : 0) + (index < granted ? 1 : 0), pair).slice(
          index < moved ? 1 : 0,
        ),
        ...(index < moved ? [pair(permissions)] : []),
      ],
    }));
    await writeFile(
      join(folder, 'roles.yaml'),
      `roles:\n${items.map((item) => `  - ${JSON.stringify(item)}\n`).join('')}`,
    );
  }
  if (scopes !== undefined) {
    const api = { identifier: pair(0).resource_server_identifier, scopes: listOf(scopes, scope) };
    await writeFile(join(folder, 'apis.yaml'), `resource_servers: ${JSON.stringify([api])}\n`);
  }
  if (prompts) {
    const declaredPrompts = Object.fromEntries(
      promptNames.slice(0, prompts).map((name) => [name, { partials: { [name]: { 'form-content-start': name } } }]),
    );
    await writeFile(join(folder, 'prompts.yaml'), `prompts: ${JSON.stringify(declaredPrompts)}\n`);
  }
  if (role)
    await writeFile(
      join(folder, 'roles.yaml'),
      'roles:\n  - id: rol_1\n    absent_permissions:\n      - { resource_server_identifier: https://a.example/, permission_name: delete:all }\n',
    );
  return folder;
}

function scope(index) {
  return { value: pair(index).permission_name };
}

/** With `apis`, the first one defines one permission more than the roles have. */
export function seedWith({ policies, streams, roles, permissions, prompts, apis }) {
  return {
    clients: [
      {
        client_id: 'bench',
        client_secret: 'bench-only',
        scopes: ['rate_limit_policies', 'roles', 'event_streams', 'resource_servers']
          .flatMap((resource) => ['create', 'read', 'update', 'delete'].map((verb) => `${verb}:${resource}`))
          .concat(['read:prompts', 'update:prompts']),
      },
    ],
    rate_limit_policies: Array.from({ length: policies }, (_, index) => ({
      id: `rlp_${String(index).padStart(8, '0')}`,
      ...triple,
      consumer_selector: selector(index),
      configuration: { action: 'block', limit: limit(index) },
      created_at: '2026-07-06T10:24:38.766279Z',
      updated_at: '2026-07-06T10:24:38.766279Z',
    })),
    roles: [{ id: 'rol_everybody', name: 'Everybody' }].slice(roles ? 1 : 0).concat(
      listOf(roles, (index) => ({
        id: `rol_${index}`,
        name: `Role ${index}`,
        permissions: listOf(permissions, pair),
      })),
    ),
    ...(apis && {
      resource_servers: listOf(apis, (index) =>
        index === 0
          ? { identifier: pair(0).resource_server_identifier, scopes: listOf(permissions + 1, scope) }
          : { identifier: `https://api-${index}.example/` },
      ),
    }),
    prompts: Object.fromEntries(
      promptNames
        .slice(0, prompts ?? 0)
        .map((name) => [name, { partials: { [name]: { 'form-content-start': name } } }]),
    ),
    event_streams: listOf(streams, (index) => ({
      id: `est_${String(index).padStart(8, '0')}`,
      ...declaredStream(index),
    })),
  };
}
