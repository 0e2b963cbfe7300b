import type { DecideInput, Decision } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type {
  Configuration,
  LivePolicy,
  CreatePolicyBody as Policy,
} from '../../service/rate-limit-policies/types.generated.ts';
import { memoized } from '../../values/memoized.ts';
import { parsedUrl } from '../../values/parsed-url.ts';
import { type LimitedClient, ownClientEffects } from './own-clients.ts';
import {
  beforeAndAfter,
  configurationSummary,
  fallback,
  fallbacksOf,
  lowestLimit,
  type Policies,
  partsOf,
  shared,
} from './precedence.ts';

/** What consumers fall back to, changes that may reject requests which pass now, and limits on clients of this tool. */
export function effectsOn(
  { live }: Pick<DecideInput<Policy, LivePolicy>, 'live'>,
  ownClientsOf: (actions: readonly Action[]) => readonly LimitedClient[],
  onService: (action: Action) => Action,
): NonNullable<Decision['effectsOf']> {
  return ({ actions: planned }) => {
    const own = ownClientsOf(planned);
    const actions = planned.map(onService);
    const read = live.readable ? [...live.items, ...(live.beside ?? [])] : [];
    const several = new Set(actions.flatMap(({ key, part }) => (part === undefined ? [] : partsOf(key).selector)));
    const { before, after } = beforeAndAfter(
      read,
      actions,
      (selector) => shared.has(selector) || several.has(selector),
    );
    const around = { after, nextBefore: openNext(before), nextAfter: openNext(after) };
    return (action) => {
      const [known, { key }] = [onService(action), action];
      const found = policyEffects(known, around);
      const effects = known === action ? found : found.map((effect) => ({ ...effect, key }));
      return own.length === 0 ? effects : [...effects, ...ownClientEffects(own, action)];
    };
  };
}

/** Policies are complete as far as they matter to this one. */
function policyEffects({ action, key, before, after }: Action, around: Around): Effect[] {
  const [old, now] = [before?.['configuration'], after?.['configuration']] as [Configuration?, Configuration?];
  if (now === undefined) return around.after.has(key) ? [] : [fallbackEffect(key, old, around.nextAfter(key))];
  const wasBlocked = old !== undefined && lowestLimit([old]) === 0 && old.action === now.action;
  const isBlocked = lowestLimit([now]) === 0 && !wasBlocked;
  const does = now.action === 'redirect' ? 'redirects' : 'blocks';
  return [
    ...(action === 'create' ? createEffects(key, now, around.nextBefore(key)) : []),
    ...(isBlocked ? [effect('POLICY_LIMIT_ZERO', 'critical', key, `${does} every request: the limit is 0`)] : []),
    ...(old === undefined || isBlocked ? [] : limitEffects(key, old, now)),
    ...(old === undefined ? [] : redirectEffects(key, old, now)),
  ];
}

interface Around {
  /** The policies after the plan. */
  readonly after: Policies;
  readonly nextBefore: (key: string) => Next;
  readonly nextAfter: (key: string) => Next;
}

/** The policy that applies where there is none of a key, or why it is not known. */
type Applying =
  | { readonly selector: string; readonly applies: string; readonly limit: number }
  | { readonly unknown: string; readonly start: string };

/** `textOf`: how falling back to it reads, one text for all policies of which it is true. */
type Next = Applying & { readonly textOf: (now: string) => Pick<Effect, 'severity' | 'message'> };

function nextOf(applying: Applying): Next {
  return { ...applying, textOf: memoized((now) => fallbackText(applying, now), 1_000) };
}

const noneLeft = 'has no policy left: ';
const unordered = nextOf({ unknown: 'the order of policies is not documented for this selector', start: noneLeft });

