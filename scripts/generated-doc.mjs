// A document that is generated: written if it changed; with --check, an error if it is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function keepCurrent(name, text) {
  const path = join(import.meta.dirname, '..', 'docs', name);
  if (read(path) === text) return;
  if (process.argv.includes('--check')) {
    console.error(`docs/${name} is stale: run npm run docs`);
    process.exitCode = 1;
  } else writeFileSync(path, text);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
