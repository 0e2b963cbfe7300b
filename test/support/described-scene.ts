import { applyPlan } from '../../src/apply/apply-plan.ts';
import { openKnowledge } from '../../src/apply/knowledge.ts';
import type { ActionJournal } from '../../src/apply/pipeline.ts';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import { connected, type Session } from '../../src/engine/connected.ts';
import { declaredNow } from '../../src/engine/desired-fingerprint.ts';
import type { Loaded } from '../../src/engine/load.ts';
import { planFor } from '../../src/engine/make-plan.ts';
import { planAgain } from '../../src/engine/read-plan.ts';
import type { ConnectOptions, WriteConnection } from '../../src/model/client.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Action, Plan, Selection } from '../../src/model/plan.generated.ts';
import { everything } from '../../src/plan/selection.ts';
import { startFakeClock } from './fake-clock.ts';
import { type Harbour, harbourFiles } from './harbour.ts';
import type { StartedTenant } from './start-tenant.ts';

export interface Scene {
  readonly kinds: readonly AnyKind[];
  readonly files: Harbour['files'];
  /** The secrets that files name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly selection?: Partial<Selection>;
  /** Called when the intent of an action is recorded: what others do just before it is sent. */
  readonly onIntent?: (action: Action) => Promise<unknown>;
}

export interface ScenePlayed {
  readonly plan: Plan;
  readonly document: OutcomesDocument;
  /** The actions of the journal's intents. */
  readonly intents: readonly Action[];
  /** Every secret that the run hides. */
  readonly hidden: readonly string[];
}

type Served = Pick<StartedTenant, 'baseUrl' | 'token'>;

/** The plan of described kinds for a served tenant, without files. */
export function planScene(tenant: Served, scene: Scene): Promise<Plan> {
  return inScene(tenant, scene, [], (session) => planFor(session, { ...everything, ...scene.selection }));
}

/** Plans and applies; of a plan that was made before, that one. */
export async function applyScene(tenant: Served, scene: Scene, saved?: Plan): Promise<ScenePlayed> {
  const hidden: string[] = [];
  return inScene(tenant, scene, hidden, async (session) => {
    const plan = saved ?? (await planFor(session, { ...everything, ...scene.selection }));
    const { clock } = session.options;
    const intents: Action[] = [];
    const journal: ActionJournal = {
      intend: async (action) => {
        intents.push(action);
        await scene.onIntent?.(action);
      },
      outcome: async () => {},
      lostLock: () => null,
    };
    const { snapshots } = session;
    const readings = snapshots.share();
    const knowledge = openKnowledge(plan, {
      kinds: scene.kinds,
      managed: new Set(session.loaded.desired.sections.keys()),
      clock,
      // A saved plan is read again before anything is sent.
      plannedAt: saved === undefined ? clock.monotonic() : Number.NEGATIVE_INFINITY,
      madeAt: Number.NEGATIVE_INFINITY,
      maxStalenessMs: 10_000,
      visibleWithinMs: 30_000,
      prefersList: snapshots.prefersList,
      seenByNow: snapshots.seenByNow,
      declaredNow: (action) => declaredNow(action, session.loaded.desired),
      read: async (about, since, what) => {
        const snapshot = readings.since(Math.max(since, clock.monotonic() - 5_000));
        const listed = what === 'list' ? (about[0]?.kind ?? null) : null;
        const again = await planAgain(session, about, plan, { snapshot, listed });
        return { ...again, ...snapshot.oldest() };
      },
    });
    const { document, error } = await applyPlan(plan, {
      kinds: scene.kinds,
      connection: session.connection,
      journal,
      knowledge,
      clock,
      signal: new AbortController().signal,
      unverified: [],
      onOutcome: () => {},
    });
    if (error !== null) throw error.cause;
    return { plan, document, intents, hidden };
  });
}

async function inScene<Result>(
  { baseUrl, token }: Served,
  { kinds, files, secrets = {} }: Scene,
  hidden: string[],
  use: (session: Session<WriteConnection>) => Promise<Result>,
): Promise<Result> {
  const operations = kinds.flatMap((kind) => kind.operations);
  const open = (options: ConnectOptions) => openWriteConnection(options, operations, (name) => secrets[name]);
  const desired = harbourFiles(files, {}, kinds);
  const loaded = { kinds, desired, selection: everything, written: { yaml: new Map(), texts: new Map() } };
  const options = {
    kinds,
    clock: startFakeClock(Date.now()),
    toolVersion: '0.0.0',
    tenant: { baseUrl, credentials: { token: await token() } },
    onSecret: (secret: string) => void hidden.push(secret),
  };
  return connected(open, loaded as unknown as Loaded, options as never, use);
}
