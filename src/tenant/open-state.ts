/**
 * The state is the slices of the kinds and the clients. Changes go one after the other, and each is stored before it is
 * answered. When storing fails the slices are opened again from what was stored last, so that memory never holds what a restart
 * would lose.
 */
import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';
import type { Seed, SeededClient } from '../model/seed.generated.ts';
import type { TenantAnswer, TenantPart, TenantRoute, TenantTools } from '../model/tenant-part.ts';
import { checkSeed } from './check-seed.ts';
import { orderItems } from './ordered-items.ts';
import { parseSeed } from './read-seed.ts';
import { TenantSetupError } from './setup-error.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

export interface TenantState {
  readonly operations: readonly Operation[];
  /** The route that answers an operation now; routes change when the state is replaced. */
  route(operationId: string): TenantRoute;
  client(clientId: string): SeededClient | undefined;
  snapshot(): Seed;
  /** Performs a write of the API; resolves when it is stored. A refusal changes nothing and is not stored. */
  perform(write: () => TenantAnswer): Promise<TenantAnswer>;
  /** Changes the state behind the API's back; a TenantSetupError when the result is no valid seed. */
  change(mutate: (state: Seed) => void): Promise<void>;
  /** Resolves when nothing is left to store. */
  settled(): Promise<void>;
}

const tools: TenantTools = { order: orderItems };

export async function openState(parts: readonly TenantPart[], seed: unknown, stateFile: string | undefined): Promise<TenantState> {
  const seeded = checkSeed(seed, 'seed');
  const stored = stateFile === undefined ? null : await readStored(stateFile);
  let stable: Seed = stored ?? structuredClone(seeded);
  let slices = openSlices(parts, stable);
  let queue: Promise<unknown> = Promise.resolve();
  let storedText = JSON.stringify(stable);
  if (stateFile !== undefined && stored === null) await firstWrite(stateFile, storedText);

  function replace(state: Seed): void {
    stable = state;
    slices = openSlices(parts, state);
  }

  function snapshot(): Seed {
    return { ...(stable.clients === undefined ? {} : { clients: stable.clients }), ...slices.snapshot() };
  }

  async function store(): Promise<void> {
    if (stateFile === undefined) return;
    const text = JSON.stringify(snapshot());
    try {
      await writeStateFile(stateFile, text);
      storedText = text;
    } catch (error) {
      replace(JSON.parse(storedText) as Seed);
      throw error;
    }
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  }

  return {
    operations: slices.operations,
    route: (operationId) => slices.route(operationId),
    client: (clientId) => stable.clients?.find((client) => client.client_id === clientId),
    snapshot: () => structuredClone(snapshot()),
    perform(write) {
      return inTurn(async () => {
        const answer = write();
        if (!('message' in answer)) await store();
        return answer;
      });
    },
    change(mutate) {
      return inTurn(async () => {
        const state = structuredClone(snapshot());
        mutate(state);
        replace(checkSeed(state, 'changed state'));
        await store();
      });
    },
    async settled() {
      await queue;
    },
  };
}

interface Slices {
  readonly operations: readonly Operation[];
  route(operationId: string): TenantRoute;
  snapshot(): Omit<Seed, 'clients'>;
}

function openSlices(parts: readonly TenantPart[], state: Seed): Slices {
  const opened = parts.map((part) => [part.section, part.open(Reflect.get(state, part.section), tools)] as const);
  const routes = new Map(opened.flatMap(([, slice]) => slice.routes.map((route) => [route.operation.id, route] as const)));
  return {
    operations: [...routes.values()].map((route) => route.operation),
    route(operationId) {
      const route = routes.get(operationId);
      if (route === undefined) throw new InternalError(`no part answers ${operationId}`);
      return route;
    },
    snapshot: () => Object.fromEntries(opened.map(([section, slice]) => [section, slice.snapshot()])),
  };
}

async function readStored(file: string): Promise<Seed | null> {
  const text = await readStateFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw unusable(file, cause);
  });
  return text === null ? null : checkSeed(parseSeed(text, file), file);
}

async function firstWrite(file: string, text: string): Promise<void> {
  await writeStateFile(file, text).catch((cause: NodeJS.ErrnoException) => {
    throw unusable(file, cause);
  });
}

function unusable(file: string, cause: NodeJS.ErrnoException): TenantSetupError {
  const message = `the state file ${file} cannot be used: ${cause.code ?? cause.message}.`;
  return new TenantSetupError([{ code: 'OPTION_INVALID', severity: 'error', message }], { cause });
}
