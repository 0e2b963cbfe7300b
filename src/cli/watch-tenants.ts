// How far a run of several tenants is: one line on a terminal, and a line every ten seconds elsewhere.
import type { Listener, SyncEvent } from '../engine/events.ts';
import { knownKinds } from '../kinds/index.ts';
import type { KnownKind } from '../model/kind.ts';
import { terminalText } from '../report/escape.ts';
import { nounOf } from '../report/view/items.ts';
import { quantity, shortList } from '../report/wording.ts';
import type { CommandContext } from './context.ts';
import { lineIntervalMs } from './watch.ts';

const redrawMs = 1_000;
const mostNames = 4;

/** Runs the work, which gets a context with progress, while people see how far its tenants are. */
export async function watchTenants<Result>(
  context: CommandContext,
  total: number,
  work: (watched: CommandContext) => Promise<Result>,
): Promise<Result> {
  const { io, output } = context;
  const bar = output.bar();
  const { begin, end, ended, text } = openProgress(total, io.clock);
  const draw = () => bar?.update(ended(), total, output.mask(`tenants${text()}`));
  const print = () => output.talk(`${ended()} of ${quantity(total, 'tenant')} done${text()}`);
  const stop = bar === null ? io.every(lineIntervalMs, print) : io.every(redrawMs, draw);
  const progress = {
    begin: (name: string): Listener => {
      const onEvent = begin(name);
      draw();
      return (event) => {
        onEvent(event);
        draw();
      };
    },
    end: (name: string) => {
      end(name);
      draw();
    },
  };
  try {
    return await work({ ...context, progress });
  } finally {
    stop();
    bar?.stop();
  }
}

/** A tenant that something is done with. */
interface Running {
  /** The kind that the last event was about; '' before any. */
  kind: string;
  done: number;
  /** Infinite as long as it is not known. */
  total: number;
  /** The end of a wait for quota, on the clock. */
  waitsUntil: number;
}

function openProgress(total: number, { monotonic }: CommandContext['io']['clock']) {
  const started = monotonic();
  const running = new Map<string, Running>();
  const ended = new Set<string>();
  const begin = (name: string): Listener => {
    const tenant: Running = { kind: '', done: 0, total: Number.POSITIVE_INFINITY, waitsUntil: 0 };
    // An apply reads again what it changed.
    ended.delete(name);
    running.set(name, tenant);
    return (event) => Object.assign(tenant, after(tenant, event, monotonic()));
  };
  const end = (name: string) => {
    running.delete(name);
    ended.add(name);
  };
  /** The part of the work that is done, 0 to 1. */
  const part = () => {
    const parts = Array.from(running.values(), ({ done, total: all }) => done / Math.max(1, done, all));
    return parts.reduce((sum, one) => sum + one, ended.size) / Math.max(1, total);
  };
  const text = () => {
    const waiting = [...running.values()].filter(({ waitsUntil }) => waitsUntil > monotonic()).length;
    const names = Array.from(running, ([name, { kind }]) => terminalText(kind === '' ? name : `${name} (${kind})`));
    const facts = [
      ...leftTexts(monotonic() - started, part()),
      ...(waiting === 0 ? [] : [`${waiting} waiting for quota`]),
      ...(names.length === 0 ? [] : [`running: ${shortList(names, mostNames).join(', ')}`]),
    ];
    return facts.map((fact) => `, ${fact}`).join('');
  };
  return { begin, end, ended: () => ended.size, text };
}

/** What is known of a tenant after an event. Any response ends a wait. */
function after({ done }: Running, event: SyncEvent, now: number): Partial<Running> {
  switch (event.type) {
    case 'reading':
      return { done: 0, total: event.requests };
    case 'read':
      return { done: done + 1, waitsUntil: 0, ...(kindOf(event.operation) ?? {}) };
    case 'waiting':
      return ofQuota.has(event.reason) ? { waitsUntil: now + event.ms, ...(kindOf(event.operation) ?? {}) } : {};
    case 'planned':
      return { done: 0, total: event.plan.actions.length };
    case 'action_ended':
      return { done: done + 1, waitsUntil: 0, kind: nounOf(event.action.kind, knownKinds()) };
    default:
      return {};
  }
}

/** Why the rate limiter lets a request wait. */
const ofQuota: ReadonlySet<string> = new Set(['quota', 'status 429']);

/** The kind that an operation is of; null for a token. */
function kindOf(operation: string): Pick<Running, 'kind'> | null {
  const kinds = knownKinds();
  const operationsOf = ({ operations = [], reading }: KnownKind) => [...operations, ...(reading?.operations ?? [])];
  const found = kinds.find((kind) => operationsOf(kind).some(({ id }) => id === operation));
  return found === undefined ? null : { kind: nounOf(found.name, kinds) };
}

/** Less than this part says little about the rest. */
const leastPart = 0.02;

function leftTexts(spentMs: number, part: number): readonly string[] {
  if (part < leastPart || part >= 1) return [];
  const minutes = Math.round((spentMs * (1 / part - 1)) / 60_000);
  return [minutes === 0 ? 'less than 1 min left' : `about ${minutes} min left`];
}
