import { itemFinding } from '../../differ/draft.ts';
import { describedKind } from '../../items/described-kind.ts';
import type { DecideInput, ResourceKind } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import { description } from '../../service/resource-servers/description.generated.ts';
import type { DeclaredAPI, LiveAPI } from '../../service/resource-servers/types.generated.ts';
import { effectsOf } from './effects.ts';
import { holders } from './holders.ts';
import { whyLockedOut } from './hooks.ts';

const apis = describedKind<DeclaredAPI, LiveAPI>(description, { holders, whyLockedOut });

export const resourceServers: ResourceKind<DeclaredAPI, LiveAPI> = {
  ...apis,
  decide(given) {
    const { input, findings } = possible(given);
    const decision = apis.decide(input);
    const ofFields = decision.effectsOf;
    return {
      ...decision,
      findings: [...findings, ...decision.findings],
      effectsOf(planned) {
        const [own, removed] = [ofFields?.(planned), effectsOf(planned)];
        return (action) => [...(own?.(action) ?? []), ...removed(action)];
      },
    };
  },
};

type Input = DecideInput<DeclaredAPI, LiveAPI>;

/** The input without what the files cannot mean: of an API of the service itself whose scopes they declare, nothing changes. */
function possible(input: Input): { readonly input: Input; readonly findings: readonly Finding[] } {
  const { desired, live } = input;
  const isSystem = ({ is_system: isOfService }: LiveAPI) => isOfService === true;
  const system = new Set((live.readable ? live.items.filter(isSystem) : []).map(({ identifier }) => identifier));
  const wrong = desired.items.filter(
    ({ state, key, value }) => state === 'present' && value.scopes !== undefined && system.has(key),
  );
  const items = desired.items.map((item) =>
    wrong.includes(item) ? { ...item, value: { identifier: item.value.identifier } } : item,
  );
  return {
    input: wrong.length === 0 ? input : { ...input, desired: { ...desired, items } },
    findings: wrong.map((item) => {
      const { identifier: _identifier, scopes: _scopes, ...fields } = item.value;
      const what = Object.keys(fields).length > 0 ? 'them' : 'the item';
      return itemFinding('resource_servers', item, 'LIVE_SYSTEM_API', `${systemText}; delete ${what}`, '/identifier');
    }),
  };
}

const systemText = 'this is an API of the service itself: its scopes cannot be changed';
