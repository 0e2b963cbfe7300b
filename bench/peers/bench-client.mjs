/** The one client of the embedded tenant here. Not a secret: it is written here. */
export const benchClient = {
  client_id: 'bench',
  client_secret: 'bench-only',
  scopes: [
    'read:rate_limit_policies',
    'create:rate_limit_policies',
    'update:rate_limit_policies',
    'delete:rate_limit_policies',
    'read:roles',
    'update:roles',
    'read:prompts',
    'update:prompts',
    'read:event_streams',
  ],
};

/** The bare path stands for the tenant's own audience, whatever its port is. */
export const audience = '/api/v2/';
