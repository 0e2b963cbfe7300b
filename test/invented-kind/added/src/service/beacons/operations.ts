import { readShape, shape } from '../../contract/shape.ts';
import type { ListOperation, Operation } from '../../model/operation.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import type {
  BeaconParams,
  CreateBeaconBody,
  ListBeaconsQuery,
  LiveBeacon,
  PatchBeaconBody,
  PatternBody,
} from './types.generated.ts';
import {
  validateBeacon,
  validateBeaconParams,
  validateCreateBody,
  validateListQuery,
  validatePage,
  validatePatchBody,
  validatePatternBody,
} from './validators.generated.ts';

const schema = 'beacons.schema.json#/$defs';
const params = shape<BeaconParams>(`${schema}/beacon_params`, validateBeaconParams);
const beacon = readShape<LiveBeacon>(`${schema}/beacon`, validateBeacon, { exact: exactLive, tolerant: tolerantLive });
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
  query: { ...shape<ListBeaconsQuery>(`${schema}/list_query`, validateListQuery), integers: ['take'] },
  response: shape<unknown>(`${schema}/page`, validatePage),
  item: beacon,
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
  body: { ...shape<CreateBeaconBody>(`${schema}/create_body`, validateCreateBody), encodings: ['application/json'] },
  response: beacon,
  success: 201,
};

export const updateBeacon: Operation<BeaconParams, never, PatchBeaconBody, LiveBeacon> = {
  ...common,
  id: 'update_beacon',
  method: 'PATCH',
  path: '/beacons/{id}',
  summary: 'Update a beacon',
  scope: 'update:hooks',
  params,
  body: { ...shape<PatchBeaconBody>(`${schema}/patch_body`, validatePatchBody), encodings: ['application/json'] },
  response: beacon,
  success: 200,
};

export const setBeaconPattern: Operation<BeaconParams, never, PatternBody, LiveBeacon> = {
  ...common,
  id: 'set_beacon_pattern',
  method: 'PUT',
  path: '/beacons/{id}/pattern',
  summary: 'Set the pattern of a beacon',
  scope: 'update:hooks',
  params,
  body: { ...shape<PatternBody>(`${schema}/pattern_body`, validatePatternBody), encodings: ['application/json'] },
  response: beacon,
  success: 200,
};

export const deleteBeacon: Operation<BeaconParams> = {
  ...common,
  id: 'delete_beacon',
  method: 'DELETE',
  path: '/beacons/{id}',
  summary: 'Delete a beacon',
  scope: 'delete:hooks',
  params,
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
