import { undeclaredItems } from '../../differ/undeclared.ts';
import { identityOf } from '../../items/identity.ts';
import { checkLists } from '../../items/members.ts';
import { pullItems } from '../../items/pull-items.ts';
import type { DesiredSection, PullRules, ResourceKind } from '../../model/kind.ts';
import type { LiveState } from '../../model/reader.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { fields } from '../../service/resource-servers/fields.generated.ts';
import { listResourceServers, operations } from '../../service/resource-servers/operations.ts';
import type { LiveResourceServer } from '../../service/resource-servers/types.generated.ts';
import { decide } from './decide.ts';
import { readApis, reading } from './read.ts';
import { type DesiredApi, describe, type LiveApi } from './scopes.ts';

const { names, nameOf } = identityOf(fields);
const noun = { one: 'API', many: 'APIs' };
const listed = { name: 'resource_servers', noun, key: names, id: 'id', fields, resources: {} } as const;

/** Files have APIs with scopes, and none of the service itself: nothing of those could be managed. */
export const pull: PullRules<object, LiveApi> = {
  ...pullItems<LiveApi>(listed, { isSame: undefined, protectedAs: nameOf }),
  readUndeclared,
};

async function readUndeclared(snapshot: Snapshot, desired: DesiredSection): Promise<LiveState<LiveApi>> {
  const live = await readApis(snapshot);
  if (!live.readable) return live;
  const keys = new Set(undeclaredItems(desired.items, live.listed ?? []).map(({ key }) => key));
  return { ...live, items: live.items.filter(({ identifier }) => keys.has(identifier)) };
}

export const resourceServers: ResourceKind<DesiredApi, LiveApi> = {
  name: 'resource_servers',
  title: 'Resource servers',
  noun,
  keyHint: 'IDENTIFIER',
  undeclared: 'report',
  operations,
  identity: names,
  keyOf: nameOf,
  check: (item, report) => checkLists(fields, item, report),
  reading,
  naming: {
    list: listResourceServers,
    idField: 'id',
    nameOf: ({ identifier }) => identifier,
    isKept: () => true,
    nodesOf: ({ scopes }: LiveResourceServer) => (scopes ?? []).map(({ value }) => `scopes/${value}`),
  },
  decide,
  describe,
  pull,
};
