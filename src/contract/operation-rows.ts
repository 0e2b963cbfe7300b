/** What rows of operations have in common, so that each row states what is its own. */
import type { Basis, ItemParams, Lacking, Lifecycle, Method, Operation, Shape } from '../model/operation.ts';

/** Where a row comes from, a section of the service specification, and the cells that are assumed. */
export function specified(section: string, ...assumed: readonly string[]): Basis {
  return { source: 'documented', section, assumed };
}

/** The same, from a section of the public facts. */
export function published(section: string, ...assumed: readonly string[]): Basis {
  return { source: 'public', section, assumed };
}

/** The pages of every listing. */
export const numbered = { style: 'page', maxTake: 100, defaultTake: 50 } as const;
export const byCursor = { style: 'cursor', maxTake: 100, defaultTake: 50 } as const;

/** What any resource may be without (public facts 6.1). A missing scope can have the code of a missing plan, so texts count. */
export const notOnTenant: readonly Lacking[] = [
  { status: 402 },
  { status: 403, errorCode: 'insufficient_entitlement' },
  { status: 403, message: /^please upgrade your subscription|is not enabled for this tenant/i },
  { status: 501 },
];

interface Resource<Params extends ItemParams> {
  /** In ids of operations, in the singular, and in scopes: `role`, `roles`. */
  readonly id: string;
  readonly name: string;
  /** `/roles` */
  readonly path: string;
  /** In sentences: `a role`, `roles`. */
  readonly one: string;
  readonly many: string;
  readonly lifecycle: Lifecycle | 'not shown';
  readonly params: Shape<Params>;
}

/**
 * What follows from a resource for the operations on its items.
 *
 *   get  ->  get_role: GET /roles/{id} with read:roles, `Get a role`
 */
export function itemRows<Params extends ItemParams>({
  id,
  name,
  path,
  one,
  many,
  lifecycle,
  params,
}: Resource<Params>) {
  const row = <Verb extends Method>(method: Verb, verb: string, scope: string) => ({
    id: `${verb.toLowerCase()}_${verb === 'List' ? name : id}`,
    api: 'full' as const,
    lifecycle,
    method,
    path: verb === 'List' || verb === 'Create' ? path : `${path}/{id}`,
    summary: `${verb} ${verb === 'List' ? many : one}`,
    scope: `${scope}:${name}`,
    success: 200,
  });
  return {
    list: { ...row('GET', 'List', 'read'), lacking: notOnTenant },
    create: { ...row('POST', 'Create', 'create'), success: 201 },
    get: { ...row('GET', 'Get', 'read'), params },
    update: { ...row('PATCH', 'Update', 'update'), params },
    delete: { ...row('DELETE', 'Delete', 'delete'), params, success: 204 },
  } satisfies Record<string, Partial<Operation<Params>>>;
}
