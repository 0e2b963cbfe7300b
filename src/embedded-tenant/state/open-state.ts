/**
 * The state is the stores of all resources. Changes are performed one after the other, and each is written to the state
 * file before its response is sent. If that fails, the stores are reopened from what was written last, so memory never
 * contains what a restart would lose.
 */
import { randomBytes } from 'node:crypto';
import { readRegularText, writeAtomically } from '../../files/safe-file-access.ts';
import type { Clock } from '../../model/clock.ts';
import { InternalError } from '../../model/internal-error.ts';
import type {
  Caller,
  RouteContext,
  RouteResponse,
  Stores,
  TenantResource,
  TenantStore,
} from '../../model/tenant-resource.ts';
import { collapsed, expanded } from '../kinds/token-clients.ts';
import { type TenantOptions, TenantSetupError } from '../tenant-options.ts';
import { parseSeed, type TenantSnapshot, validateSeed } from './seed.ts';

export type TenantState = Awaited<ReturnType<typeof openState>>;

/** The seed is used if there is no state file yet. */
export async function openState(options: Pick<TenantOptions, 'resources' | 'clock' | 'seed' | 'stateFile'>) {
  const { resources, clock, seed, stateFile } = options;
  const seeded = validateSeed(seed, 'seed', resources);
  const read = stateFile === undefined ? null : await readState(stateFile, resources);
  const initial = read ?? structuredClone(seeded);
  let stores = openStores(resources, initial, clock);
  let storedText = JSON.stringify(initial);
  let queue: Promise<unknown> = Promise.resolve();
  if (stateFile !== undefined && read === null) await writeFirst(stateFile, storedText);

  const get: Stores['get'] = (resource) => stores.get(resource);

  async function store(): Promise<void> {
    if (stateFile === undefined) return;
    const text = JSON.stringify(stores.snapshot());
    try {
      await writeAtomically(stateFile, text, `${stateFile}.tmp`);
      storedText = text;
    } catch (error) {
      stores = openStores(resources, JSON.parse(storedText) as TenantSnapshot, clock);
      throw error;
    }
  }

  function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  return {
    get,
    contextOf: (resource: TenantResource, caller: Caller) => stores.contextOf(resource, caller),
    /** A copy. */
    snapshot: (): TenantSnapshot => structuredClone(stores.snapshot()),
    /** Performs a write of the API; resolves when it is stored. A refusal changes nothing and is not stored. */
    perform(write: () => RouteResponse): Promise<RouteResponse> {
      return enqueue(async () => {
        const response = write();
        if (!('message' in response)) await store();
        return response;
      });
    },
    /** Changes the state without a request; rejects with a TenantSetupError if the result is not a valid seed. */
    change(mutate: (state: TenantSnapshot) => void): Promise<void> {
      return enqueue(async () => {
        const state = structuredClone(stores.snapshot());
        mutate(state);
        stores = openStores(resources, validateSeed(state, 'changed state', resources), clock);
        await store();
      });
    },
    /** Resolves when every change is stored. */
    async stored(): Promise<void> {
      await queue;
    },
  };
}

/** Null if there is no state file yet. */
async function readState(file: string, resources: readonly TenantResource[]): Promise<TenantSnapshot | null> {
  const text = await readRegularText(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw unusable(file, cause);
  });
  return text === null ? null : validateSeed(parseSeed(text, file), file, resources);
}

async function writeFirst(file: string, text: string): Promise<void> {
  await writeAtomically(file, text, `${file}.tmp`).catch((cause: NodeJS.ErrnoException) => {
    throw unusable(file, cause);
  });
}

function unusable(file: string, cause: NodeJS.ErrnoException): TenantSetupError {
  const message = `The state file ${file} cannot be used: ${cause.code ?? cause.message}.`;
  const hint = 'name a file in a folder that can be written to and has free space';
  return new TenantSetupError([{ code: 'OPTION_INVALID', severity: 'error', message, hint }], { cause });
}

/** One store per resource, opened from one state. */
export function openStores(resources: readonly TenantResource[], snapshot: TenantSnapshot, clock: Clock) {
  const state = expanded(snapshot);
  const stores = new Map(resources.map((resource) => [resource.section, resource.openStore(state[resource.section])]));
  const now = () => new Date(clock.now());

  // A section has one resource, so its store has the type that the resource opens.
  function get<Store extends TenantStore>({ section }: Parameters<Stores['get']>[0]): Store {
    const store = stores.get(section);
    if (store === undefined) throw new InternalError(`the embedded tenant has no resource ${section}`);
    return store as Store;
  }

  return {
    get,
    /** What the routes of a resource get: its own store, and those of others. */
    contextOf: (resource: TenantResource, caller: Caller): RouteContext => ({
      ...caller,
      store: get(resource),
      stores: { get },
      newId: (prefix, version) => newId(prefix, version, now()),
      now,
    }),
    snapshot(): TenantSnapshot {
      const sections = [...stores].map(([section, store]) => [section, store.snapshot()] as const);
      const state = collapsed(Object.fromEntries(sections));
      return Object.fromEntries(Object.entries(state).filter(([, section]) => section !== undefined));
    },
  };
}

const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * A prefix and a UUID in base 58, in the service's own alphabet (public facts 1.4, 4.3). Version 7 contains the time in
 * milliseconds, version 4 is random. Short numbers are padded, so that all ids of a prefix have one length.
 */
function newId(prefix: string, version: 4 | 7, now: Date): string {
  const bytes = randomBytes(16);
  if (version === 7) bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const length = version === 7 ? 21 : 22;
  return `${prefix}_${base58(BigInt(`0x${bytes.toString('hex')}`)).padStart(length, digits[0])}`;
}

function base58(number: bigint): string {
  return number === 0n ? '' : `${base58(number / 58n)}${digits[Number(number % 58n)]}`;
}
