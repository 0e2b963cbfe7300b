import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/report/unified-diff.ts';
import { propertyRuns, sized } from '../support/thorough.ts';

describe('unifiedDiff', () => {
  test('shows three lines around each change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`);
    const changed = lines.with(4, 'changed\n').toSpliced(14, 1);
    expect(unifiedDiff({ path: 'a/b.yaml', before: lines.join(''), after: changed.join('') })).toBe(
      [
        '--- a/a/b.yaml',
        '+++ b/a/b.yaml',
        '@@ -2,7 +2,7 @@',
        ' line 2',
        ' line 3',
        ' line 4',
        '-line 5',
        '+changed',
        ' line 6',
        ' line 7',
        ' line 8',
        '@@ -12,7 +12,6 @@',
        ' line 12',
        ' line 13',
        ' line 14',
        '-line 15',
        ' line 16',
        ' line 17',
        ' line 18',
        '',
      ].join('\n'),
    );
  });

  test('a new file, a deleted file, and no difference', () => {
    expect(unifiedDiff({ path: 'a', before: null, after: 'x\n' })).toBe('--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n');
    expect(unifiedDiff({ path: 'a', before: 'x\n', after: null })).toBe('--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n');
    expect(unifiedDiff({ path: 'a', before: 'x\n', after: 'x\n' })).toBe('');
  });

  test('a missing final line end', () => {
    expect(unifiedDiff({ path: 'a', before: 'x', after: 'x\n' })).toBe(
      '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n',
    );
  });

  test('the patch leads from one text to the other', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n', 'e\n'), { maxLength: 30 })
      .chain((lines) => fc.constantFrom(lines.join(''), lines.join('').replace(/\n$/, '')));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = unifiedDiff({ path: 'a', before, after });
        if (before === after) expect(patch).toBe('');
        else expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
      }),
      propertyRuns(2000, 100),
    );
  });

  test(`${sized(10_000)} changes in a large text`, () => {
    const lines = Array.from({ length: sized(100_000) }, (_, index) => `  - name: item ${index} ${'x'.repeat(30)}\n`);
    const changed = lines.map((line, index) => (index % 10 === 0 ? `  - name: other ${index}\n` : line));
    const patch = unifiedDiff({ path: 'a', before: lines.join(''), after: changed.join('') });
    expect(patch.split('\n').filter((line) => line.startsWith('-  - name')).length).toBe(sized(10_000));
  });
});
