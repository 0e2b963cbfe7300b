import type { DecideInput, Decision, EffectsOf } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import type { Configuration, LivePolicy, Policy } from '../../service/rate-limit-policies/types.generated.ts';
import { type LimitedClient, ownClientEffects } from './own-clients.ts';
import {
  beforeAndAfter,
  configurationSummary,
  fallback,
  type KeyParts,
  lowestLimit,
  nextSelectors,
  type Policies,
  partsOf,
  shared,
} from './precedence.ts';

/** What consumers fall back to, changes that may reject requests which pass now, and limits on clients of this tool. */
export function effectsOn(
  { live, watched = [] }: Pick<DecideInput<Policy, LivePolicy>, 'live' | 'watched'>,
  ownClientsOf: (actions: readonly Action[]) => readonly LimitedClient[],
): NonNullable<Decision['effectsOf']> {
  return ({ actions }) => {
    const own = ownClientsOf(actions);
    // What other policies apply is known only if all were read.
    const policies = live.readable && !live.filtered ? policiesBeforeAndAfter(live.items, actions) : null;
    const openDefaults = missingDefaults(
      policies ? actions : actions.filter(endsDefault),
      policies?.after ?? new Map(),
    );
    const precedenceOf: EffectsOf =
      policies === null ? precedenceRead(live, actions, watched) : (action) => precedenceEffects(action, policies);
    return (action) => [
      ...precedenceOf(action),
      ...(openDefaults.get(action.id) ?? none),
      ...changeEffects(action),
      ...ownClientEffects(own, action),
    ];
  };
}

const none: readonly never[] = [];

/** The policies that others fall back to, and those that share an identity of which one changes. */
function policiesBeforeAndAfter(live: readonly LivePolicy[], actions: readonly Action[]) {
  const several = new Set(actions.flatMap(({ key, part }) => (part === undefined ? [] : [key])));
  return beforeAndAfter(live, actions, (key) => shared.has(partsOf(key).selector) || several.has(key));
}

/** The policy that applies, or why it is not known. */
type Next =
  | { readonly selector: string; readonly applies: string; readonly limit: number }
  | { readonly unknown: string };

function nextPolicy({ prefix, selector }: KeyParts, policies: Policies): Next {
  const selectors = nextSelectors(selector);
  if (selectors === null) return { unknown: 'the order of policies is not documented for this selector' };
  for (const next of selectors) {
    const found = policies.get(prefix + next);
    if (found === undefined) continue;
    const [text, ...others] = new Set(found.map(configurationSummary));
    if (others.length > 0)
      return { unknown: `${found.length} policies have the selector ${next}; which of them applies is not documented` };
    if (text !== undefined) return { selector: next, applies: text, limit: lowestLimit(found) };
  }
  return { unknown: 'without a policy, what applies is not documented' };
}

function precedenceEffects(
  { action, key, before, after }: Action,
  policies: ReturnType<typeof beforeAndAfter>,
): Effect[] {
  const parts = partsOf(key);
  if (parts.selector === fallback && action === 'delete') return [];
  if (action === 'delete' && !policies.after.has(key)) {
    const now = configurationSummary(before?.['configuration']);
    const { severity, message } = fallbackText(nextPolicy(parts, policies.after), now);
    return [effect('POLICY_FALLBACK', severity, key, message)];
  }
  if (action !== 'create') return [];
  const next = nextPolicy(parts, policies.before);
  const configuration = after?.['configuration'] as Configuration;
  const limits = limitText(configuration);
  if ('unknown' in next)
    return limits === null || !shared.has(parts.selector)
      ? []
      : [effect('POLICY_STARTS_LIMITING', 'warning', key, `${limits}; ${next.unknown}`)];
  const precedes = `takes precedence over ${next.selector}: ${next.applies}`;
  return lowestLimit([configuration]) < next.limit
    ? [effect('POLICY_PRECEDES', 'warning', key, `${limits} and ${precedes}`)]
    : [effect('POLICY_PRECEDES', 'note', key, precedes)];
}

/** Where only a part was read: with what was read beside a policy that is deleted, because it applies in its place. */
function precedenceRead(
  live: LiveState<LivePolicy>,
  actions: readonly Action[],
  watched: readonly Action[],
): EffectsOf {
  const deleting = new Set(watched.flatMap(({ action, key }) => (action === 'delete' ? [key] : [])));
  if (!live.readable || deleting.size === 0) return unreadEffects;
  const policies = policiesBeforeAndAfter([...live.items, ...(live.beside ?? [])], actions);
  return (action) => (deleting.has(action.key) ? precedenceEffects(action, policies) : unreadEffects(action));
}

