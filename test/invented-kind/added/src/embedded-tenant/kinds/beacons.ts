import { shape } from '../../contract/shape.ts';
import type { Stores, TenantRoute } from '../../model/tenant-resource.ts';
import { fields } from '../../service/beacons/fields.generated.ts';
import { operations, setBeaconPattern } from '../../service/beacons/operations.ts';
import { validateSeed } from '../../service/beacons/seed-validators.generated.ts';
import type { BeaconParams, PatternBody } from '../../service/beacons/types.generated.ts';
import { type Item, type ItemStore, itemsOf } from '../items/item-store.ts';
import { hasSame, objectAt, omit } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { refused } from '../refused.ts';

const missing = { status: 404, message: 'The beacon does not exist.' };

const listed = servedList(
  { name: 'beacons', id: 'id', fields, operations },
  {
    newId: ({ newId }) => newId('bcn', 4),
    missing,
    refuse({ item, body, store, stores }) {
      if ('keeper' in body && keeperOf(body, stores) === undefined)
        return refused(400, 'invalid_body', 'The keeper is not a role.');
      const isNew = item === null && store.all.some(hasSame(body, ['name']));
      return isNew ? { status: 409, message: 'A beacon with this name already exists.' } : null;
    },
    create: ({ body, stores }) => withKeeper(body, stores),
    update: (item, { body, stores }) => ({
      ...item,
      ...withKeeper(body, stores),
      light: { ...objectAt(item, 'light'), ...objectAt(body, 'light') },
    }),
  },
  shape<readonly Item[]>('beacons.schema.json#/$defs/seed', validateSeed),
);

/** The id of the keeper, from the store of another resource. */
function withKeeper(body: Item, stores: Stores): Item {
  const keeper_id = keeperOf(body, stores);
  return { ...omit(body, ['keeper']), ...(keeper_id !== undefined && { keeper_id }) };
}

function keeperOf({ keeper }: Item, stores: Stores): string | undefined {
  const role = itemsOf(stores, 'roles').all.find(({ name }) => name === keeper);
  return role === undefined ? undefined : String(role['id']);
}

const setPattern: TenantRoute<ItemStore, BeaconParams, never, PatternBody> = {
  operation: setBeaconPattern,
  respond({ params, body: { pattern } }, { store }) {
    const beacon = store.find(params.id);
    if (beacon === undefined) return missing;
    store.put({ ...beacon, pattern });
    return { status: 200, body: store.find(params.id) };
  },
};

export const beaconsTenant = { ...listed, routes: [...listed.routes, setPattern] };
