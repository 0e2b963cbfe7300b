// The kinds that are described as data (docs/internals/descriptions.md): from kind.yaml and facts.json to a published schema and a
// module. Mistakes of all descriptions are collected, and reported together.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityAt, factsOf, mapValues } from './facts.mjs';
import { describedFields } from './fields.mjs';
import { operationsOf, queryFacts } from './operations.mjs';
import { readDescription } from './read-description.mjs';
import { checkReferences } from './references.mjs';
import { singular, titleOf } from './words.mjs';

export { descriptionModule, fieldsCode, headModule } from './module.mjs';
export { publishedSchema } from './schema.mjs';

/** Of each folder in src/kinds with a description; throws with all their mistakes. */
export function describedKinds(root) {
  const folder = join(root, 'src/kinds');
  const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  const files = folders.map(({ name }) => name);
  const read = (file, name) => readFileSync(join(folder, file, name), 'utf8');
  const sources = files
    .filter((file) => existsSync(join(folder, file, 'kind.yaml')))
    .map((file) => ({ file, text: read(file, 'kind.yaml'), facts: JSON.parse(read(file, 'facts.json')) }));
  const { kinds, mistakes } = describe(sources, files.map(kindName));
  if (mistakes.length > 0) throw new Error(`mistakes in descriptions of kinds:\n${mistakes.join('\n')}`);
  return kinds;
}

function kindName(file) {
  return file.replaceAll('-', '_');
}

/** `names`: of all kinds, also of those that have no description yet. */
export function describe(sources, names) {
  const mistakes = [];
  const descriptions = sources.flatMap(({ file, text, facts }) => {
    const { given, report } = readDescription(`src/kinds/${file}/kind.yaml`, text, mistakes);
    return given === null ? [] : [{ file, given, facts, report }];
  });
  const kinds = descriptions.map(kindOf);
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const [index, description] of descriptions.entries())
    checkReferences(description, kinds[index], { byName, names });
  for (const { resources } of kinds) markNamedSets(resources, byName);
  return { kinds, mistakes };
}

function kindOf({ file, given, facts, report }) {
  const { label = given.noun.one, ...noun } = given.noun;
  const kind = kindName(file);
  const { source, lifecycle, closed, form } = given;
  const about = { kind, source, lifecycle, closed, form };
  if (given.destroys !== undefined && given.undeclared.includes('delete')) {
    const rule = 'an item that destroys more than itself is deleted only where the files declare it absent';
    report(['undeclared'], rule, 'remove delete');
  }
  return { ...resourceOf({ ...given, name: kind, noun }, { about, facts, report, at: [], prefix: '', label }), file };
}

/** `about`: what a kind says for all that is in it. `prefix`: of its definitions. */
function resourceOf(given, { about, facts, report, at, prefix, label, parent }) {
  const { path, resources = {}, id = given.at === 'list' ? 'id' : null, key = [] } = given;
  const entity = path && entityAt(facts, path);
  if (path && !entity) report([...at, 'path'], `the facts have no ${path}`, 'write a path of the facts');
  const found = given.in ? elementFacts(parent, given) : entity && factsOf(entity, given.at);
  const isPlain = !found || found.type === 'object' || found.fields !== undefined || given.at === 'set';
  if (!isPlain)
    report([...at, 'path'], `the facts of ${path} are no fields (${found.type})`, 'make them fields in scripts/facts');
  const operations = operationsOf(given.operations, { ...about, ...given });
  const nested = (one, name) => {
    const many = titleOf(name).toLowerCase();
    const context = { about, facts, report, at: [...at, 'resources', name], parent: found };
    const noun = { one: singular(many), many };
    return resourceOf({ noun, ...one, name }, { ...context, prefix: `${prefix}${name}_`, label: `${label} ${many}` });
  };
  return {
    ...about,
    ...given,
    key,
    prefix,
    label,
    id: typeof id === 'string' ? { field: id } : id && { field: 'id', ...id },
    fields: found && isPlain ? describedFields(given, { entity, facts: found, report, at }) : {},
    on: found?.on,
    operations,
    query: queryFacts(facts, operations),
    resources: mapValues(resources, nested),
  };
}

/** A set that is a field is marked if a reference names its elements: `resource_servers/{^audience}/scopes/{scope}`. */
function markNamedSets(resources, byName) {
  for (const { refs = [], resources: below } of Object.values(resources)) {
    for (const [to, , set] of refs.map((path) => path.split('/'))) {
      const named = byName.get(to)?.resources[set];
      if (named?.in) named.named = true;
    }
    markNamedSets(below, byName);
  }
}

/** Of a set that is a field, what the facts say of its elements. */
function elementFacts(parent, { name, scalar }) {
  const { of, on = {} } = parent?.fields?.[name] ?? {};
  return scalar === undefined && of ? of : { on, fields: of ? { [scalar]: of } : {} };
}
