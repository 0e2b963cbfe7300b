import type { WrittenFiles } from '../model/desired.ts';
import { clientOfToken, type OwnAccess } from '../model/own-client.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import type { Glance } from '../model/reader.ts';
import { openRefusals } from '../model/refusals.ts';
import type { AssembleInput } from '../plan/assemble-input.ts';
import { assemblePlan } from '../plan/assemble-plan.ts';
import { sealPlan, type UnsealedPlan } from '../plan/digest.ts';
import { selectsKind } from '../plan/selection.ts';
import type { Session } from './connected.ts';
import { decideKind, itemsNotRead, type KindInput, reached } from './decide-kind.ts';
import { withDesired } from './desired-fingerprint.ts';
import { withGoneItems } from './gone-with.ts';
import { defaultApi, readingOf } from './kind-rules.ts';
import { openNameReadings } from './read-names.ts';
import { allOrFirstError, inspected, withClientNames, withCounts } from './shown-effects.ts';

export interface PlanParts
  extends Partial<Omit<KindInput, 'desired' | 'selection'>>,
    Pick<AssembleInput, 'again' | 'adopts' | 'left'> {
  /** Whether guards matter. Default: false with a snapshot of its own, which shows the tenant; otherwise true. */
  readonly guarded?: boolean;
  /** The files as they are written, for the edit that approves what is refused. Default: no edit is made. */
  readonly written?: WrittenFiles;
  /** True if people read the plan: then texts are inspected, and it is counted who loses something. Default: false. */
  readonly inspects?: boolean;
  /** Reads the names of clients. Default: actions have none. */
  readonly glance?: Glance;
}

/**
 * The one path from files and live state to a plan, for `plan`, `apply` and `drift`; of what is selected. Throws what the
 * reader throws if the tenant cannot be reached.
 */
export async function planFor(session: Session, selection: Selection, parts: PlanParts = {}): Promise<Plan> {
  const { options, loaded, snapshots, baseUrl } = session;
  const { kinds, clock, toolVersion, approve } = options;
  const { desired } = loaded;
  const { base, snapshot = snapshots.share().since(), guarded = parts.snapshot === undefined, ...more } = parts;
  const input: KindInput = {
    ...{ desired, selection, snapshot },
    ...(guarded && { own: (declared) => ownAccess(session, declared) }),
    ...(base && { base }),
    ...more,
  };
  const api = desired.tenant.api ?? defaultApi;
  const managed = kinds.flatMap((kind) => {
    const section = desired.sections.get(kind.name);
    return section === undefined ? [] : [{ kind, section, reading: readingOf(kind, api) }];
  });
  const selected = managed.filter(({ kind }) => selectsKind(selection, kind.name));
  const names = openNameReadings({
    ...{ kinds, desired, selection, api, snapshot, watched: more.watched, adopts: more.adopts },
    selected: selected.map(({ kind }) => kind),
  });
  const decided = await allOrFirstError(
    selected.map(async (part) => {
      const { decision, base: past, live } = await decideKind(part, api, { ...input, names });
      const shown = more.inspects ? await inspected(part.kind, decision) : decision;
      return { kind: part.kind, decision: withDesired(shown, part.section), past, live };
    }),
  );
  // A pull deletes nothing.
  const affecting = more.adopts ? [] : kinds;
  const { decisions, reads } = await withGoneItems(decided, { kinds: affecting, desired, api, snapshot, names });
  const plan = assemblePlan({
    ...{ kinds, desired, selection, approve, again: more.again, adopts: more.adopts, left: more.left },
    tool: { name: 'tenant-sync', version: toolVersion },
    generatedAt: new Date(clock.now()).toISOString(),
    tenant: { name: desired.tenant.name ?? new URL(baseUrl).host, base_url: baseUrl, api },
    reads: [
      ...selected.flatMap(({ kind, section, reading }) => [
        ...(reading?.operations ?? []),
        ...names.operationsFor(kind, section.items),
      ]),
      ...reads,
    ],
    decisions: managed.length > 0 || more.adopts ? decisions : await reached(kinds, input, api),
    notRead: [
      ...managed.filter((part) => !selected.includes(part)).map(({ kind }) => ({ kind: kind.name, key: '*' })),
      ...selected.flatMap((part) => itemsNotRead(part, selection)),
    ],
    ...(base !== undefined && { base: { ...base, decisions: decided.flatMap(({ past }) => past ?? []) } }),
  });
  const counted = more.inspects ? await withCounts(plan.actions, kinds, snapshot) : plan.actions;
  const actions = more.glance ? await withClientNames(counted, kinds, api, more.glance) : counted;
  return sealPlan(await withApprovalEdit({ ...plan, actions }, more.written));
}

/**
 * The clients of this tool: that of the run, that of its token, and those that the files name; and the APIs for which it gets
 * tokens. `declared`: the clients that items are about, of which the files have the names.
 */
async function ownAccess(
  { options, loaded, connection, baseUrl }: Session,
  declared: readonly (string | null)[],
): Promise<OwnAccess> {
  const { credentials } = options.tenant;
  const { client: ofToken, apis } = await connection.tokenOwner();
  const ofRun = 'clientId' in credentials ? [credentials.clientId] : [];
  const named = new Set([...ofRun, ...(loaded.desired.tenant.guards?.own_clients ?? [])]);
  const clients = [...named].map((id) => ({ id, name: id }));
  const { audience } = 'clientId' in credentials ? credentials : {};
  // `/api/v2/` names no host.
  const mayHaveOthers = audience === undefined && !apis.some((api) => api.includes('://'));
  const own = { clients, apis: apis.length > 0 ? apis : [audience ?? `${baseUrl}/`], mayHaveOthers };
  if (ofToken === null || named.has(ofToken)) return own;
  const name = declared.includes(ofToken) ? ofToken : clientOfToken;
  return { ...own, clients: [...clients, { id: ofToken, name }] };
}

/** The code for this is loaded only if it is needed. */
export async function withApprovalEdit<Refused extends Pick<UnsealedPlan, 'refusals'>>(
  plan: Refused,
  written: WrittenFiles | undefined,
): Promise<Refused> {
  const [open] = openRefusals(plan.refusals);
  if (open === undefined || written === undefined) return plan;
  const { approvalEdit } = await import('../edit/header-edits.ts');
  const approve_in = approvalEdit(written, open.approve);
  const refusals = plan.refusals.map((refusal) =>
    refusal.approved_by === null ? { ...refusal, approve_in } : refusal,
  );
  return { ...plan, refusals };
}
