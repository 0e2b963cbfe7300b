// Files and seeds of a given size.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const triple = { resource: 'oauth_authentication_api', consumer: 'client' };
const selector = (index) => `client_id:application-${index}`;
const limit = (index) => (index % 100) + 1;

export function policiesFile(count) {
  const items = Array.from({ length: count }, (_, index) =>
    [
      `  - resource: ${triple.resource}`,
      `    consumer: ${triple.consumer}`,
      `    consumer_selector: ${selector(index)}`,
      '    configuration:',
      '      action: block',
      `      limit: ${limit(index)}`,
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

/** A folder with a section for every count that is given. */
export async function tenantFiles(folder, { declared, streams, role, header = 'tenant: { name: bench }' }) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tenant.yaml'), `${header}\n`);
  if (declared !== undefined) await writeFile(join(folder, 'policies.yaml'), policiesFile(declared));
  if (streams !== undefined) await writeFile(join(folder, 'streams.yaml'), streamsFile(streams));
  if (role)
    await writeFile(
      join(folder, 'roles.yaml'),
      'roles:\n  - id: rol_1\n    absent_permissions:\n      - { resource_server_identifier: https://a.example/, permission_name: delete:all }\n',
    );
  return folder;
}

export function seedWith({ policies, streams }) {
  return {
    clients: [
      {
        client_id: 'bench',
        client_secret: 'bench-only',
        scopes: ['read:rate_limit_policies', 'delete:rate_limit_policies', 'update:roles', 'read:event_streams'],
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
    roles: [{ id: 'rol_1', name: 'Everybody' }],
    event_streams: Array.from({ length: streams }, (_, index) => ({ id: `est_${String(index).padStart(8, '0')}`, ...declaredStream(index) })),
  };
}
