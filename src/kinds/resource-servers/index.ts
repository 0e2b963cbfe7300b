import { checkLists } from '../../marks/check-lists.ts';
import { identityOf } from '../../marks/identity.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { fields } from '../../service/resource-servers/fields.generated.ts';
import { operations } from '../../service/resource-servers/operations.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import type { DesiredApi } from './desired-api.ts';
import { pull } from './pull.ts';
import { type LiveApi, reading } from './read.ts';

const { names, entries } = identityOf(fields);

export const resourceServers: ResourceKind<DesiredApi, LiveApi> = {
  name: 'resource_servers',
  title: 'Resource servers',
  noun: { one: 'API', many: 'APIs' },
  keyHint: 'IDENTIFIER',
  undeclared: 'report',
  operations,
  identity: names,
  entries,
  check: (item, report) => checkLists(fields, item, report),
  reading,
  decide,
  describe,
  pull,
};
