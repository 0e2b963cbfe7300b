import type { Decision, Link } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import type { DeclaredStream, LiveStream } from '../../service/event-streams/types.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { listOf } from '../../values/list-of.ts';
import { parsedUrl } from '../../values/parsed-url.ts';

/** Who receives events that it does not receive now, and who stops receiving them. */
export function effectsOn(live: LiveState<LiveStream>): NonNullable<Decision['effectsOf']> {
  return ({ actions }) => {
    const delivered = deliveries(live, actions);
    const receivers = new Set((live.readable ? live.items : []).filter(delivers).map(receiverOf));
    return (action) => effectsOf(action, delivered, receivers);
  };
}

/**
 * A stream stops to deliver events after another one delivers them: if that is refused, no events are lost. Changes that
 * exchange their events do not wait for each other.
 *
 *   create b, with what a delivered; delete a        the deletion needs the create
 *   update b to deliver more; update a to less       the second update needs the first one
 *   c gets y from b, and b gets x from a             b waits for c, and a for b
 *
 * What was planned to exchange its events does not wait either once a part of it is done.
 */
export function handoverLinks(actions: readonly Action[], watched: readonly Action[] = []): Pick<Decision, 'links'> {
  const waits = handoverWaits(actions);
  const planned = handoverWaits(watched);
  const isExchange = (one: string, other: string) => leadsTo(other, one, waits) || leadsTo(other, one, planned);
  const links = [...waits].map(
    ([id, others]): Link => ({ id, provides: [id], after: [...others].filter((other) => !isExchange(id, other)) }),
  );
  return links.some(({ after = [] }) => after.length > 0) ? { links } : {};
}

/** By action, those that deliver what it gives up. */
function handoverWaits(actions: readonly Action[]): ReadonlyMap<string, ReadonlySet<string>> {
  const changes = actions.map(deliveryChange);
  const gaining = new Map<string, string[]>();
  for (const { id, gained } of changes)
    for (const event of gained) gaining.set(event, [...(gaining.get(event) ?? []), id]);
  return new Map(changes.map(({ id, lost }) => [id, new Set(lost.flatMap((one) => gaining.get(one) ?? []))]));
}

/** By key, the status of streams that deliver more after these actions: what gives up the events relies on it. */
export function takingStatuses(actions: readonly Action[]): ReadonlyMap<string, DeclaredStream['status']> {
  const taking = actions.filter((action) => deliveryChange(action).gained.length > 0);
  const statusOf = ({ before, request }: Action) =>
    (memberOf(request.body, 'status') ?? before?.['status']) as DeclaredStream['status'];
  return new Map(taking.map((action) => [action.key, statusOf(action)]));
}

/** What a stream delivers only before an action, and only after it. */
function deliveryChange({ id, action, before, after }: Action) {
  const old = deliveredBy(before as Stream | null);
  const now = action === 'delete' ? [] : deliveredBy({ ...(before as Stream | null), ...(after as Stream) });
  return { id, lost: old.filter((one) => !now.includes(one)), gained: now.filter((one) => !old.includes(one)) };
}

/** Whether an action waits for another one, also for what that one waits for. */
function leadsTo(from: string, to: string, waits: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set([from]);
  for (const id of reached) for (const next of waits.get(id) ?? []) reached.add(next);
  return reached.has(to);
}

/** Each event by itself, and with its destination. */
function deliveredBy(stream: Stream | null): readonly string[] {
  if (stream === null || !delivers(stream)) return [];
  return eventsOf(stream).flatMap((event) => [event, deliveryOf(stream, event)]);
}

/** A declared stream has every field under the name that a live one has; undeclared fields keep their live values. */
type Stream = Partial<LiveStream>;

/** Who receives events of any stream now. */
type Receivers = ReadonlySet<string | null>;

function effectsOf(
  { key, action, before, after, request }: Action,
  delivered: Deliveries,
  receivers: Receivers,
): Effect[] {
  const old = before === null ? null : (before as Stream);
  const now = after === null ? null : { ...(action === 'update' ? old : {}), ...(after as Stream) };
  const sent = (request.secrets ?? []).map(({ env }) => env);
  return [
    ...receiverEffects(key, old, now, receivers),
    ...secretEffects(key, sent, old, now),
    ...lossEffects(key, old, now, delivered),
  ];
}

/** A secret that goes to an address which does not have it now: one that is sent, or the one that the tenant keeps. */
function secretEffects(key: string, sent: readonly string[], old: Stream | null, now: Stream | null): Effect[] {
  const address = now === null ? null : addressOf(now);
  if (now === null || address === null || address === (old === null ? null : addressOf(old))) return [];
  const isKept = old !== null && old.destination?.configuration?.webhook_authorization?.method !== undefined;
  const secret = sent.length > 0 ? `the secret ${listOf(sent)}` : isKept ? 'its stored secret' : null;
  if (secret === null) return [];
  const receiver = receiverOf(now);
  const severity = old !== null && receiverOf(old) === receiver ? 'warning' : 'critical';
  return [effect('STREAM_SECRET_MOVED', severity, key, `sends ${secret} to a new address at ${receiver}`)];
}

