import { liveState } from '../../contract/live-state.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { decide } from './decide.ts';
import { listEventStreams, operations } from './operations.ts';
import type { DeclaredEventStream, EventStreamsSection, LiveEventStream } from './types.generated.ts';

export const eventStreams: ResourceKind<DeclaredEventStream, LiveEventStream> = {
  name: 'event_streams',
  section: 'event_streams',
  title: 'Event streams',
  operations,
  entries: (section) => (section as EventStreamsSection).map(({ name }, index) => ({ key: name, pointer: `/${index}`, keyPointer: `/${index}/name` })),
  read: async (reader) => liveState(await reader.list(listEventStreams, {}), false),
  decide,
  // No available operation writes a stream, so there is no more to say of an action than its key.
  describe: (action) => ({ title: action.key, lines: [] }),
};
