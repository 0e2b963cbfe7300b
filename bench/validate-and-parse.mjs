// Both in one process, in turn, as medians: loading and checking a folder, and the YAML parser alone on its largest file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { folderSource } from '../dist/config/files/folder-source.cjs';
import { loadDesired } from '../dist/config/load-desired.cjs';
import { kinds } from '../dist/kinds/index.cjs';

const [folder = ''] = process.argv.slice(2);
const text = await readFile(join(folder, 'policies.yaml'), 'utf8');
const taken = { parsed: [], loaded: [] };
for (let round = 0; round <= 5; round += 1) {
  const parsed = time(() => parseDocument(text));
  const started = performance.now();
  const { desired } = await loadDesired(folderSource(folder), kinds);
  const loaded = performance.now() - started;
  if (desired === null) throw new Error('the files are not valid');
  if (round > 0) {
    taken.parsed.push(parsed);
    taken.loaded.push(loaded);
  }
}
process.stdout.write(JSON.stringify({ parsed: median(taken.parsed), loaded: median(taken.loaded) }));

function time(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
