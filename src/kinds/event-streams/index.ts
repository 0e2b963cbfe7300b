import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/event-streams/operations.ts';
import type { EventStreamsSection, LiveEventStream } from '../../service/event-streams/types.generated.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import type { DesiredStream } from './desired-stream.ts';
import { pull } from './pull.ts';
import { fix, readBack, reading } from './read.ts';

export const eventStreams: ResourceKind<DesiredStream, LiveEventStream> = {
  name: 'event_streams',
  title: 'Event streams',
  noun: { one: 'event stream', many: 'event streams' },
  label: 'stream',
  keyHint: 'NAME',
  undeclared: 'delete',
  rotation: { hint: 'name a declared event stream that is live and has a secret; it needs api: full' },
  operations,
  identity: ['name'],
  entries: (section) =>
    (section as EventStreamsSection).map(({ name }, index) => ({
      key: name,
      pointer: `/${index}`,
      keyPointer: `/${index}/name`,
    })),
  reading,
  decide,
  describe,
  pull,
  fix,
  readBack,
};
