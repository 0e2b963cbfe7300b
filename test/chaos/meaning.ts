/**
 * What generated files mean, said apart from the code that loads files: the checks judge by this, so a loader or a differ that
 * misreads a file cannot talk its own judge round.
 */
import type { KindName } from '../../src/model/kind.ts';
import type { ApiLevel } from '../../src/model/operation.ts';
import type { Seed } from '../../src/model/seed.generated.ts';

/** A permission of an API as one text: `read:orders of https://orders.example/`. */
export type PairName = string;

export interface MeantRole {
  /** Null where it is declared by its name. */
  readonly id: string | null;
  readonly name: string;
  /** A role that has this name gets the other one. */
  readonly renamedFrom?: string;
  /** Where there is one, a role that is missing is created. */
  readonly description?: string;
  /** Null: what it holds is not managed. */
  readonly permissions: readonly PairName[] | null;
  readonly absent: readonly PairName[];
}

/** A live role, and every name that it had. */
export interface RoleNames {
  readonly id: string;
  readonly names: Iterable<string>;
}

export interface MeantStream {
  readonly name: string;
  readonly events: readonly string[];
  readonly status?: string;
  /** Without its secret. */
  readonly destination: unknown;
}

/** Screen, insertion point, text. */
export type MeantPartials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A client, by its name, of which the tenant has one at most. */
export interface MeantClient {
  readonly name: string;
  readonly isAbsent: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface MeantGrant {
  /** Name. */
  readonly client: string;
  readonly audience: string;
  /** Null: the grant must not be there. */
  readonly scopes: readonly string[] | null;
}

export interface MeantConnection {
  readonly name: string;
  /** Without its secret. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names of clients; null: which clients it has is not managed. */
  readonly enabled: readonly string[] | null;
}

export interface MeantApplications {
  readonly clients: readonly MeantClient[];
  readonly grants: readonly MeantGrant[];
  readonly connections: readonly MeantConnection[];
  /** Fields by part of the attack protection. */
  readonly protection: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A section that is null is not in the files. */
export interface Meaning {
  readonly api: ApiLevel;
  /** Consumer selector to configuration. */
  readonly policies: Readonly<Record<string, unknown>> | null;
  readonly roles: readonly MeantRole[] | null;
  readonly prompts: Readonly<Record<string, MeantPartials>> | null;
  readonly streams: readonly MeantStream[] | null;
  /** Identifiers of APIs, which define what roles get. */
  readonly apis: readonly string[] | null;
  /** Clients and what names them. */
  readonly applications: MeantApplications | null;
  /** Exact names. */
  readonly protect: Readonly<Partial<Record<KindName, readonly string[]>>>;
  /** Kinds of which no undeclared item is deleted. */
  readonly keep: readonly KindName[];
}

export function pairName(pair: {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
}): PairName {
  return `${pair.permission_name} of ${pair.resource_server_identifier}`;
}

export function isManaged(meaning: Meaning, kind: KindName): boolean {
  const sections = new Map<KindName, unknown>([
    ['rate_limit_policies', meaning.policies],
    ['roles', meaning.roles],
    ['prompts', meaning.prompts],
    ['event_streams', meaning.streams],
    ['resource_servers', meaning.apis],
    ['clients', meaning.applications],
    ['client_grants', meaning.applications],
    ['connections', meaning.applications],
    ['attack_protection', meaning.applications],
  ]);
  return (sections.get(kind) ?? null) !== null;
}

/** Whether a name of a kind is kept whatever else is declared. */
export function isProtected(meaning: Meaning, kind: KindName, ...names: readonly string[]): boolean {
  return (meaning.protect[kind] ?? []).some((name) => names.includes(name));
}

/** What the files say about a live role, under one of its names. */
export function meantRole({ roles }: Meaning, id: string, name: string): MeantRole | undefined {
  return (
    roles?.find((role) => role.id === id) ??
    roles?.find((role) => role.id === null && role.name === name) ??
    roles?.find(({ renamedFrom }) => renamedFrom === name)
  );
}

/** Whether the files let a role keep a pair that it holds, whatever it was called when they were compared. */
export function mayKeep(meaning: Meaning, { id, names }: RoleNames, pair: PairName): boolean {
  return [...names].every((name) => {
    const role = meantRole(meaning, id, name);
    if (role === undefined || isProtected(meaning, 'roles', id, name)) return true;
    if (role.absent.includes(pair)) return false;
    return role.permissions === null || role.permissions.includes(pair) || meaning.api === 'documented';
  });
}

/** What each role holds, by id. */
export function heldPairs(state: Seed): Map<string, Set<PairName>> {
  return new Map((state.roles ?? []).map(({ id, permissions = [] }) => [id, new Set(permissions.map(pairName))]));
}

/** Texts of prompts by `prompt/screen/point`. */
export function heldTexts(state: Seed): Map<string, string> {
  return new Map(Object.entries(state.prompts ?? {}).flatMap(([prompt, { partials }]) => textsOf(prompt, partials)));
}

export function textsOf(prompt: string, partials: MeantPartials): (readonly [string, string])[] {
  return Object.entries(partials).flatMap(([screen, points]) =>
    Object.entries(points).map(([point, text]) => [`${prompt}/${screen}/${point}`, text] as const),
  );
}
