import { createHash } from 'node:crypto';
import { validateJournal } from '../contract/journal.generated.ts';
import { shape } from '../contract/shape.ts';
import { type Item, itemId } from '../model/action-identity.ts';
import type { EndRecord, IntentRecord, JournalRecord, OutcomeRecord, StartRecord } from '../model/journal.generated.ts';
import { isSent, type RecordedAction, type RecordedApply } from '../model/outcome.ts';
import type { OutcomeSummary } from '../model/outcomes.generated.ts';
import { parsedJson } from '../values/parsed-json.ts';

/** `apply` is null if the file has no complete line. */
export interface ParsedJournal {
  readonly apply: RecordedApply | null;
}

/** A line that a stop in the middle of writing cannot explain; lines count from 1. */
export interface BrokenJournal {
  readonly broken: { readonly line: number; readonly why: string };
}

const recordShape = shape<JournalRecord>('journal.schema.json', validateJournal);

/**
 * Reads all complete lines.
 *
 *   start intent outcome intent|            the second action is of unknown outcome
 *   start intent outcome {"seq":3,"pr|      the incomplete last line is ignored: no request followed it
 *   start inte~nt outcome                   broken: the content of the line is unknown
 */
export function parseJournal(text: string): ParsedJournal | BrokenJournal {
  const lines = text.split('\n').slice(0, -1);
  const state: State = { start: null, summary: null, actions: new Map(), rotations: new Map() };
  let end = emptyChain;
  for (const [index, line] of lines.entries()) {
    const value = parsedJson(line);
    // A power cut may leave the last line with its end in place and its middle missing.
    if (value === undefined && index === lines.length - 1) break;
    const why = whyNot(value, end) ?? add(state, value as JournalRecord);
    if (why !== null) return { broken: { line: index + 1, why } };
    end = { seq: index + 1, prev: lineHash(line) };
  }
  return { apply: recordedApply(state) };
}

/** What the records of one journal add up to. */
interface State {
  start: (JournalRecord & { record: 'start' }) | null;
  summary: OutcomeSummary | null;
  readonly actions: Map<string, RecordedAction>;
  readonly rotations: Map<string, Item>;
}

function recordedApply({ start, summary, actions, rotations }: State): RecordedApply | null {
  if (start === null) return null;
  const { base_url: baseUrl, plan, started, approved = null } = start;
  const recorded = { actions: [...actions.values()], rotations: [...rotations.values()] };
  return { baseUrl, plan, started, summary, ...recorded, approved };
}

/** Why a line cannot follow those before it; null if it can. */
function whyNot(value: unknown, { seq, prev }: ChainEnd): string | null {
  if (value === undefined) return 'it is not JSON';
  if (!recordShape.validate(value)) return otherFormat(value) ?? 'it is not a record known to this version';
  return value.seq === seq && value.prev === prev ? null : 'it does not follow the previous line';
}

/** Adds a record to the state; or why it cannot be added. */
function add(state: State, record: JournalRecord): string | null {
  const { start, actions } = state;
  if (record.record === 'start') {
    if (start !== null) return 'it starts another apply';
    state.start = record;
    for (const item of record.rotations ?? []) state.rotations.set(itemId(item), item);
  } else if (start === null) return 'it has no start record before it';
  else if (record.record === 'end') state.summary = record.summary;
  else if (record.record === 'intent') {
    const { id, kind, key, part, request, secret } = record;
    const identity = { id, kind, key, ...(part !== undefined && { part }) };
    actions.set(id, { ...identity, request, outcome: null, ...(secret && { secret }) });
  } else {
    const intended = actions.get(record.id);
    if (intended === undefined) return 'it has an outcome without an intent';
    actions.set(record.id, { ...intended, outcome: record.outcome });
    if (intended.secret && isSent(record)) state.rotations.delete(itemId(intended));
  }
  return null;
}

/** The first line, in any format version. */
function otherFormat(value: unknown): string | null {
  const { record, format_version: found } = Object(value) as Partial<Record<string, unknown>>;
  if (record !== 'start' || typeof found !== 'string' || found === '2.0') return null;
  return `it has format ${JSON.stringify(found)}, and this version reads 2.0; resume with the version that wrote it`;
}

type Unchained<Each> = Omit<Each, 'seq' | 'prev'>;

/** The content of a line, before it is added to the chain. */
export type Entry = Unchained<StartRecord> | Unchained<IntentRecord> | Unchained<OutcomeRecord> | Unchained<EndRecord>;

/** Where the next line goes: lines so far, and the hash of the last one. */
export interface ChainEnd {
  readonly seq: number;
  readonly prev: string | null;
}

export const emptyChain: ChainEnd = { seq: 0, prev: null };

/** One line with its line end, and the chain behind it. */
export function chainLine({ seq, prev }: ChainEnd, entry: Entry): { readonly line: string; readonly end: ChainEnd } {
  const text = JSON.stringify({ seq, prev, ...entry });
  return { line: `${text}\n`, end: { seq: seq + 1, prev: lineHash(text) } };
}

/** SHA-256 in hexadecimal digits, over a line without its line end. */
export function lineHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
