import { plannedRequest } from '../../contract/path.ts';
import { didYouMean, type NearNames, openNames } from '../../diagnostics/near-names.ts';
import type * as differ from '../../differ/container-kind.ts';
import { decideContainers } from '../../differ/decide-containers.ts';
import { type ActionDraft, draftAction, draftFinding, itemFinding } from '../../differ/draft.ts';
import { withLossNote } from '../../differ/odd-fields.ts';
import type { DecideInput, Decision, DesiredItem, Link } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import type { Unreadable } from '../../model/reader.ts';
import { updateResourceServer } from '../../service/resource-servers/operations.ts';
import type { DeclaredScope } from '../../service/resource-servers/types.generated.ts';
import { fingerprint } from '../../values/fingerprint.ts';
import { listOf } from '../../values/list-of.ts';
import * as scopes from './scopes.ts';

/** A scope that an API has or is declared to have. */
interface Scope extends differ.ContainerPart {
  readonly scope: DeclaredScope;
}

type ScopeChange = differ.ContainerChange<scopes.DesiredApi, Scope>;
type Input = DecideInput<scopes.DesiredApi, scopes.LiveApi>;

const kind = 'resource_servers';

/**
 * The scopes of an API are replaced as one list (public facts 2b.4), so they change in two steps: the first request adds
 * and changes, and the last one removes. Roles get what is new, and give back what goes, between the two.
 *
 *   declared [read, export]   live [write, read]
 *   ->       add [write, read, export]; remove -> [read, export]
 */
export function decide(input: Input): Decision {
  const live = input.live.readable ? input.live.items : [];
  const byIdentifier = new Map(live.map((api) => [api.identifier, api]));
  const decision = decideContainers(containerKind(input, byIdentifier), input);
  const removed = decision.actions.flatMap((action) => {
    const api = action.action === 'remove' ? byIdentifier.get(action.key) : undefined;
    return api === undefined ? [] : [{ id: action.id, api, values: scopes.missingScopes(action.before, action.after) }];
  });
  const linked = {
    ...decision,
    losses: [...decision.losses, ...removed.flatMap(({ id, api, values }) => scopes.lossesOfRoles(id, api, values))],
    links: [
      ...decision.actions.flatMap(({ id, action, key, before, after }): Link[] =>
        action === 'add'
          ? [{ id, provides: scopes.missingScopes(after, before).map((value) => scopes.defined(key, value)) }]
          : [],
      ),
      ...removed.map(({ id, api, values }) => scopes.removalLink(id, api, values)),
    ],
    holders: scopes.rolesWithAny(live),
    effectsOf: scopes.effectsOf,
  };
  const unread = whyNotRemoved(input, live);
  return unread === null
    ? linked
    : { ...linked, unreadable: unread.why, findings: [unread.finding, ...linked.findings] };
}

function containerKind(
  { keep }: Input,
  apis: ReadonlyMap<string, scopes.LiveApi>,
): differ.ContainerKind<scopes.DesiredApi, scopes.LiveApi, Scope> {
  return {
    kind,
    unit: { verb: 'remove', one: 'scope', many: 'scopes' },
    noun: { one: 'API', many: 'APIs' },
    partsOf: ({ scopes }) => ({ wanted: scopes.map(scopePart), unwanted: [], pointer: '/scopes' }),
    match: (items) =>
      matchApis(items, apis, (role) => [role.name, role.id].some((name) => keep.isProtected(name, 'roles'))),
    correct: (change) => {
      const api = apis.get(change.container.item.key);
      return api === undefined ? [] : correct(change, api);
    },
    correctUnread: () => [],
    notChecked: () => 'scopes',
    namesOf: (items, live) =>
      live.readable ? [...items.map(({ key }) => key), ...live.items.map(({ identifier }) => identifier)] : null,
  };
}

function scopePart(scope: DeclaredScope): Scope {
  return { id: scope.value, name: scope.value, value: scope.description ?? '', scope };
}

function matchApis(
  items: readonly DesiredItem<scopes.DesiredApi>[],
  apis: ReadonlyMap<string, scopes.LiveApi>,
  isProtectedRole: (role: scopes.Holder) => boolean,
): differ.Matched<scopes.DesiredApi, Scope> {
  const findings: Finding[] = [];
  const identifiers = openNames(apis.keys());
  const containers = items.flatMap((item) => {
    const api = apis.get(item.key);
    if (api === undefined) {
      findings.push(itemFinding(kind, item, 'LIVE_NOT_FOUND', notFound(item.key, identifiers), '/identifier'));
      return [];
    }
    if (api.isSystem) {
      const message = 'this is an API of the service itself: its scopes cannot be changed; delete the item';
      findings.push(itemFinding(kind, item, 'LIVE_SYSTEM_API', message, '/identifier'));
      return [];
    }
    const kept = keptForRoles(item, api, isProtectedRole);
    findings.push(...kept.findings);
    return [
      {
        item,
        id: api.id,
        names: [api.identifier],
        hidesName: false,
        parts: api.scopes.filter(({ value }) => !kept.values.has(value)).map(scopePart),
        ...(api.odd !== undefined && { odd: api.odd }),
      },
    ];
  });
  return { containers, findings };
}

