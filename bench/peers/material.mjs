// States of a tenant, in the form of the embedded tenant's seed; a declared state is one as well, and its ids are not written down.
const api = 'https://orders.example/';

export function policies(count, { from = 0 } = {}) {
  return Array.from({ length: count }, (_, index) => policy(from + index, ((from + index) % 100) + 1));
}

export function policy(index, limit) {
  return {
    id: `rlp_${String(index).padStart(8, '0')}`,
    resource: 'oauth_authentication_api',
    consumer: 'client',
    consumer_selector: `client_id:application-${index}`,
    configuration: { action: 'block', limit },
    created_at: '2026-07-06T10:24:38.766279Z',
    updated_at: '2026-07-06T10:24:38.766279Z',
  };
}

export function roles(count, size) {
  return Array.from({ length: count }, (_, index) => role(index, numbers(size)));
}

export function role(index, held) {
  return {
    id: `rol_${String(index).padStart(4, '0')}`,
    name: `Role ${String(index).padStart(4, '0')}`,
    permissions: held.map((number) => ({ resource_server_identifier: api, permission_name: `permission:${number}` })),
  };
}

export function prompts(texts) {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, { partials: { [name]: { 'form-content-start': text } } }]),
  );
}

export function numbers(count) {
  return Array.from({ length: count }, (_, index) => index);
}
