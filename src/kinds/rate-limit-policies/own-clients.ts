import type { LockedOut } from '../../model/kind.ts';
import type { OwnClient } from '../../model/own-client.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import type { Configuration, LivePolicy } from '../../service/rate-limit-policies/types.generated.ts';
import {
  beforeAndAfter,
  chainsOf,
  clientKey,
  clientSelector,
  configurationSummary,
  lowestLimit,
  partsOf,
  selectorsOf,
} from './precedence.ts';

/** A client of this tool, where actions decide what applies to it: one policy, or several if it is not known which. */
export interface LimitedClient {
  readonly client: OwnClient;
  readonly before: readonly Configuration[];
  readonly after: readonly Configuration[];
  /** Of the policies that apply after the plan. */
  readonly selector: string;
  /** The last one is about these policies, or the nearest before them. */
  readonly causes: readonly Action[];
}

/** Clients that get another policy by these actions, or whose policy changes. `keyOf`: the key with the selector of the service. */
export function ownClients(
  live: LiveState<LivePolicy>,
  actions: readonly Action[],
  own: readonly OwnClient[],
  keyOf: (action: Action) => string,
): readonly LimitedClient[] {
  // Of 100,000 actions, few are about what applies to a client of this tool.
  const selectors = new Set(own.flatMap(selectorsOf));
  const isOwn = (selector: string) => selectors.has(clientSelector(selector));
  const about = actions.flatMap((action) => {
    const key = keyOf(action);
    return isOwn(partsOf(key).selector) ? [{ action, key: clientKey(key) }] : [];
  });
  if (!live.readable || about.length === 0) return [];
  const chains = chainsOf(
    own,
    about.map(({ key }) => key),
  );
  const changed = about.map(({ action, key }) => ({ ...action, key }));
  const { before, after } = beforeAndAfter([...live.items, ...(live.beside ?? [])], changed, isOwn, clientKey);
  return chains.flatMap(({ client, keys }) => {
    const [now = '', then = ''] = [before, after].map((policies) => keys.find((key) => policies.has(key)));
    const causes = keys
      .slice(0, keys.indexOf(then) + 1)
      .flatMap((deciding) => about.flatMap(({ action, key }) => (key === deciding ? action : [])));
    const byName = about.find(({ action, key }) => key === then && keyOf(action) !== action.key);
    const { selector } = partsOf(byName?.action.key ?? then);
    const applying = { before: before.get(now) ?? [], after: after.get(then) ?? [], selector };
    return causes.length === 0 ? [] : [{ client, ...applying, causes }];
  });
}

/** Those that would get no token: every request of theirs is blocked or redirected. */
export function lockedOut(clients: readonly LimitedClient[]): readonly LockedOut[] {
  return clients
    .filter(({ after }) => lowestLimit(after) === 0)
    .map(({ client, selector, causes }) => ({ client, why: `the limit of ${selector} is 0`, causes }));
}

/** A client that is limited, or more than before, is an effect of the action that leads to it. */
export function ownClientEffects(clients: readonly LimitedClient[], { id, kind, key }: Action): Effect[] {
  return clients
    .filter(({ before, after, causes }) => causes.at(-1)?.id === id && lowestLimit(after) < lowestLimit(before))
    .map(({ client, selector, before, after }) => {
      const message = `limits ${client.name}, a client of this tool: ${selector} has ${textOf(after)} (now: ${textOf(before)})`;
      return { code: 'POLICY_OWN_CLIENT', severity: 'critical', message, kind, key };
    });
}

function textOf(configurations: readonly Configuration[]): string {
  return configurations.map(configurationSummary).join(' or ') || 'no policy';
}
