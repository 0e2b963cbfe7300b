import type { Session } from '../../src/engine/connected.ts';
import { type PlanParts, planFor } from '../../src/engine/make-plan.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { AnyKind, DesiredItem } from '../../src/model/kind.ts';
import type { Plan, Selection } from '../../src/model/plan.generated.ts';
import type { Listing, NotRead, Reader } from '../../src/model/reader.ts';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { everything } from '../../src/plan/selection.ts';
import { desiredItem } from './desired-section.ts';
import { startFakeClock } from './fake-clock.ts';
import { moorings, ports, shipsKind } from './ports-and-ships.ts';
import { snapshotOf } from './snapshot-of.ts';

/** What each list has: items, what two passes over several pages show, or a refusal. */
export type HarbourList =
  | readonly object[]
  | { readonly passes: readonly (readonly object[] | 'forbidden')[] }
  | 'forbidden';

export type Written = Readonly<Record<string, unknown>> & Partial<Pick<DesiredItem, 'state' | 'renamedFrom'>>;

export interface Harbour {
  readonly tenant?: TenantHeader;
  /** Sections, each with its items; `state` and `renamedFrom` are about the item. */
  readonly files: Readonly<Record<string, readonly Written[]>>;
  readonly lists?: Readonly<Record<string, HarbourList>>;
  readonly selection?: Partial<Selection>;
  readonly kinds?: readonly AnyKind[];
  readonly parts?: PlanParts;
}

export const forbidden: NotRead = {
  ok: false,
  why: { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' },
  status: 403,
  serviceMessage: null,
};

export function harbourFiles(
  files: Harbour['files'],
  tenant: TenantHeader = {},
  kinds: readonly AnyKind[] = harbourKinds,
): Desired {
  const sections = Object.entries(files).map(([name, items]) => {
    const kind = kinds.find((one) => one.name === name);
    const section = items.map(({ state = 'present', renamedFrom, ...value }, index): DesiredItem => {
      const item = desiredItem(kind?.keyOf(value, '') ?? '', value, index, `${name}.yaml`);
      return { ...item, state, ...(renamedFrom !== undefined && { renamedFrom }) };
    });
    return [name, { items: section, source: { file: `${name}.yaml`, line: 1, column: 1 } }] as const;
  });
  return { tenant, tenantAt: () => undefined, sections: new Map(sections) };
}

export const harbourKinds: readonly AnyKind[] = [ports, shipsKind('deleted'), moorings];

/** The plan for files and lists, and the requests that it took. */
export async function planHarbour(
  harbour: Harbour,
): Promise<{ readonly plan: Plan; readonly requests: readonly string[] }> {
  const { lists = {}, selection = {}, kinds = harbourKinds } = harbour;
  const requests: string[] = [];
  const passes = new Map<string, number>();
  const list = async ({ id }: { readonly id: string }): Promise<Listing<object>> => {
    requests.push(id);
    const found = lists[id.slice('list_'.length)] ?? [];
    if (found === 'forbidden') return forbidden;
    if (!('passes' in found)) return { ok: true, items: found };
    const pass = passes.get(id) ?? 0;
    passes.set(id, pass + 1);
    const shown = found.passes[pass] ?? found.passes.at(-1) ?? [];
    return shown === 'forbidden' ? forbidden : { ok: true, items: shown, pages: 2 };
  };
  const session = {
    options: { kinds, clock: startFakeClock(Date.parse('2026-11-20T10:00:00Z')), toolVersion: '0.0.0' },
    loaded: { desired: harbourFiles(harbour.files, harbour.tenant, kinds) },
    baseUrl: 'https://login.acme.example/api/v2',
  };
  const plan = await planFor(
    session as unknown as Session,
    { ...everything, ...selection },
    { ...harbour.parts, snapshot: snapshotOf({ list } as unknown as Reader) },
  );
  return { plan, requests };
}

/** `create ships/Ada needs ports/Delft {"name":"Ada"}` */
export function actionsOf({ actions }: Pick<Plan, 'actions'>): string[] {
  return actions.map(({ action, id, needs, request: { path, body } }) =>
    [
      action,
      id,
      ...(needs.length > 0 ? [`needs ${needs.join()}`] : []),
      action === 'create' ? '' : path,
      JSON.stringify(body),
    ]
      .filter(Boolean)
      .join(' '),
  );
}

export function findingsOf({ findings }: Pick<Plan, 'findings'>): string[] {
  return findings.map(({ code, kind, key }) => `${code} ${kind}/${key}`);
}
