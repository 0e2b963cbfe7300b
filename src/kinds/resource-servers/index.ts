import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/resource-servers/operations.ts';
import type { ResourceServersSection } from '../../service/resource-servers/types.generated.ts';
import { check } from './check.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import type { DesiredApi } from './desired-api.ts';
import { pull } from './pull.ts';
import { type LiveApi, reading } from './read.ts';

export const resourceServers: ResourceKind<DesiredApi, LiveApi> = {
  name: 'resource_servers',
  title: 'Resource servers',
  noun: { one: 'API', many: 'APIs' },
  keyHint: 'IDENTIFIER',
  undeclared: 'report',
  operations,
  identity: ['identifier'],
  entries: (section) =>
    (section as ResourceServersSection).map(({ identifier }, index) => ({
      key: identifier,
      pointer: `/${index}`,
      keyPointer: `/${index}/identifier`,
    })),
  check,
  reading,
  decide,
  describe,
  pull,
};
