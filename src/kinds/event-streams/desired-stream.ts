import type { Present } from '../../model/kind.ts';
import type { DeclaredEventStream } from '../../service/event-streams/types.generated.ts';

/** A stream that the files declare to exist. */
export type DesiredStream = Present<DeclaredEventStream, 'subscriptions' | 'destination'>;
