// Generated files are loaded or refused, and none is read otherwise than by other tools.
// FUZZ_RUNS sets their number: `FUZZ_RUNS=300000 npx vitest run fuzz.slow.test.ts`. A failure names the number of its file.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { LateProblem, Problem } from '../../src/config/errors/problem.ts';
import { loadDesired } from '../../src/config/load-desired.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { kinds } from '../support/all-kinds.ts';
import { anyText, openChoices } from '../support/generated-files.ts';
import { memorySource } from '../support/memory-source.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { thorough } from '../support/thorough.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? (thorough ? 10_000 : 500));
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

function expectSound(diagnostics: readonly Diagnostic[], lines: readonly string[], label: string): void {
  for (const diagnostic of diagnostics) {
    const { message, hint, source, excerpt } = diagnostic;
    const line = source === undefined ? '' : lines[source.line - 1];
    const isSound =
      message.endsWith('.') &&
      hint !== undefined &&
      line !== undefined &&
      (source === undefined || (source.column > 0 && source.column <= line.length + 1)) &&
      (excerpt === undefined || excerpt.column + excerpt.width - 1 <= excerpt.text.length + 1);
    if (!isSound) expect(diagnostic, label).toBe('sound');
  }
}

/** What other tools read: the standard library for JSON, the types of YAML 1.2 for everything else. */
function asOthersRead(written: string, isJson: boolean): unknown {
  return isJson ? JSON.parse(written) : parse(written, { logLevel: 'silent', maxAliasCount: -1 });
}

test(`${runs} generated files are loaded or refused, and what is accepted is what other tools read`, async () => {
  const counts = { accepted: 0, refused: 0, valid: 0, slowest: 0 };
  for (let number = 0; number < runs; number += 1) {
    const { written, isJson } = anyText(openChoices(number, seed));
    const label = `PROPERTY_SEED=${seed}, file ${number}: ${JSON.stringify(written)}`;
    const spent = startProcessorTime();
    // A lone surrogate cannot be in a file.
    const bytes = Buffer.from(written);
    const content = bytes.toString().replace(/^\ufeff/, '');
    const { diagnostics, desired } = await loadDesired(memorySource({ 'a.yaml': bytes }), kinds).catch(
      (error: unknown) => {
        throw new Error(label, { cause: error });
      },
    );
    counts.slowest = Math.max(counts.slowest, spent());
    if (desired !== null) counts.valid += 1;
    expect(desired === null, label).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    expectSound(diagnostics, content.split('\n'), label);
    const problems: (Problem | LateProblem)[] = [];
    const parsed = await parseYaml(sourceText('a.yaml', content), (problem) => void problems.push(problem));
    const isAccepted = parsed !== null && problems.length === 0;
    counts[isAccepted ? 'accepted' : 'refused'] += 1;
    if (isAccepted) expect(parsed.value, label).toEqual(asOthersRead(content, isJson));
  }
  if (runs > 10_000) console.log(JSON.stringify(counts));
  // A generator that produces only errors, or none, would prove nothing.
  expect(counts.accepted).toBeGreaterThan(runs / 10);
  expect(counts.refused).toBeGreaterThan(runs / 10);
  expect(counts.valid).toBeGreaterThan(runs / 50);
  expect(counts.slowest).toBeLessThan(5_000);
}, 7_200_000);
