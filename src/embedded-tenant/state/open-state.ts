/**
 * The state is the stores of all resources. Changes are performed one after the other, and each is written to the state
 * file before its response is sent. If that fails, the stores are reopened from what was written last, so memory never
 * contains what a restart would lose.
 */
import { readRegularText, writeAtomically } from '../../files/safe-file-access.ts';
import type { Clock } from '../../model/clock.ts';
import type { RouteResponse, Stores, TenantResource } from '../../model/tenant-resource.ts';
import { TenantSetupError } from '../tenant-options.ts';
import { type OpenStores, openStores } from './open-stores.ts';
import { parseSeed, type TenantSnapshot, validateSeed } from './seed.ts';

export interface TenantState extends Stores {
  contextOf: OpenStores['contextOf'];
  /** A copy. */
  snapshot(): TenantSnapshot;
  /** Performs a write of the API; resolves when it is stored. A refusal changes nothing and is not stored. */
  perform(write: () => RouteResponse): Promise<RouteResponse>;
  /** Changes the state without a request; rejects with a TenantSetupError if the result is not a valid seed. */
  change(mutate: (state: TenantSnapshot) => void): Promise<void>;
  /** Resolves when every change is stored. */
  stored(): Promise<void>;
}

export interface StateOptions {
  readonly resources: readonly TenantResource[];
  readonly clock: Clock;
  readonly seed: unknown;
  readonly stateFile: string | undefined;
}

export async function openState({ resources, clock, seed, stateFile }: StateOptions): Promise<TenantState> {
  const seeded = validateSeed(seed, 'seed', resources);
  const read = stateFile === undefined ? null : await readState(stateFile, resources);
  const initial = read ?? structuredClone(seeded);
  let stores = openStores(resources, initial, clock);
  let storedText = JSON.stringify(initial);
  let queue: Promise<unknown> = Promise.resolve();
  if (stateFile !== undefined && read === null) await writeFirst(stateFile, storedText);

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
    get: (resource) => stores.get(resource),
    contextOf: (resource) => stores.contextOf(resource),
    snapshot: () => structuredClone(stores.snapshot()),
    perform(write) {
      return enqueue(async () => {
        const response = write();
        if (!('message' in response)) await store();
        return response;
      });
    },
    change(mutate) {
      return enqueue(async () => {
        const state = structuredClone(stores.snapshot());
        mutate(state);
        stores = openStores(resources, validateSeed(state, 'changed state', resources), clock);
        await store();
      });
    },
    async stored() {
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
