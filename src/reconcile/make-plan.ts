import type { Desired } from '../model/desired.ts';
import type { AnyKind, Decision, DesiredSection, KeepRules } from '../model/kind.ts';
import type { LiveState, Unreadable } from '../model/live-state.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import type { Reader } from '../model/reader.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { assemblePlan } from '../plan/assemble-plan.ts';
import { onlyWholeKey, selectsKind } from '../plan/selection.ts';
import { matchesWildcard } from '../plan/wildcard.ts';

export interface MakePlanInput {
  readonly desired: Desired;
  readonly kinds: readonly AnyKind[];
  readonly selection: Selection;
  readonly reader: Reader;
  readonly baseUrl: string;
  readonly tool: Plan['tool'];
  readonly generatedAt: string;
}

/**
 * The one path from files and live state to a plan; `plan`, `apply` and `drift` all take it.
 * Throws only what the reader throws when the tenant cannot be talked to at all.
 */
export async function makePlan(input: MakePlanInput): Promise<Plan> {
  const { desired, kinds, selection, tool, generatedAt, baseUrl } = input;
  const managed = kinds.flatMap((kind) => {
    const section = desired.sections.get(kind.name);
    return section === undefined ? [] : [{ kind, section }];
  });
  const selected = managed.filter(({ kind }) => selectsKind(selection, kind.name));
  const api = desired.tenant.api ?? 'documented';
  return assemblePlan({
    tool,
    tenant: { name: desired.tenant.name ?? new URL(baseUrl).host, base_url: baseUrl, api },
    generatedAt,
    kinds: kinds.map((kind) => kind.name),
    decisions: await allOrFirstError(selected.map(({ kind, section }) => decideKind(kind, section, input))),
    notRead: managed.filter((part) => !selected.includes(part)).map(({ kind }) => kind.name),
    selection,
    guards: desired.tenant.guards ?? {},
  });
}

async function decideKind(kind: AnyKind, desired: DesiredSection, { desired: { tenant }, reader, selection }: MakePlanInput): Promise<Decision> {
  const live: LiveState<unknown> = kind.read === undefined ? noReadOperation(kind) : await kind.read(reader, onlyWholeKey(selection, kind.name));
  return kind.decide({ desired, live, keep: keepRules(kind, tenant) });
}

function noReadOperation(kind: AnyKind): Unreadable {
  return { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: `no operation of api: documented reads ${kind.title.toLowerCase()}` };
}

function keepRules(kind: AnyKind, tenant: TenantHeader): KeepRules {
  const patterns = tenant.protect?.[kind.name] ?? [];
  return {
    keepUndeclared: tenant.keep_undeclared?.includes(kind.name) ?? false,
    isProtected: (name) => patterns.some((pattern) => matchesWildcard(pattern, name)),
  };
}

/** Like Promise.all, but waits for the others, so that nothing is still being read when a run ends. */
async function allOrFirstError<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
