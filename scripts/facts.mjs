// npm run facts: writes src/kinds/<kind>/facts.json for each kind that has a folder.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf, kindNames, readPackage } from './facts/index.mjs';

const from = readPackage();
for (const kind of kindNames) {
  const folder = join(import.meta.dirname, '..', 'src', 'kinds', kind.replaceAll('_', '-'));
  if (existsSync(folder)) writeFileSync(join(folder, 'facts.json'), factsOf(kind, from));
}
