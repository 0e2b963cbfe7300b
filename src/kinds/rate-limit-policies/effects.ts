import type { Decision, Effects } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import type { Configuration, LivePolicy, Policy } from '../../resources/rate-limit-policies/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { configurationText } from './describe.ts';
import { policyKey } from './policy-key.ts';

/** What consumers fall back to, and changes that may reject requests which pass now. */
export function effectsOn(live: LiveState<LivePolicy>): NonNullable<Decision['effectsOf']> {
  return ({ actions }): Effects => {
    // What other policies apply is known only if all were read.
    const policies = live.readable && !live.filtered ? policiesBeforeAndAfter(live.items, actions) : null;
    const openDefaults = policies === null ? new Map() : missingDefaults(actions, policies);
    return new Map(
      actions.map((action) => [
        action.id,
        [
          ...(policies === null ? [] : precedenceEffects(action, policies)),
          ...(openDefaults.get(action.id) ?? []),
          ...changeEffects(action),
        ],
      ]),
    );
  };
}

type ByKey = ReadonlyMap<string, readonly Pick<Policy, 'configuration'>[]>;

interface Policies {
  readonly before: ByKey;
  readonly after: ByKey;
}

function policiesBeforeAndAfter(live: readonly LivePolicy[], actions: readonly Action[]): Policies {
  const changed = new Map(actions.flatMap((action) => (action.before === null ? [] : [[action.before['id'], action]])));
  const created = actions.filter(({ action }) => action === 'create').map(({ after }) => after as unknown as Policy);
  const left = live.flatMap((policy) => {
    const action = changed.get(policy.id);
    if (action === undefined) return [policy];
    return action.after === null ? [] : [action.after as unknown as Policy];
  });
  return { before: groupBy(live, policyKey), after: groupBy([...left, ...created], policyKey) };
}

const third = 'third_party_clients';
const cimd = 'cimd_clients';
const fallback = 'default';

/**
 * The selectors that apply to the clients of a selector where no policy has that one, in the documented order: client,
 * group, default (public facts 1.5). The prefix of a client id shows its group. Null if no order is documented.
 */
function nextSelectors(selector: string): readonly string[] | null {
  if (selector === fallback) return [];
  if (selector === third || selector === cimd) return [fallback];
  if (selector.startsWith('client_id:https://')) return [cimd, fallback];
  if (selector.startsWith('client_id:tpa_')) return [third, fallback];
  return selector.startsWith('client_id:') ? [fallback] : null;
}

/** `default: block above 100 requests per second`, or why it is not known. */
type Next = { readonly applies: string } | { readonly unknown: string };

function nextPolicy(key: string, policies: ByKey): Next {
  const { prefix, selector } = partsOf(key);
  const selectors = nextSelectors(selector);
  if (selectors === null) return { unknown: 'the order of policies is not documented for this selector' };
  for (const next of selectors) {
    const found = (policies.get(prefix + next) ?? []).map(({ configuration }) => configurationText(configuration));
    const [text, ...others] = new Set(found);
    if (others.length > 0)
      return { unknown: `${found.length} policies have the selector ${next}; which of them applies is not documented` };
    if (text !== undefined) return { applies: `${next}: ${text}` };
  }
  return { unknown: 'without a policy, what applies is not documented' };
}

/** `oauth_authentication_api/client/` and the selector, which may have slashes. */
function partsOf(key: string): { readonly prefix: string; readonly selector: string } {
  const [prefix = ''] = /^[^/]*\/[^/]*\//.exec(key) ?? [];
  return { prefix, selector: key.slice(prefix.length) };
}

function precedenceEffects({ action, key, before }: Action, { before: earlier, after }: Policies): Effect[] {
  const { selector } = partsOf(key);
  if (selector === fallback) return [];
  if (action === 'delete' && !after.has(key)) {
    const now = `(now: ${configurationText(before?.['configuration'])})`;
    const next = nextPolicy(key, after);
    const message =
      'applies' in next ? `falls back to ${next.applies} ${now}` : `has no policy left: ${next.unknown} ${now}`;
    return [effect('POLICY_FALLBACK', 'warning', key, message)];
  }
  if (action === 'create' && !earlier.has(key)) {
    const next = nextPolicy(key, earlier);
    return 'applies' in next ? [effect('POLICY_PRECEDES', 'note', key, `takes precedence over ${next.applies}`)] : [];
  }
  return [];
}