function notFound(identifier: string, known: NearNames): string {
  const hint = didYouMean(known.nearest(identifier)) ?? 'create the API or correct its identifier';
  return `no API on the tenant has this identifier; ${hint}`;
}

/** A protected role keeps what it has, so the API keeps defining it. */
function keptForRoles(
  item: DesiredItem<scopes.DesiredApi>,
  api: scopes.LiveApi,
  isProtectedRole: (role: scopes.Holder) => boolean,
): { readonly values: ReadonlySet<string>; readonly findings: readonly Finding[] } {
  const declared = new Set(item.value.scopes.map(({ value }) => value));
  const removed = api.scopes.map(({ value }) => value).filter((value) => !declared.has(value));
  const protecting = (value: string) => scopes.rolesWith(api, value).filter(isProtectedRole);
  const kept = removed.filter((value) => protecting(value).length > 0);
  if (kept.length === 0) return { values: new Set(), findings: [] };
  const names = new Set(kept.flatMap(protecting).map(({ name }) => name));
  const message = `would be removed: ${listOf(kept)}; kept because a role has it that is protected: ${listOf([...names])}`;
  return { values: new Set(kept), findings: [itemFinding(kind, item, 'LIVE_PROTECTED', message, '/scopes')] };
}

function correct(
  { container: { item }, missing, changed, undeclared }: ScopeChange,
  api: scopes.LiveApi,
): differ.ContainerAction<Scope>[] {
  // A declared scope without a description keeps the one that the API has.
  const described = new Map(
    changed.flatMap(({ scope }) => (scope.description === undefined ? [] : [[scope.value, scope] as const])),
  );
  const union = [
    ...api.scopes.map((scope) => described.get(scope.value) ?? scope),
    ...missing.map(({ scope }) => scope),
  ];
  const gone = new Set(undeclared.map(({ id }) => id));
  const draft = (
    parts: Pick<ActionDraft, 'action' | 'reason' | 'part' | 'changes' | 'notes'>,
    before: readonly DeclaredScope[],
    after: readonly DeclaredScope[],
  ) =>
    withLossNote(
      draftAction({
        kind,
        key: item.key,
        ...parts,
        request: plannedRequest(updateResourceServer, { params: { id: api.id }, body: { scopes: after } }),
        before: { scopes: before },
        after: { scopes: after },
        // What the request replaces: the complete list, as it is when the request is sent.
        precondition: fingerprint({ id: api.id, scopes: before }),
        source: item.at('/scopes'),
      }),
      api.odd ?? [],
    );
  const actions: differ.ContainerAction<Scope>[] = [];
  const changes = api.scopes.flatMap(({ value, description }) => {
    const after = described.get(value)?.description;
    const before = description === undefined ? {} : { before: description };
    return after === undefined ? [] : [{ field: `scopes.${value}.description`, ...before, after }];
  });
  if (missing.length + changes.length > 0) {
    const notes = changes.length > 0 && { notes: [`also changes descriptions: ${listOf([...described.keys()])}`] };
    const adds = { part: 'add', action: 'add', reason: 'missing', ...notes } as const;
    const action = draft(
      missing.length > 0 ? adds : { action: 'update', reason: 'different', changes },
      api.scopes,
      union,
    );
    actions.push({ action, lost: [], asked: [], grants: true });
  }
  if (gone.size > 0 && api.holders?.readable) {
    const left = union.filter(({ value }) => !gone.has(value));
    const notes = ['what users have directly, and grants of applications, are not read'];
    const action = draft({ part: 'remove', action: 'remove', reason: 'undeclared', notes }, union, left);
    actions.push({ action, lost: undeclared, asked: [], grants: false });
  }
  return actions;
}

/** Without every role, nothing is removed, and the plan is not complete. */
function whyNotRemoved(
  { desired }: Input,
  apis: readonly scopes.LiveApi[],
): { readonly why: Unreadable; readonly finding: Finding } | null {
  const why = apis.flatMap(({ holders }) => (holders?.readable === false ? [holders] : []))[0];
  if (why === undefined) return null;
  const message = `${why.message}; no scope is removed, because the roles that have it are not known`;
  return { why, finding: draftFinding({ code: why.code, kind, key: '*', message, source: desired.source }) };
}
