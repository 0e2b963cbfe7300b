// What a journal says, whatever is left of it.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainLine, type Entry, emptyChain, lineHash, parseJournal } from '../../src/journal/parse-journal.ts';
import type { RecordedAction, RecordedApply } from '../../src/model/outcome.ts';
import { buildSummary } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';

const plan = `sha256:${'ab'.repeat(32)}`;
const start: Entry = {
  record: 'start',
  format_version: '2.0',
  base_url: 'https://login.acme.example/api/v2',
  plan,
  tool_version: '0.1.0',
  started: '2026-11-20T10:00:00.000Z',
};
const digest = (text: string) => `sha256:${lineHash(text)}`;
const intent = (id: string): Entry => ({
  record: 'intent',
  id,
  kind: 'rate_limit_policies',
  key: id,
  operation: 'delete_rate_limit_policy',
  method: 'DELETE',
  path: `/x/${id}`,
  request: digest(id),
});
const recorded = (id: string): RecordedAction => ({
  id,
  kind: 'rate_limit_policies',
  key: id,
  request: digest(id),
  outcome: null,
});
const outcome = (id: string, what: 'done' | 'failed' | 'not_attempted' | 'unknown'): Entry => ({
  record: 'outcome',
  id,
  outcome: what,
  status: 204,
});
const summary = buildSummary({ done: 1 });
const end: Entry = { record: 'end', summary };

function linesOf(entries: readonly Entry[]): string[] {
  let chain = emptyChain;
  return entries.map((entry) => {
    const next = chainLine(chain, entry);
    chain = next.end;
    return next.line;
  });
}

const textOf = (...entries: readonly Entry[]) => linesOf(entries).join('');

function read(text: string): RecordedApply | null {
  const parsed = parseJournal(text);
  if ('broken' in parsed) throw new Error(`line ${parsed.broken.line}: ${parsed.broken.why}`);
  return parsed.apply;
}

const nothing: RecordedApply = {
  baseUrl: 'https://login.acme.example/api/v2',
  plan,
  started: '2026-11-20T10:00:00.000Z',
  summary: null,
  actions: [],
  rotations: [],
  approved: null,
};

describe('whole lines', () => {
  test.each<[string, Entry[], RecordedApply | null]>([
    ['none', [], null],
    ['a beginning', [start], nothing],
    ['an intent without an outcome', [start, intent('a')], { ...nothing, actions: [recorded('a')] }],
    [
      'a later outcome was learned by reading again',
      [start, intent('a'), outcome('a', 'unknown'), outcome('a', 'done'), end],
      {
        ...nothing,
        summary,
        actions: [{ ...recorded('a'), outcome: 'done' }],
      },
    ],
  ])('%s', (_name, entries, expected) => {
    expect(read(textOf(...entries))).toEqual(expected);
  });
});

describe('what the end of a process leaves', () => {
  const whole = textOf(start, intent('a'));
  test.each([
    ['half a line', `${whole}{"seq":2,"prev":"`],
    ['a whole line without its end', `${whole}${textOf(start, intent('a'), outcome('a', 'done')).split('\n')[2]}`],
    ['a line of which a power cut took the middle', `${whole}{"seq":2,\0\0\0\0"status":204}\n`],
  ])('%s is as if it were not there', (_name, text) => {
    expect(parseJournal(text)).toEqual(parseJournal(whole));
  });
});

describe('what was changed by hand is not believed', () => {
  const [first = '', second = '', third = '', last = ''] = linesOf([start, intent('a'), outcome('a', 'failed'), end]);
  const swap = (line: string, from: string, to: string) => line.replace(from, to);
  test.each([
    ['an outcome', first + second + swap(third, 'failed', 'done') + last, 4, 'it does not follow the previous line'],
    ['a line less', first + third + last, 2, 'it does not follow the previous line'],
    ['two lines in the wrong order', first + third + second, 2, 'it does not follow the previous line'],
    ['a line twice', first + second + second, 3, 'it does not follow the previous line'],
    ['a torn line in the middle', `${first}${second.slice(0, 20)}\n${third}`, 2, 'it is not JSON'],
    ['a beginning less', second, 1, 'it does not follow the previous line'],
    ['nothing before it', textOf(intent('a')), 1, 'it has no start record before it'],
    [
      'an outcome of what was never intended',
      textOf(start, outcome('a', 'done')),
      2,
      'it has an outcome without an intent',
    ],
    ['a second beginning', textOf(start, start), 2, 'it starts another apply'],
    [
      'a record of another version',
      textOf({ ...start, format_version: '1.0' } as unknown as Entry),
      1,
      'it has format "1.0", and this version reads 2.0; resume with the version that wrote it',
    ],
    ['no record at all', 'null\n', 1, 'it is not a record known to this version'],
  ])('%s', (_name, text, line, why) => {
    expect(parseJournal(text)).toEqual({ broken: { line, why } });
  });
});

describe('laws', () => {
  /** Any apply: intents in order, each with the outcomes that it may have. */
  const entries = fc
    .array(
      fc.tuple(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.array(fc.constantFrom('done', 'failed', 'not_attempted', 'unknown'), { maxLength: 2 }),
      ),
      {
        maxLength: 8,
      },
    )
    .map((actions) => [
      start,
      ...actions.flatMap(([text, outcomes], index) => [
        intent(`${index}${text}`),
        ...outcomes.map((what) => outcome(`${index}${text}`, what)),
      ]),
      end,
    ]);

  test('cut at any byte, it reads as one of its prefixes, and nothing is done that no whole line says', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const lines = linesOf(all);
        // Each prefix of whole lines, and what it says is done.
        const prefixes = Array.from({ length: lines.length + 1 }, (_, count) => {
          const parsed = parseJournal(lines.slice(0, count).join(''));
          const entriesOf = all.slice(0, count);
          const saidDone = entriesOf.flatMap((entry) =>
            entry.record === 'outcome' && entry.outcome === 'done' ? [entry.id] : [],
          );
          for (const { id, outcome: what } of ('broken' in parsed ? undefined : parsed.apply)?.actions ?? [])
            if (what === 'done') expect(saidDone).toContain(id);
          return parsed;
        });
        const bytes = Buffer.from(lines.join(''));
        for (let cut = 0; cut <= bytes.length; cut += 1) {
          const text = bytes.subarray(0, cut).toString('utf8');
          const parsed = parseJournal(text);
          if ('broken' in parsed) throw new Error(`broken at byte ${cut}`);
          const whole = prefixes[text.split('\n').length - 1];
          if (!isDeepStrictEqual(parsed, whole)) expect(parsed, `cut at byte ${cut}`).toEqual(whole);
        }
      }),
      propertyRuns(25, 5),
    );
  });

  test('one changed character anywhere but in the last line is found', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.constantFrom('0', 'x', '"', '\n', ' '), (all, at, by) => {
        const text = textOf(...all);
        const lastLine = text.lastIndexOf('\n', text.length - 2);
        const place = at % Math.max(1, lastLine);
        fc.pre(text[place] !== by);
        const changed = text.slice(0, place) + by + text.slice(place + 1);
        expect(parseJournal(changed)).toHaveProperty('broken');
      }),
      propertyRuns(200, 50),
    );
  });
});
