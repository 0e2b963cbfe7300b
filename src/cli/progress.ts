import type { ClientEvent } from '../model/client.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { terminalText } from '../report/escape.ts';
import type { CommandContext } from './command.ts';
import type { EventLog } from './event-log.ts';
import type { Bar } from './io.ts';

/** Shows what a long run is at, to people and to programs: a bar on a terminal, a line now and then elsewhere, and every event in a file. */
export interface Progress {
  onEvent(event: ClientEvent): void;
  onPlan(plan: Plan): void;
  onOutcome(action: Action, outcome: Outcome): void;
  /** How many answers each reading operation has had. */
  reads(): ReadonlyMap<string, number>;
  /** Takes the bar away, so that something can be printed. */
  stop(): void;
}

/** Without a terminal a long run says this often where it is, and a short one nothing. */
const everyMs = 10_000;
const shortestWaitMs = 1000;
const reading = 'reading the tenant';

/** `reads` is how many requests are expected at least; listings may take more. */
export async function startProgress(
  { io, output, arguments: { debug } }: CommandContext,
  events: EventLog,
  reads: number,
): Promise<Progress> {
  const bar = await io.bar();
  const line = progressLine(
    bar,
    (text) => output.talk(text),
    () => io.clock.now(),
  );
  const answers = new Map<string, number>();
  let phase = { done: 0, total: reads, what: reading };
  /** Actions that are done or have failed; the others may yet be. */
  const ended = new Set<string>();
  const step = (text: string, done: number) => {
    phase = { ...phase, done, total: Math.max(phase.total, done) };
    line.show(phase.done, phase.total, `${phase.what}: ${terminalText(text)}`);
  };
  line.show(0, phase.total, phase.what);
  let toldUntil = Number.NEGATIVE_INFINITY;
  /** Many may wait for the same: one line says so. */
  const tellWait = (ms: number, text: string) => {
    const until = io.clock.now() + ms;
    if (until <= toldUntil + shortestWaitMs) return;
    toldUntil = until;
    output.talk(text);
  };
  return {
    onEvent(event) {
      if (event.type === 'page') {
        const { type: _type, ...about } = event;
        events.write({ event: 'read', ...about });
        answers.set(event.operation, (answers.get(event.operation) ?? 0) + 1);
        // What is read again in the middle of an apply is no step of it.
        step(`${event.operation}, ${event.total} items`, phase.what === reading ? phase.done + 1 : phase.done);
      } else if (event.type === 'wait') {
        const { operation, ms, reason } = event;
        events.write({ event: 'waiting', operation, ms: Math.round(ms), reason });
        const text = terminalText(`waiting up to ${(ms / 1000).toFixed(1)} s for ${operation}: ${reason}`);
        if (bar !== null) bar.update(phase.done, phase.total, text);
        else if (ms >= shortestWaitMs) tellWait(ms, text);
      } else if (debug) {
        output.talk(
          terminalText(
            `debug: ${event.operation} answered with fields that are not specified: ${event.fields.join(', ')}`,
          ),
        );
      }
    },
    onPlan({ digest, complete, actions, findings }) {
      events.write({ event: 'planned', digest, complete, actions: actions.length, findings: findings.length });
      phase = { done: 0, total: actions.length, what: 'applying' };
    },
    onOutcome(action, { id, outcome, status }) {
      events.write({ event: 'action_ended', id, action: action.action, outcome, status });
      if (outcome === 'done' || outcome === 'failed') ended.add(id);
      else ended.delete(id);
      step(`${outcome}: ${action.action} ${action.key}`, ended.size);
    },
    reads: () => new Map(answers),
    stop: () => bar?.stop(),
  };
}

/** The bar, or a line where there has been none for a while. */
function progressLine(bar: Bar | null, talk: (text: string) => void, now: () => number) {
  let told = now();
  return {
    show(done: number, total: number, text: string): void {
      if (bar !== null) bar.update(done, total, text);
      else if (now() - told >= everyMs) {
        told = now();
        talk(`${done} of ${total}, ${text}`);
      }
    },
  };
}
