// Finding a problem in the layout takes time in proportion to the file, whatever the file is.
import { expect, test } from 'vitest';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import { startProcessorTime } from '../support/processor-time.ts';

const units: Readonly<Record<string, string>> = {
  'keys too far right': 'a: x\n b: y\n',
  'references in brackets': '[{ a: ${var:b} },\n',
  'keys too far left': 'a:\n  b: x\n c: y\n',
  'values that go on as keys': 'a: x\n  b: y\n  c: z\n',
  'items in keys': 'a: x\n - b\n',
  'dashes in one line': '- ',
  'open brackets': '[',
  'open braces': '{ a: ',
  'open quotes': '"a\n',
  'closed quotes': '"a\nb" c\n',
  'lines without a colon': 'a\n',
  colons: ': ',
  tabs: '\ta: b\n',
  blocks: 'a: |\n b\nc\n',
  documents: '---\na: b\n c: d\n',
  'anchors and tags': '&a !b ',
};

function secondsFor(unit: string, length: number): number {
  const source = sourceText('a.yaml', unit.repeat(length / unit.length));
  const spent = startProcessorTime();
  parseYaml(source, () => {});
  return spent() / 1000;
}

test.each(Object.entries(units))('%s', (_name, unit) => {
  secondsFor(unit, 10_000);
  const [small, large] = [secondsFor(unit, 20_000), secondsFor(unit, 80_000)];
  // Four times the length; what takes almost no time is not measured.
  expect(large).toBeLessThan(Math.max(4 * 2.5 * small, 0.1));
});