/** One effect for each API and consumer that has policies and no default after the plan, on the action that leads to it. */
function missingDefaults(actions: readonly Action[], { after }: Policies): ReadonlyMap<string, readonly Effect[]> {
  const found = new Map<string, readonly Effect[]>();
  const byPrefix = groupBy(actions, ({ key }) => partsOf(key).prefix);
  for (const [prefix, own] of byPrefix) {
    const key = `${prefix}${fallback}`;
    if (after.has(key)) continue;
    const action =
      own.find((one) => one.action === 'delete' && one.key === key) ?? own.find((one) => one.action === 'create');
    if (action === undefined) continue;
    const now = action.key === key ? ` (now: ${configurationText(action.before?.['configuration'])})` : '';
    const message = `has no policy: what applies to other clients is not documented${now}`;
    found.set(action.id, [effect('POLICY_NO_DEFAULT', 'warning', key, message)]);
  }
  return found;
}

/** What the change of one policy does to requests that pass now. */
function changeEffects({ action, key, before, after }: Action): Effect[] {
  if (action !== 'create' && action !== 'update') return [];
  const [old, now] = [before?.['configuration'], after?.['configuration']] as [Configuration?, Configuration?];
  if (now === undefined) return [];
  return [
    ...startEffects(key, old, now),
    ...limitEffects(key, old, now),
    ...(now.action === 'redirect' ? redirectEffects(key, old, now) : []),
  ];
}

/** Whether requests above the limit do not reach the API. */
function isEnforced(one: Configuration | undefined): one is Exclude<Configuration, { readonly action: 'allow' }> {
  return one?.action === 'block' || one?.action === 'redirect';
}

function startEffects(key: string, old: Configuration | undefined, now: Configuration): Effect[] {
  const passes = old?.action === 'allow' || old?.action === 'log';
  if (!passes || !isEnforced(now)) return [];
  const done = now.action === 'redirect' ? 'redirected' : 'blocked';
  const before = old.action === 'log' ? 'only logged' : 'allowed';
  const message = `has requests above ${now.limit} per second ${done}; they are ${before} now`;
  return [effect('POLICY_STARTS_LIMITING', 'warning', key, message)];
}

function limitEffects(key: string, old: Configuration | undefined, now: Configuration): Effect[] {
  if (!isEnforced(now)) return [];
  if (now.limit === 0) {
    if (isEnforced(old) && old.limit === 0 && old.action === now.action) return [];
    const done = now.action === 'redirect' ? 'redirected' : 'blocked';
    return [effect('POLICY_LIMIT_ZERO', 'warning', key, `has every request ${done}: the limit is 0`)];
  }
  const isCut = isEnforced(old) && old.limit >= 2 * now.limit;
  if (!isCut) return [];
  const message = `has its limit cut from ${old.limit} to ${now.limit} requests per second`;
  return [effect('POLICY_LIMIT_CUT', 'warning', key, message)];
}

function redirectEffects(
  key: string,
  old: Configuration | undefined,
  now: Extract<Configuration, { readonly action: 'redirect' }>,
): Effect[] {
  const host = hostOf(now.redirect_uri);
  const before = old?.action === 'redirect' ? hostOf(old.redirect_uri) : null;
  if (host === before) return [];
  const message = `has requests redirected to ${host}${before === null ? '' : ` (now: ${before})`}`;
  return [effect('POLICY_REDIRECT_HOST', before === null ? 'note' : 'warning', key, message)];
}

/** A live address may have any form. */
function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}

function effect(code: string, severity: Effect['severity'], key: string, message: string): Effect {
  return { code, severity, message, kind: 'rate_limit_policies', key };
}
