// What the types of the npm package auth0 say about the kinds of resources: names, types, values, and which side has a field. Texts
// are not taken over.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { declarationsOf } from './declarations.mjs';
import { entitiesOf } from './entities.mjs';
import { operationsOf } from './operations.mjs';
import { operationsOfKind } from './paths.mjs';
import { print } from './print.mjs';

/** The management API of the installed package. */
export function readPackage() {
  const root = join(dirname(createRequire(import.meta.url).resolve('auth0')), '..', '..');
  const api = join(root, 'dist', 'cjs', 'management', 'api');
  const names = readdirSync(api, { recursive: true }).filter((name) =>
    /\b(Client\.js|(Client|types|requests)\.d\.ts)$/.test(name),
  );
  const sources = names.sort().map((name) => ({ name, text: readFileSync(join(api, name), 'utf8') }));
  return packageOf(sources, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
}

/** Declared types, and for each client its code and its declarations. */
export function packageOf(sources, version) {
  const clients = sources.filter(({ name }) => name.endsWith('Client.js'));
  const types = sources.filter(({ name }) => /(types|requests)\.d\.ts$/.test(name));
  const declarationsFor = ({ name }) => sources.find((other) => other.name === name.replace(/js$/, 'd.ts'));
  return {
    version,
    declarations: declarationsOf(types),
    operations: clients.flatMap((code) => operationsOf({ code, declarations: declarationsFor(code) })),
  };
}

/** The text of facts.json. */
export function factsOf(kind, { version, declarations, operations }) {
  const entities = entitiesOf(operationsOfKind(kind, operations), declarations);
  return print({ kind, sdk: `auth0 ${version}`, entities });
}

export { beginnings, kindNames, ownerOf } from './paths.mjs';
export { entitiesOf };