/** What a deleted policy leaves, where other policies were not read. */
function unreadEffects({ action, key, part, before }: Action): Effect[] {
  if (action !== 'delete' || part !== undefined || partsOf(key).selector === fallback) return [];
  const now = configurationSummary(before?.['configuration']);
  const message = `has no policy of its own afterwards; what applies then was not read (now: ${now})`;
  return [effect('POLICY_FALLBACK', 'warning', key, message)];
}

function endsDefault({ action, key, part }: Action): boolean {
  return action === 'delete' && part === undefined && partsOf(key).selector === fallback;
}

/** What happens to requests above the limit that do not reach the API; null if all do. */
function limitText(now: Configuration | undefined): string | null {
  if (!isEnforced(now)) return null;
  return `${now.action === 'redirect' ? 'redirects' : 'blocks'} requests above ${now.limit}/s`;
}

const blocksAll = /^(?:block|redirect) above 0\//;

/** What clients fall back to without a policy that does `now`. */
function fallbackText(next: Next, now: string): Pick<Effect, 'severity' | 'message'> {
  if ('unknown' in next) return { severity: 'warning', message: `has no policy left: ${next.unknown} (now: ${now})` };
  const { selector, applies } = next;
  return applies === now
    ? { severity: 'note', message: `falls back to ${selector}, which is the same: ${applies}` }
    : {
        severity: blocksAll.test(applies) ? 'critical' : 'warning',
        message: `falls back to ${selector}: ${applies} (now: ${now})`,
      };
}

/** One effect for each API and consumer without a default after the plan, on the action that leads to it. */
function missingDefaults(actions: readonly Action[], after: Policies): ReadonlyMap<string, readonly Effect[]> {
  const causes = new Map<string, Action>();
  for (const action of actions) {
    if (action.action !== 'create' && action.action !== 'delete') continue;
    const { prefix, selector } = partsOf(action.key);
    const isDefault = action.action === 'delete' && selector === fallback;
    if (isDefault || (action.action === 'create' && !causes.has(prefix))) causes.set(prefix, action);
  }
  const found = new Map<string, readonly Effect[]>();
  for (const [prefix, action] of causes) {
    const key = `${prefix}${fallback}`;
    if (after.has(key)) continue;
    const now = action.key === key ? ` (now: ${configurationSummary(action.before?.['configuration'])})` : '';
    const message = `does not exist afterwards: what applies to other clients is not documented${now}`;
    found.set(action.id, [effect('POLICY_NO_DEFAULT', 'warning', key, message)]);
  }
  return found;
}

/** What the change of one policy does to requests that pass now. */
function changeEffects({ action, key, before, after }: Action): readonly Effect[] {
  if (action !== 'create' && action !== 'update') return none;
  const [old, now] = [before?.['configuration'], after?.['configuration']] as [Configuration?, Configuration?];
  if (now === undefined) return none;
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
  const limits = limitText(now);
  if (old === undefined || isEnforced(old) === (limits !== null)) return [];
  if (limits === null) return [effect('POLICY_STOPS_LIMITING', 'note', key, `no longer ${limitText(old)}`)];
  const before = old.action === 'log' ? 'only logged' : 'allowed';
  return [effect('POLICY_STARTS_LIMITING', 'warning', key, `${limits}; they are ${before} now`)];
}

function limitEffects(key: string, old: Configuration | undefined, now: Configuration): Effect[] {
  if (!isEnforced(now)) return [];
  if (now.limit === 0) {
    if (isEnforced(old) && old.limit === 0 && old.action === now.action) return [];
    const does = now.action === 'redirect' ? 'redirects' : 'blocks';
    return [effect('POLICY_LIMIT_ZERO', 'critical', key, `${does} every request: the limit is 0`)];
  }
  if (!isEnforced(old) || old.limit <= now.limit) return [];
  const message = `lowers its limit from ${old.limit}/s to ${now.limit}/s`;
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
  const message = `redirects requests to ${host}${before === null ? '' : ` (now: ${before})`}`;
  return [effect('POLICY_REDIRECT_HOST', before === null ? 'note' : 'warning', key, message)];
}

/** A live address may have any form. */
function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}

function effect(code: Effect['code'], severity: Effect['severity'], key: string, message: string): Effect {
  const { selector } = partsOf(key);
  const reach = selector === fallback ? 'all' : shared.has(selector) ? 'group' : undefined;
  return { code, severity, message, kind: 'rate_limit_policies', key, ...(reach !== undefined && { reach }) };
}
