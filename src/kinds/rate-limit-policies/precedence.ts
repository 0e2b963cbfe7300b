import type { Decision } from '../../model/kind.ts';
import type { OwnClient } from '../../model/own-client.ts';
import type { Action } from '../../model/plan.generated.ts';
import type {
  Configuration,
  LivePolicy,
  CreatePolicyBody as Policy,
} from '../../service/rate-limit-policies/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { shortUrl } from '../../values/short-url.ts';

const third = 'third_party_clients';
const cimd = 'cimd_clients';
export const fallback = 'default';
export const shared: ReadonlySet<string> = new Set([third, cimd, fallback]);

/**
 * The selectors that apply to the clients of a selector where no policy has that one, in the documented order: client,
 * group, default (public facts 1.5). The prefix of a client id shows its group, and a scheme is the same in any case. Null
 * if no order is documented.
 */
export function nextSelectors(selector: string): readonly string[] | null {
  if (selector === third || selector === cimd) return toDefault;
  if (selector === fallback) return none;
  if (/^client_id:https:\/\//i.test(selector)) return [cimd, fallback];
  if (selector.startsWith('client_id:tpa_')) return [third, fallback];
  return selector.startsWith('client_id:') ? toDefault : null;
}

const toDefault = [fallback];
const none: readonly string[] = [];

/** Keys of the policies of which the first one applies where there is none of this key; null if no order is documented. */
export function fallbacksOf(key: string): readonly string[] | null {
  const { prefix, selector } = partsOf(key);
  return nextSelectors(selector)?.map((next) => prefix + next) ?? null;
}

/** With the scheme of a client id in lower case, because a policy may have it in another case than its client. */
export function clientSelector(selector: string): string {
  return selector.replace(/^client_id:https(?=:\/\/)/i, 'client_id:https');
}

export function clientKey(key: string): string {
  const { prefix, selector } = partsOf(key);
  return prefix + clientSelector(selector);
}

/** The selectors of which the first one that a policy has applies to a client. */
export function selectorsOf({ id }: OwnClient): readonly string[] {
  const selector = clientSelector(`client_id:${id}`);
  return [selector, ...(nextSelectors(selector) ?? [])];
}

/** Keys of the policies of which the first one applies to a client, as `clientKey` has them. */
export function chainsOf(clients: readonly OwnClient[], keys: readonly string[]) {
  const prefixes = new Set(keys.map((key) => partsOf(key).prefix));
  return clients.flatMap((client) =>
    [...prefixes].map((prefix) => ({ client, keys: selectorsOf(client).map((one) => prefix + one) })),
  );
}

export function policyKey(policy: Pick<Policy, 'resource' | 'consumer' | 'consumer_selector'>): string {
  return `${policy.resource}/${policy.consumer}/${policy.consumer_selector}`;
}

export interface KeyParts {
  readonly prefix: string;
  readonly selector: string;
}

/** `oauth_authentication_api/client/` and the selector, which may have slashes. */
export function partsOf(key: string): KeyParts {
  const start = key.indexOf('/', key.indexOf('/') + 1) + 1;
  return { prefix: key.slice(0, start), selector: key.slice(start) };
}

/** What policies do, by key; several if they share an identity. */
export type Policies = ReadonlyMap<string, readonly Configuration[]>;

/** Policies before a plan and after it. A tenant can have 100,000, so only those of selectors that matter are kept. */
export function beforeAndAfter(
  live: readonly LivePolicy[],
  actions: readonly Action[],
  matters: (selector: string) => boolean,
  keyOf = (key: string) => key,
): { readonly before: Policies; readonly after: Policies } {
  const mattering = actions.filter(({ key }) => matters(partsOf(key).selector));
  const changed = new Set(mattering.map(({ before }) => before?.['id']));
  const now = live
    .filter((policy) => matters(policy.consumer_selector))
    .map((policy) => ({ key: keyOf(policyKey(policy)), policy }));
  const left = now.filter(({ policy }) => !changed.has(policy.id));
  const written = mattering.flatMap(({ key, after }) =>
    after === null ? [] : [{ key: keyOf(key), policy: after as Written }],
  );
  return { before: byKey(now), after: byKey([...left, ...written]) };
}

type Written = Readonly<Record<string, unknown>> & Pick<LivePolicy, 'configuration'>;

function byKey(policies: readonly { readonly key: string; readonly policy: Pick<LivePolicy, 'configuration'> }[]) {
  const groups = groupBy(policies, ({ key }) => key);
  return new Map([...groups].map(([key, all]) => [key, all.map(({ policy }) => policy.configuration)]));
}

/** `block above 100/s`, `redirect above 5/s to acme.example/busy`. */
export function configurationSummary(configuration: unknown): string {
  const {
    action,
    limit,
    redirect_uri: uri,
  } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const above = limit === undefined ? '' : ` above ${limit}/s`;
  return `${action}${above}${uri === undefined ? '' : ` to ${shortUrl(uri)}`}`;
}

/** The smallest limit above which requests do not reach the API. */
export function lowestLimit(configurations: readonly Configuration[]): number {
  const limits = configurations.map((one) => (one.action === 'block' || one.action === 'redirect' ? one.limit : null));
  return Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
}

/**
 * Orders actions by which policy applies to a client where it has none of its own. If one of them is refused, no client
 * gets a limit that neither the files nor the tenant had for it.
 *
 *   raise default, delete client_id:a                     the deletion needs the update
 *   delete default, delete client_id:a                    the deletion of a needs that of default, which may be tighter
 *   lower default from more than a has, delete a          the deletion needs the update: a would get more than ever
 *   create client_id:b, lower default                     the update needs the create; a deletion relies on every create
 */
export function fallbackLinks(actions: readonly Action[]): Pick<Decision, 'links'> {
  const shares = actions.filter(({ key }) => shared.has(partsOf(key).selector));
  if (actions.length === 1 || shares.length === 0) return {};
  const changed = new Map(shares.map((action) => [action.key, action]));
  const links = actions.map(({ id, key, action, before, after }) => {
    const fallbacks = fallbacksOf(key) ?? none;
    const [live, planned] = [limitOf(before), limitOf(after)];
    if (action !== 'delete') {
      const provides = [...(action === 'create' ? fallbacks.map(precedes) : []), changes(key)];
      return { id, provides, after: planned < live ? [precedes(key)] : [] };
    }
    const waits = fallbacks.filter((fallback) => {
      const next = changed.get(fallback);
      if (next?.action !== 'update') return next !== undefined;
      const [was, becomes] = [limitOf(next.before), limitOf(next.after)];
      return becomes > was || was > Math.max(live, becomes);
    });
    return { id, provides: [changes(key)], after: waits.map(changes) };
  });
  return links.some(({ after }) => after.length > 0) ? { links } : {};
}

function limitOf(policy: Action['after']): number {
  return lowestLimit(policy === null ? [] : [(policy as Written).configuration]);
}

function changes(key: string): string {
  return `a changed ${key}`;
}

function precedes(key: string): string {
  return `a policy before ${key}`;
}
