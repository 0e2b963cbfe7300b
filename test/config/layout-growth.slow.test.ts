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
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Four times the length; what takes almost no time is not measured.
  const isLinear = () => large < Math.max(4 * 2.5 * small, 0.1);
  // Another process, or the first compilation, may slow down one of the two.
  for (let round = 0; round === 0 || (round < 5 && !isLinear()); round += 1)
    [small, large] = [Math.min(small, secondsFor(unit, 20_000)), Math.min(large, secondsFor(unit, 80_000))];
  expect({ small, large }).toSatisfy(isLinear);
});
