import { plannedRequest } from '../../contract/planned-request.ts';
import { decideListed, type ListedKind } from '../../differ/decide-listed.ts';
import { draftAction } from '../../differ/draft.ts';
import { resultReference } from '../../model/action-identity.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { createBeacon, deleteBeacon, setBeaconPattern, updateBeacon } from '../../service/beacons/operations.ts';
import type { LiveBeacon } from '../../service/beacons/types.generated.ts';
import { fingerprint } from '../../values/fingerprint.ts';
import type { DesiredBeacon } from './desired-beacon.ts';

/** A beacon with the name of its keeper, which files use; the tenant returns only the id. */
export interface TendedBeacon extends LiveBeacon {
  readonly keeper: string;
}

const listed: ListedKind<DesiredBeacon, TendedBeacon> = {
  kind: 'beacons',
  identity: ['name'],
  keyOf: ({ name }) => name,
  idOf: ({ id }) => id,
  protectedAs: ({ name }) => name,
  desiredForm: ({ colour, keeper }) => ({ colour, keeper }),
  liveForm: ({ colour, keeper }) => ({ colour, keeper }),
  corrections: {
    missing: {
      operation: createBeacon,
      correct: ({ name, colour, keeper }) => ({
        request: plannedRequest(createBeacon, { body: { name, colour, keeper } }),
      }),
    },
    different: {
      operation: updateBeacon,
      correct: ({ desired: { colour, keeper }, live: { id } }) => ({
        request: plannedRequest(updateBeacon, { params: { id }, body: { colour, keeper } }),
      }),
    },
    undeclared: {
      operation: deleteBeacon,
      correct: ({ id }) => ({ request: plannedRequest(deleteBeacon, { params: { id } }) }),
    },
  },
};

export function decide(input: DecideInput<DesiredBeacon, TendedBeacon>): Decision {
  const decision = decideListed(listed, input);
  if (!input.live.readable) return decision;
  const live = new Map(input.live.items.map((beacon) => [beacon.name, beacon]));
  const created = new Map(decision.actions.filter(({ action }) => action === 'create').map(({ key, id }) => [key, id]));
  const patterns = input.desired.items.flatMap((item) => setPattern(item, live.get(item.key), created.get(item.key)));
  return { ...decision, actions: [...decision.actions, ...patterns] };
}

/** The pattern has a request of its own, which needs the beacon: for a new one it refers to the id that the create returns. */
function setPattern(
  item: DesiredItem<DesiredBeacon>,
  live: TendedBeacon | undefined,
  created: string | undefined,
): Action[] {
  const { pattern } = item.value;
  const id = live?.id ?? (created === undefined ? undefined : resultReference(created, 'id'));
  if (pattern === undefined || id === undefined || String(live?.pattern) === String(pattern)) return [];
  return [
    draftAction({
      kind: 'beacons',
      key: item.key,
      part: 'pattern',
      action: 'put',
      reason: live?.pattern === undefined ? 'missing' : 'different',
      needs: created === undefined ? [] : [created],
      request: plannedRequest(setBeaconPattern, { params: { id }, body: { pattern } }),
      before: live?.pattern === undefined ? null : { pattern: live.pattern },
      after: { pattern },
      precondition: fingerprint({ id, pattern: live?.pattern ?? null }),
      source: item.at('/pattern'),
    }),
  ];
}
