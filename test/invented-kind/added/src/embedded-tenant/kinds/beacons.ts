import { shape } from '../../contract/shape.ts';
import { type Fielded, type ItemStore, storedItems } from '../../contract/stored-items.ts';
import type { RouteContext, RouteResponse, TenantResource, TenantRoute } from '../../model/tenant-resource.ts';
import { fields } from '../../service/beacons/fields.generated.ts';
import { operations, setBeaconPattern } from '../../service/beacons/operations.ts';
import { validateSeed } from '../../service/beacons/seed-validators.generated.ts';
import type {
  BeaconParams,
  LiveBeacon,
  PatchBeaconBody,
  PatternBody,
  SeededBeacons,
} from '../../service/beacons/types.generated.ts';
import { rolesTenant } from './roles.ts';

type Store = ItemStore<LiveBeacon>;

const missing: RouteResponse = { status: 404, message: 'The beacon does not exist.' };
const keeperMissing: RouteResponse = { status: 400, message: 'The keeper is not a role.', errorCode: 'invalid_body' };

const listed = storedItems<LiveBeacon>({
  section: 'beacons',
  seed: shape<SeededBeacons>('beacons.schema.json#/$defs/seed', validateSeed),
  fields,
  operations,
  id: { prefix: 'bcn', version: 4 },
  missing,
  conflict: { status: 409, message: 'A beacon with this name already exists.' },
  set: (body, _beacon, context) => withKeeper(body, context),
});

/** The id of the keeper, from the store of another resource. */
function withKeeper({ keeper, ...body }: PatchBeaconBody, { stores }: RouteContext): Fielded {
  if (keeper === undefined) return { fields: body };
  const role = stores.get(rolesTenant).all.find(({ name }) => name === keeper);
  return role === undefined ? { refusal: keeperMissing } : { fields: { ...body, keeper_id: role.id } };
}

const setPattern: TenantRoute<Store, BeaconParams, never, PatternBody> = {
  operation: setBeaconPattern,
  respond({ params, body: { pattern } }, { store }) {
    const beacon = store.find(params.id);
    if (beacon === undefined) return missing;
    store.put({ ...beacon, pattern });
    return { status: 200, body: store.find(params.id) };
  },
};

export const beaconsTenant: TenantResource<readonly LiveBeacon[], Store> = {
  ...listed,
  routes: [...listed.routes, setPattern],
};
