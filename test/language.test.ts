// Words that do not belong in what users read first: the README, help pages and the messages of all codes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames } from '../src/cli/command-table.ts';
import { runCommand } from './support/run-command.ts';

const root = join(import.meta.dirname, '..');

/** Each word with what to write instead. */
const words: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(tell|tells|told|telling|say|says|said)\b/i, 'report, print, show'],
  [/\bwhole\b/i, 'complete, entire'],
  [/\b(go|goes|going|gone|went) on\b/i, 'resume, continue'],
  [/\b(mend|mends|mended|cure|cures|cured|remedy|remedies)\b/i, 'fix'],
  [/\b(answer|answers|answered|answering)\b/i, 'response; returns, exits with'],
  [/\bbut for\b/i, 'except for'],
  [/\b(ledgers?|drips?|tally|waiting lines?)\b|\bgates?\b/i, 'rate limiter, token bucket, window, request queue'],
  [/\bharmless\b/i, 'escape, sanitize'],
  [/\b(judge|judges|judged|judgement)\b/i, 'classify, validate'],
  [/\b(house|rooms?|doors?)\b/i, 'package, module, layer'],
  [/\bon the strength of\b/i, 'because of'],
  [/\bshall\b/i, 'must, will'],
];

describe('words that do not belong in texts', () => {
  test.each(['README.md', 'docs/diagnostics.md'])('%s', (file) => {
    expect(problemsOf(readFileSync(join(root, file), 'utf8'))).toEqual([]);
  });

  test.each([[], ...commandNames.map((name) => [name])])('--help of %s', async (...command) => {
    const { stdout } = await runCommand([...command, '--help']);
    expect(problemsOf(stdout)).toEqual([]);
  });
});

test('a line is named with the word and what to write instead', () => {
  expect(problemsOf('a\nit is judged\n')).toEqual(['line 2: "judged" in "it is judged": use classify, validate']);
});

function problemsOf(text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    words.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0];
      return found === undefined ? [] : [`line ${index + 1}: "${found}" in "${line}": use ${instead}`];
    }),
  );
}
