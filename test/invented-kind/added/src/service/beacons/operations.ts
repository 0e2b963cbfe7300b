import type { ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type {
  BeaconParams,
  CreateBeaconBody,
  ListBeaconsQuery,
  LiveBeacon,
  PatchBeaconBody,
  PatternBody,
} from './types.generated.ts';

const common = {
  api: 'full',
  lifecycle: 'not shown',
  basis: { source: 'assumed', section: '-', assumed: [] },
} as const;

export const listBeacons: ListOperation<ListBeaconsQuery, LiveBeacon> = {
  ...common,
  id: 'list_beacons',
  method: 'GET',
  path: '/beacons',
  summary: 'List beacons',
  scope: 'read:hooks',
  query: { ...shapes.listQuery, integers: ['take'] },
  response: shapes.page,
  item: shapes.live,
  paging: { style: 'cursor', items: 'beacons', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
};

export const createBeacon: Operation<never, never, CreateBeaconBody, LiveBeacon> = {
  ...common,
  id: 'create_beacon',
  method: 'POST',
  path: '/beacons',
  summary: 'Create a beacon',
  scope: 'create:hooks',
  body: { ...shapes.createBody, encodings: ['application/json'] },
  response: shapes.live,
  success: 201,
};

export const updateBeacon: Operation<BeaconParams, never, PatchBeaconBody, LiveBeacon> = {
  ...common,
  id: 'update_beacon',
  method: 'PATCH',
  path: '/beacons/{id}',
  summary: 'Update a beacon',
  scope: 'update:hooks',
  params: shapes.beaconParams,
  body: { ...shapes.patchBody, encodings: ['application/json'] },
  response: shapes.live,
  success: 200,
};

export const setBeaconPattern: Operation<BeaconParams, never, PatternBody, LiveBeacon> = {
  ...common,
  id: 'set_beacon_pattern',
  method: 'PUT',
  path: '/beacons/{id}/pattern',
  summary: 'Set the pattern of a beacon',
  scope: 'update:hooks',
  params: shapes.beaconParams,
  body: { ...shapes.patternBody, encodings: ['application/json'] },
  response: shapes.live,
  success: 200,
};

export const deleteBeacon: Operation<BeaconParams> = {
  ...common,
  id: 'delete_beacon',
  method: 'DELETE',
  path: '/beacons/{id}',
  summary: 'Delete a beacon',
  scope: 'delete:hooks',
  params: shapes.beaconParams,
  success: 204,
  goneStatus: 404,
};

export const operations = {
  list: listBeacons,
  create: createBeacon,
  update: updateBeacon,
  pattern: setBeaconPattern,
  delete: deleteBeacon,
};
