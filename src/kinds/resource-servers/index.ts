import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import { itemFinding } from '../../differ/draft.ts';
import { describedKind } from '../../items/described-kind.ts';
import type { DecideInput, DesiredItem, ResourceKind } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
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
      findings: [...findings, ...decision.findings, ...nearApis(input, decision.actions)],
      names: decision.names && [...decision.names, ...findings.map(({ key }) => key)],
      effectsOf(planned) {
        const [own, removed] = [ofFields?.(planned), effectsOf(planned)];
        return (action) => [...(own?.(action) ?? []), ...removed(action)];
      },
    };
  },
};

type Input = DecideInput<DeclaredAPI, LiveAPI>;

/** The input without what the files cannot mean: scopes of an API of the service itself, and an API that is not there. */
function possible(input: Input): { readonly input: Input; readonly findings: readonly Finding[] } {
  const { desired, live } = input;
  if (!live.readable) return { input, findings: [] };
  const found = new Map(live.items.map((api) => [api.identifier, api]));
  const identifiers = openNames([...found.keys()].flatMap((identifier) => identifier ?? []));
  const problems = new Map(
    desired.items.flatMap((item) => {
      const problem = item.state === 'present' ? problemOf(item, found.get(item.key)) : null;
      return problem === null ? [] : [[item.key, problem(identifiers.nearest(item.key))] as const];
    }),
  );
  if (problems.size === 0) return { input, findings: [] };
  return {
    input: {
      ...input,
      desired: { ...desired, items: desired.items.filter(({ key }) => !problems.has(key)) },
      live: { ...live, items: live.items.filter(({ identifier = '' }) => !problems.has(identifier)) },
    },
    findings: [...problems.values()],
  };
}

function problemOf(item: DesiredItem<DeclaredAPI>, api: LiveAPI | undefined): ((near?: string) => Finding) | null {
  const finding = (code: Finding['code'], message: string) =>
    itemFinding('resource_servers', item, code, message, '/identifier');
  const { identifier: _identifier, scopes, ...fields } = item.value;
  const hasFields = Object.keys(fields).length > 0;
  if (api?.is_system && scopes !== undefined)
    return () => finding('LIVE_SYSTEM_API', `${systemText}; delete ${hasFields ? 'them' : 'the item'}`);
  // A misspelt identifier would create another API.
  if (api !== undefined || hasFields) return null;
  return (near) => {
    const hint = didYouMean(near) ?? 'create the API or correct its identifier';
    return finding('LIVE_NOT_FOUND', `no API on the tenant has this identifier; ${hint}`);
  };
}

/** A warning for each API that is created while the tenant has one with a similar identifier that the files do not declare. */
function nearApis({ desired, live }: Input, actions: readonly Action[]): Finding[] {
  const created = new Set(actions.flatMap(({ action, key }) => (action === 'create' ? [key] : [])));
  if (created.size === 0 || !live.readable) return [];
  const declared = new Set(desired.items.map(({ key }) => key));
  const others = live.items.flatMap(({ identifier = '' }) => (declared.has(identifier) ? [] : [identifier]));
  const names = openNames(others);
  return desired.items.flatMap((item) => {
    const near = created.has(item.key) ? names.nearest(item.key, 1) : undefined;
    if (near === undefined) return [];
    const message = `the API is created, but the tenant has an undeclared one, "${near}", with a similar identifier; if it was meant, correct the identifier, or pull it into the files`;
    return [itemFinding('resource_servers', item, 'LIVE_NEAR_NAME', message, '/identifier')];
  });
}

const systemText = 'this is an API of the service itself: its scopes cannot be changed';
