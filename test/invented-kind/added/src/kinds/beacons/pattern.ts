import { plannedRequest } from '../../contract/path.ts';
import { draftAction } from '../../differ/draft.ts';
import { resultReference } from '../../model/action-identity.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { setBeaconPattern } from '../../service/beacons/operations.ts';
import { fingerprint } from '../../values/fingerprint.ts';
import type { DesiredBeacon, TendedBeacon } from './read.ts';

type Input = DecideInput<DesiredBeacon, TendedBeacon>;

/** The pattern has a request of its own, which needs the beacon: for a new one it refers to the id that the create returns. */
export function setPatterns(decision: Decision, { desired, live: read }: Input): Decision {
  if (!read.readable) return decision;
  const live = new Map(read.items.map((beacon) => [beacon.name, beacon]));
  const created = new Map(decision.actions.filter(({ action }) => action === 'create').map(({ key, id }) => [key, id]));
  const patterns = desired.items.flatMap((item) => setPattern(item, live.get(item.key), created.get(item.key)));
  return { ...decision, actions: [...decision.actions, ...patterns] };
}

function setPattern(item: DesiredItem<DesiredBeacon>, live: TendedBeacon | undefined, created?: string): Action[] {
  const { pattern } = item.value;
  const id = live?.id ?? (created === undefined ? undefined : resultReference(created, 'id'));
  if (pattern === undefined || id === undefined || String(live?.pattern) === String(pattern)) return [];
  const draft = draftAction({
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
  });
  return [draft];
}