/** The complete address of a webhook, which is not shown: it may have credentials. */
function addressOf({ destination }: Stream): string | null {
  return destination?.type === 'webhook' ? (destination.configuration?.webhook_endpoint ?? null) : null;
}

/**
 * The line of a new stream shows its receiver; that of a change shows only what changes. A webhook that moves within its
 * host has an effect for its secret: a change of its destination always has one.
 */
function receiverEffects(key: string, old: Stream | null, now: Stream | null, receivers: Receivers): Effect[] {
  const receiver = now === null || !delivers(now) ? null : receiverOf(now);
  if (now === null || receiver === null) return [];
  const delivered = (severity: Effect['severity'], message: string) => [
    effect('STREAM_NEW_RECEIVER', receivers.has(receiver) ? severity : 'critical', key, message),
  ];
  if (old === null) return delivered('note', `delivers to ${receiver}`);
  if (!delivers(old)) return delivered('warning', `begins to deliver to ${receiver}: ${listOf(eventsOf(now))}`);
  const before = receiverOf(old);
  return receiver === before
    ? []
    : delivered('warning', `delivers to ${receiver} (now: ${before ?? 'no destination'})`);
}

function lossEffects(key: string, old: Stream | null, now: Stream | null, delivered: Deliveries): Effect[] {
  if (old === null || !delivers(old)) return [];
  const events = eventsOf(old);
  const receiver = receiverOf(old) ?? 'its destination';
  const lost = (code: Effect['code'], gone: readonly string[], why: string): Effect[] => {
    const stopped = gone.filter((event) => !delivered.has(deliveryOf(old, event)));
    if (gone.length === 0) return [];
    if (stopped.length === 0)
      return [effect(code, 'note', key, `${why}; another stream still delivers its events to ${receiver}`)];
    return [effect(code, 'warning', key, `${why}: ${receiver} no longer receives ${listOf(stopped)}`)];
  };
  if (now === null) return lost('STREAM_DELETED', events, 'is deleted');
  if (!delivers(now)) return lost('STREAM_DISABLED', events, 'is disabled');
  const left = new Set(eventsOf(now));
  const gone = events.filter((event) => !left.has(event));
  return lost('STREAM_EVENTS_REMOVED', gone, 'has fewer subscriptions');
}

/** A stream without a status is one of a service that has none. */
export function delivers({ status }: Stream): boolean {
  return status !== 'disabled';
}

export function eventsOf({ subscriptions = [] }: Stream): string[] {
  return [...new Set(subscriptions.map(({ event_type: event }) => event))].sort();
}

/** The host of a webhook: the rest of its address may have credentials. */
export function receiverOf({ destination }: Stream): string | null {
  const { type, configuration = {} } = destination ?? {};
  switch (type) {
    case 'webhook': {
      return parsedUrl(configuration.webhook_endpoint ?? '')?.host ?? 'a webhook';
    }
    case 'eventbridge':
      return `the AWS account ${configuration.aws_account_id} in ${configuration.aws_region}`;
    case 'action':
      return `the action ${configuration.action_id}`;
    default:
      return type ?? null;
  }
}

/** What all streams deliver after the plan; empty if other streams were not read. */
type Deliveries = ReadonlySet<string>;

function deliveries(live: LiveState<LiveStream>, actions: readonly Action[]): Deliveries {
  if (!live.readable || live.filtered) return new Set();
  const changed = new Map(actions.flatMap((action) => (action.before === null ? [] : [[action.before['id'], action]])));
  const left = live.items.flatMap((stream): Stream[] => {
    const action = changed.get(stream.id);
    if (action === undefined) return [stream];
    return action.after === null ? [] : [{ ...stream, ...(action.after as Stream) }];
  });
  const created = actions.filter(({ before }) => before === null).map(({ after }) => after as Stream);
  return new Set(
    [...left, ...created]
      .filter(delivers)
      .flatMap((stream) => eventsOf(stream).map((event) => deliveryOf(stream, event))),
  );
}

function deliveryOf({ destination }: Stream, event: string): string {
  const { type, configuration = {} } = destination ?? {};
  const { webhook_endpoint, aws_account_id, aws_region, action_id } = configuration;
  return JSON.stringify([type, webhook_endpoint, aws_account_id, aws_region, action_id, event]);
}

function effect(code: Effect['code'], severity: Effect['severity'], key: string, message: string): Effect {
  return { code, severity, message, kind: 'event_streams', key };
}
