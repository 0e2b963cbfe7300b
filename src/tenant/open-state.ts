/**
 * The state is the slices of the kinds and the clients. Changes go one after the other, and each is stored before it is
 * answered. When storing fails the slices are opened again from what was stored last, so that memory never holds what a restart
 * would lose.
 */

import type { SeededClient } from '../model/clients.generated.ts';
import type { Clock } from '../model/clock.ts';
import { InternalError } from '../model/internal-error.ts';
import { isAvailable } from '../model/is-available.ts';
import type { ApiLevel, Operation } from '../model/operation.ts';
import type { Seed } from '../model/seed.generated.ts';
import type { TenantAnswer, TenantPart, TenantRoute } from '../model/tenant-part.ts';
import { checkSeed } from './check-seed.ts';
import { newId } from './new-id.ts';
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

/** What the state is made of; `api` names the operations that are answered. */
export interface StateTerms {
  readonly parts: readonly TenantPart[];
  readonly api: ApiLevel;
  readonly clock: Clock;
  readonly seed: unknown;
  readonly stateFile: string | undefined;
}

export async function openState({ parts, api, clock, seed, stateFile }: StateTerms): Promise<TenantState> {
  const seeded = checkSeed(seed, 'seed');
  const stored = stateFile === undefined ? null : await readStored(stateFile);
  let stable: Seed = stored ?? structuredClone(seeded);
  const open = (state: Seed) => openSlices(parts, api, clock, state);
  let slices = open(stable);
  let queue: Promise<unknown> = Promise.resolve();
  let storedText = JSON.stringify(stable);
  if (stateFile !== undefined && stored === null) await firstWrite(stateFile, storedText);

  function replace(state: Seed): void {
    stable = state;
    slices = open(state);
  }

  function snapshot(): Seed {
    const { clients, resource_servers: servers } = stable;
    return {
      ...(clients === undefined ? {} : { clients }),
      ...(servers === undefined ? {} : { resource_servers: servers }),
      ...slices.snapshot(),
    };
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
  snapshot(): Omit<Seed, 'clients' | 'resource_servers'>;
}

function openSlices(parts: readonly TenantPart[], api: ApiLevel, clock: Clock, state: Seed): Slices {
  const now = () => new Date(clock.now());
  const tools = {
    order: orderItems,
    newId: (prefix: string, version: 4 | 7) => newId(prefix, version, now()),
    now,
    resourceServers: state.resource_servers ?? null,
  };
  const opened = parts.map((part) => [part.section, part.open(Reflect.get(state, part.section), tools)] as const);
  const routes = new Map(
    opened.flatMap(([, slice]) =>
      slice.routes
        .filter(({ operation }) => isAvailable(operation, api))
        .map((route) => [route.operation.id, route] as const),
    ),
  );
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
