import { shape } from '../../contract/shape.ts';
import type { RouteResponse } from '../../model/tenant-resource.ts';
import { description } from '../../service/client-grants/description.generated.ts';
import { validateSeed } from '../../service/client-grants/seed-validators.generated.ts';
import type { Write } from '../items/behavior.ts';
import { lettersAndDigits } from '../items/ids.ts';
import { type Item, itemsOf } from '../items/item-store.ts';
import { omit, withoutNulls } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { badBody, refused } from '../refused.ts';
import { managementApi, shownAudience, storedAudience } from './management-api.ts';
import { apiOf } from './resource-servers.ts';

/** That the service refuses it is a public fact (8.5); the response is assumed. */
const madeByService = refused(400, 'invalid_body', 'System grants cannot be changed.');

export const clientGrantsTenant = servedList(
  description,
  {
    newId: (context) => `cgr_${lettersAndDigits(context, 16)}`,
    missing: refused(404, 'inexistent_client_grant', 'The grant does not exist.'),
    refuse: (write) => (write.item === null ? refuseCreate(write) : refuseUpdate(write.item, write.body)),
    refuseDelete: ({ is_system }) => (is_system === true ? madeByService : null),
    create: ({ body, baseUrl }) => stored({ subject_type: 'client', ...body }, baseUrl),
    update: (item, { body, baseUrl }) => stored({ ...item, ...body }, baseUrl),
    show: (grant, { baseUrl }) => ({ ...grant, audience: shownAudience(grant['audience'], baseUrl) }),
    // Absent, the one is `client`, and the other is false (public facts 8.3).
    filters: {
      subject_type: ({ subject_type = 'client' }, type) => subject_type === type,
      allow_any_organization: ({ allow_any_organization: any = false }, value) => String(any) === value,
    },
  },
  shape<readonly Item[]>('client-grants.schema.json#/$defs/seed', validateSeed),
);

/** A grant of all scopes has none of its own (public facts 8.3). What null does is not public. */
function stored(grant: Item, baseUrl: string): Item {
  const { allow_all_scopes, audience } = grant;
  const own = allow_all_scopes === true ? omit(grant, ['scope']) : grant;
  return withoutNulls({ ...own, audience: storedAudience(audience, baseUrl) });
}

/** Public facts 8.4. */
function refuseCreate({ body, baseUrl, store, stores }: Write): RouteResponse | null {
  const { client_id, audience, subject_type = 'client' } = body;
  const client = itemsOf(stores, 'clients').find(String(client_id));
  if (client === undefined && body['default_for'] === undefined) return { status: 404, message: 'Client not found' };
  if (client?.['app_type'] === 'express_configuration')
    return refused(400, 'validation_error', 'Client of type express_configuration cannot be used');
  const api = storedAudience(audience, baseUrl);
  if (api !== managementApi && apiOf(stores, String(audience)) === undefined)
    return { status: 404, message: 'Resource server not found' };
  const isTaken = store.all.some(
    (grant) =>
      grant['client_id'] === client_id &&
      grant['default_for'] === body['default_for'] &&
      grant['audience'] === api &&
      (grant['subject_type'] ?? 'client') === subject_type,
  );
  const message = `A client grant already exists between ${String(client_id)} and ${String(audience)}`;
  return isTaken ? { status: 409, message } : null;
}

function refuseUpdate({ is_system, allow_all_scopes }: Item, body: Item): RouteResponse | null {
  if (is_system === true) return madeByService;
  const needsScopes = allow_all_scopes === true && body['allow_all_scopes'] === false && body['scope'] === undefined;
  return needsScopes ? badBody("'Missing required property: scope'") : null;
}
