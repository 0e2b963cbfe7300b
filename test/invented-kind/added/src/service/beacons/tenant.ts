import { shape } from '../../contract/shape.ts';
import type { RouteResponse, Stores, TenantResource, TenantRoute, TenantStore } from '../../model/tenant-resource.ts';
import { type OrderedItems, orderItems } from '../../values/ordered-items.ts';
import { rolesTenant } from '../roles/tenant.ts';
import { createBeacon, deleteBeacon, listBeacons, setBeaconPattern, updateBeacon } from './operations.ts';
import { validateSeed } from './seed-validators.generated.ts';
import type {
  BeaconParams,
  CreateBeaconBody,
  ListBeaconsQuery,
  LiveBeacon,
  PatchBeaconBody,
  PatternBody,
  SeededBeacons,
} from './types.generated.ts';

interface BeaconStore extends OrderedItems<LiveBeacon>, TenantStore {}

const missing: RouteResponse = { status: 404, message: 'The beacon does not exist.' };
const keeperMissing: RouteResponse = { status: 400, message: 'The keeper is not a role.', errorCode: 'invalid_body' };

const list: TenantRoute<BeaconStore, unknown, ListBeaconsQuery, never> = {
  operation: listBeacons,
  respond({ query }, { store }) {
    const page = store.page(query.from === undefined ? null : { at: query.from }, query.take ?? 50, () => true);
    const next = page.following === null ? {} : { next: page.following.id };
    return { status: 200, body: { beacons: page.items, ...next } };
  },
};

const create: TenantRoute<BeaconStore, never, never, CreateBeaconBody> = {
  operation: createBeacon,
  respond({ body: { keeper, ...body } }, { store, stores, newId }) {
    const keeper_id = roleId(stores, keeper);
    if (keeper_id === undefined) return keeperMissing;
    const beacon = { id: newId('bcn', 4), ...body, keeper_id };
    store.put(beacon);
    return { status: 201, body: beacon };
  },
};

const update: TenantRoute<BeaconStore, BeaconParams, never, PatchBeaconBody> = {
  operation: updateBeacon,
  respond({ params, body: { keeper, ...body } }, { store, stores }) {
    if (keeper === undefined) return change(store, params.id, body);
    const keeper_id = roleId(stores, keeper);
    return keeper_id === undefined ? keeperMissing : change(store, params.id, { ...body, keeper_id });
  },
};

/** The store of another resource. */
function roleId(stores: Stores, name: string): string | undefined {
  return stores
    .get(rolesTenant)
    .all()
    .find((role) => role.name === name)?.id;
}

const setPattern: TenantRoute<BeaconStore, BeaconParams, never, PatternBody> = {
  operation: setBeaconPattern,
  respond: ({ params, body: { pattern } }, { store }) => change(store, params.id, { pattern }),
};

const remove: TenantRoute<BeaconStore, BeaconParams> = {
  operation: deleteBeacon,
  respond: ({ params }, { store }) => (store.remove(params.id) ? { status: 204 } : missing),
};

function change(store: BeaconStore, id: string, fields: Partial<LiveBeacon>): RouteResponse {
  const beacon = store.find(id);
  if (beacon === undefined) return missing;
  const changed = { ...beacon, ...fields };
  store.put(changed);
  return { status: 200, body: changed };
}

export const beaconsTenant: TenantResource<SeededBeacons, BeaconStore> = {
  section: 'beacons',
  seed: { ...shape<SeededBeacons>('beacons.schema.json#/$defs/seed', validateSeed), identity: 'id' },
  uses: [rolesTenant],
  openStore(section = []) {
    const items = orderItems(section);
    return { ...items, snapshot: () => items.all };
  },
  routes: [list, create, update, setPattern, remove],
};
