import { canonicalBaseUrl } from '../contract/formats.ts';
import type { ConnectOptions, ReadConnection } from '../model/client.ts';
import type { AnyKind } from '../model/kind.ts';
import { selectsItem, selectsKind } from '../plan/selection.ts';
import { openSnapshots, type Snapshots } from '../snapshot/snapshots.ts';
import type { Listener } from './events.ts';
import { defaultApi } from './kind-rules.ts';
import type { Loaded } from './load.ts';
import type { ApplyOptions, PlanOptions, ReadOptions } from './options.ts';
import { runKinds } from './run-kinds.ts';

/** Files and a tenant to compare them with. */
export interface Session<Connection extends ReadConnection = ReadConnection> {
  readonly options: Omit<ReadOptions, 'kinds'> & Pick<PlanOptions, 'approve'> & { readonly kinds: readonly AnyKind[] };
  readonly loaded: Loaded;
  readonly connection: Connection;
  /** Canonical. */
  readonly baseUrl: string;
  readonly snapshots: Snapshots;
  readonly emit: Listener;
}

/** Loads the kinds of the run, opens a connection to the tenant, and closes it whatever happens. */
export async function connected<Connection extends ReadConnection, Result>(
  open: (options: ConnectOptions, kinds: readonly AnyKind[]) => Connection,
  loaded: Loaded,
  given: ReadOptions & Pick<ApplyOptions, 'approve' | 'hangUp' | 'visibleWithin' | 'saved'>,
  use: (session: Session<Connection>) => Promise<Result>,
): Promise<Result> {
  const { tenant, toolVersion, onEvent: emit = () => {} } = given;
  const options = { ...given, kinds: await runKinds(loaded, given.kinds, given.saved) };
  const { yaml, texts } = loaded.written;
  const baseUrl = canonicalBaseUrl(tenant.baseUrl);
  emit({ type: 'reading', requests: expectedReads(loaded, options.kinds) });
  const connecting: ConnectOptions = {
    ...options,
    ...tenant,
    baseUrl,
    userAgent: `tenant-sync/${toolVersion}`,
    onEvent: emit,
    isKnownText: (text) => [...yaml.values(), ...texts.values()].some((file) => file.includes(text)),
  };
  const connection = open(connecting, options.kinds);
  try {
    const { reader } = connection;
    const { api = defaultApi } = loaded.desired.tenant;
    const { clock, signal } = options;
    const times = { slowMs: maxStalenessMs(options) / 2, visibleWithinMs: visibleWithinMs(options) };
    const snapshots = openSnapshots({ reader, clock, api, signal, ...times });
    return await use({ options, loaded, connection, baseUrl, snapshots, emit });
  } finally {
    await connection.close();
  }
}

/** The oldest reading on which something is overwritten or deleted. */
export function maxStalenessMs({ maxStaleness = 10 }: Pick<ReadOptions, 'maxStaleness'>): number {
  return maxStaleness * 1000;
}

/** How long a service may take to show what it has accepted. */
export function visibleWithinMs({ visibleWithin = 30 }: Pick<ApplyOptions, 'visibleWithin'>): number {
  return visibleWithin * 1000;
}

/** One request for a listing, and one for each item that is read by itself. */
function expectedReads(
  { desired: { sections }, selection }: Pick<Loaded, 'desired' | 'selection'>,
  kinds: readonly AnyKind[],
): number {
  const counts = kinds.map(({ name, reading }) => {
    const section = sections.get(name);
    if (section === undefined || !selectsKind(selection, name)) return 0;
    return reading?.each ? section.items.filter(({ key }) => selectsItem(selection, name, key)).length : 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
