// 10,000 edits in a file of 5 MB: the time follows the size of the file.
import { expect, test } from 'vitest';
import { readWritten } from '../../src/edit/source-tree.ts';
import { unifiedDiff } from '../../src/report/unified-diff.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { sized } from '../support/thorough.ts';
import { type Edit, editedYaml } from './edits.ts';

interface Growing {
  readonly name: string;
  item(index: number): string;
  edit(index: number): Edit;
}

const text = 'x'.repeat(300);
const block = (index: number) =>
  `  # item ${index}\n  - consumer_selector: client ${index}\n    # ${text}\n    configuration: { action: block, limit: 100 } # ${index}\n\n`;
const growing: readonly Growing[] = [
  {
    name: 'set',
    item: block,
    edit: (index) => ({ op: 'set', pointer: `/list/${index}/configuration/limit`, value: index }),
  },
  { name: 'delete', item: block, edit: (index) => ({ op: 'delete', pointer: `/list/${index}` }) },
  {
    name: 'insert',
    item: block,
    edit: (index) => ({
      op: 'insert',
      pointer: '/list',
      after: index,
      value: { consumer_selector: `new ${index}`, configuration: { action: 'block', limit: 1 } },
    }),
  },
  {
    name: 'set an alias',
    item: (index) => `  - name: &n${index} "name ${index}" # ${text}\n    other: *n${index}\n`,
    edit: (index) => ({ op: 'set', pointer: `/list/${index}/name`, value: `new ${index}` }),
  },
];

const fileOf = ({ item }: Growing, items: number) =>
  `list:\n${Array.from({ length: items }, (_, index) => item(index)).join('')}`;
/** Every item but the last, which stays. */
const editsOf = ({ edit }: Growing, items: number) => Array.from({ length: items - 1 }, (_, index) => edit(index));

function secondsOf(use: () => void): number {
  const spent = startProcessorTime();
  use();
  return spent() / 1000;
}

test.each(growing)('$name', (input) => {
  const seconds = [2500, 5000, 10_000].map(sized).map((items) => {
    const before = fileOf(input, items);
    const edits = editsOf(input, items);
    let after = '';
    const used = secondsOf(() => {
      after = editedYaml(before, edits);
    });
    expect(readWritten(after)).not.toBe(null);
    expect(unifiedDiff({ path: 'a.yaml', before, after })).not.toBe('');
    return used;
  });
  const [, half = 0, full = 0] = seconds;
  expect(full, seconds.join()).toBeLessThan(2.5 * half + 0.5);
  expect(full).toBeLessThan(sized(12));
});