/** Most keys have the same next policy, and a plan can delete 100,000. */
function openNext(policies: Policies): (key: string) => Next {
  const nextAt = memoized((key: string): Next => {
    const { selector } = partsOf(key);
    const found = policies.get(key) ?? [];
    const [applies, ...others] = new Set(found.map(configurationSummary));
    if (applies === undefined)
      return nextOf({ unknown: 'without a policy, what applies is not documented', start: noneLeft });
    if (others.length === 0) return nextOf({ selector, applies, limit: lowestLimit(found) });
    const unknown = `${found.length} policies have the selector ${selector}; which of them applies is not documented`;
    return nextOf({ unknown, start: noneLeft });
  });
  return (key) => {
    const fallbacks = fallbacksOf(key);
    return fallbacks === null ? unordered : nextAt(fallbacks.find((one) => policies.has(one)) ?? '');
  };
}

function fallbackEffect(key: string, old: unknown, next: Next): Effect {
  const { severity, message } = next.textOf(configurationSummary(old));
  return effect('POLICY_FALLBACK', severity, key, message);
}

function fallbackText(next: Applying, now: string): Pick<Effect, 'severity' | 'message'> {
  if ('unknown' in next) return { severity: 'warning', message: `${next.start}${next.unknown} (now: ${now})` };
  const { selector, applies, limit } = next;
  if (applies === now) return { severity: 'note', message: `falls back to ${selector}, which is the same: ${applies}` };
  const severity = limit === 0 ? 'critical' : 'warning';
  return { severity, message: `falls back to ${selector}: ${applies} (now: ${now})` };
}

function createEffects(key: string, now: Configuration, next: Next): Effect[] {
  const limits = limitText(now);
  if ('unknown' in next)
    return limits === null || !shared.has(partsOf(key).selector)
      ? []
      : [effect('POLICY_STARTS_LIMITING', 'warning', key, `${limits}; ${next.unknown}`)];
  const precedes = `takes precedence over ${next.selector}: ${next.applies}`;
  return lowestLimit([now]) < next.limit
    ? [effect('POLICY_PRECEDES', 'warning', key, `${limits} and ${precedes}`)]
    : [effect('POLICY_PRECEDES', 'note', key, precedes)];
}

/** A limit that gets tighter. */
function limitEffects(key: string, old: Configuration, now: Configuration): Effect[] {
  const [before, after] = [lowestLimit([old]), lowestLimit([now])];
  if (after >= before) return [];
  if (Number.isFinite(before))
    return [effect('POLICY_LIMIT_CUT', 'warning', key, `lowers its limit from ${before}/s to ${after}/s`)];
  const message = `${limitText(now)}; they are ${old.action === 'log' ? 'only logged' : 'allowed'} now`;
  return [effect('POLICY_STARTS_LIMITING', 'warning', key, message)];
}

/** Another host that gets the redirected requests. */
function redirectEffects(key: string, old: Configuration, now: Configuration): Effect[] {
  if (old.action !== 'redirect' || now.action !== 'redirect') return [];
  const [before, after] = [hostOf(old.redirect_uri), hostOf(now.redirect_uri)];
  const message = `redirects requests to ${after} (now: ${before})`;
  return after === before ? [] : [effect('POLICY_REDIRECT_HOST', 'warning', key, message)];
}

/** A live address may have any form. */
function hostOf(uri: string): string {
  return parsedUrl(uri)?.host ?? uri;
}

/** What happens to requests above the limit that do not reach the API; null if all do. */
function limitText(now: Configuration): string | null {
  if (now.action !== 'block' && now.action !== 'redirect') return null;
  return `${now.action === 'redirect' ? 'redirects' : 'blocks'} requests above ${now.limit}/s`;
}

function effect(code: Effect['code'], severity: Effect['severity'], key: string, message: string): Effect {
  const { selector } = partsOf(key);
  const reach = selector === fallback ? 'all' : shared.has(selector) ? 'group' : undefined;
  return { code, severity, message, kind: 'rate_limit_policies', key, ...(reach !== undefined && { reach }) };
}
