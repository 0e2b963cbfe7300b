// The text of a comment: its marker, its size, and names that are not Markdown.
import { expect, test } from 'vitest';
import { commentText, joinedReports, markerOf } from '../../src/pipeline/steps/publish.ts';

const text = {
  kind: 'plan',
  folder: 'tenant',
  text: '## A plan\n\n1 change\n',
  commit: 'a'.repeat(40),
  url: 'https://forge.example/run/1',
} as const;

test('begins with the marker and ends with the commit and the run', () => {
  expect(commentText({ ...text, notes: ['A note.'] })).toBe(
    [
      '<!-- tenant-sync pipeline plan tenant -->',
      '## A plan',
      '',
      '1 change',
      '',
      'A note.',
      '',
      'Folder `tenant`, commit aaaaaaaaaaaa · [run](https://forge.example/run/1)',
      '',
    ].join('\n'),
  );
});

test('markers of folders differ, and none ends early', () => {
  const folders = ['a', 'b', 'a/b', 'a--b', '--><script>', 'a b', '.'];
  const markers = folders.map((folder) => markerOf('plan', folder));
  expect(new Set(markers).size).toBe(folders.length);
  for (const marker of markers) expect(marker).toMatch(/^<!-- (?:(?!--)[^<>])+ -->$/);
});

test('the largest report of the tool fits into a comment of GitHub', () => {
  expect(commentText({ ...text, text: 'x'.repeat(64_800), notes: ['A note.'] }).length).toBeLessThan(65_536);
});

test('a folder is code', () => {
  expect(commentText({ ...text, folder: '@team <img src=x>' })).toContain('Folder `@team <img src=x>`,');
});

test('reports of several waves are one text, as far as they fit into a comment', () => {
  expect(joinedReports([])).toBeNull();
  expect(joinedReports(['one\n'])).toBe('one\n');
  expect(joinedReports(['one\n', 'two\n'])).toBe('one\n\ntwo\n');
  const long = 'x'.repeat(60_000);
  const joined = joinedReports([long, long, 'last\n']);
  expect(joined).toBe('The reports of earlier waves do not fit. They are on the page of the run.\n\nlast\n');
});
