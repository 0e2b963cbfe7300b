// The kinds that are described as data (docs/internals/descriptions.md): from kind.yaml and facts.json to a published schema and a
// module. Mistakes of all descriptions are collected, and reported together.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityAt, factsOf, mapValues } from './facts.mjs';
import { describedFields } from './fields.mjs';
import { operationsOf, queryFacts } from './operations.mjs';
import { readDescription } from './read-description.mjs';
import { singular, titleOf } from './words.mjs';

export { descriptionModule, fieldsCode } from './module.mjs';
export { publishedSchema } from './schema.mjs';

/** `src/kinds/<folder>` of each kind that has a description, drafts left out; throws with all their mistakes. */
export function describedKinds(root) {
  const folder = join(root, 'src/kinds');
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name);
  const texts = names.flatMap((file) => {
    const path = join(folder, file, 'kind.yaml');
    return existsSync(path)
      ? [
          {
            file,
            text: readFileSync(path, 'utf8'),
            facts: JSON.parse(readFileSync(join(folder, file, 'facts.json'), 'utf8')),
          },
        ]
      : [];
  });
  const { kinds, mistakes } = describe(
    texts,
    names.map((name) => name.replaceAll('-', '_')),
  );
  if (mistakes.length > 0)
    throw new Error(`${mistakes.length} mistakes in descriptions of kinds:\n${mistakes.join('\n')}`);
  return kinds.filter(({ draft }) => !draft);
}

/** `names`: of all kinds, also of those that have no description yet. */
export function describe(texts, names) {
  const mistakes = [];
  const read = texts.flatMap(({ file, text, facts }) => {
    const path = `src/kinds/${file}/kind.yaml`;
    const { given, report } = readDescription(path, text, mistakes);
    return given === null ? [] : [{ file, given, facts, report }];
  });
  const kinds = read.map((one) => kindOf(one));
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const [index, { report, given }] of read.entries())
    checkReferences(given, { report, kind: kinds[index], byName, names });
  return { kinds, mistakes };
}

function kindOf({ file, given, facts, report }) {
  const name = file.replaceAll('-', '_');
  const { noun, ...rest } = given;
  const { label = noun.one, ...nouns } = noun;
  const own = resourceOf(
    { ...rest, name, noun: nouns },
    { kind: name, prefix: '', label, facts, report, at: [], head: given },
  );
  return { ...own, ...rest, ...own, name, file, noun: nouns, label };
}

function resourceOf(given, { kind, prefix, label, facts, report, at, head, parent }) {
  const { path, source = head.source, resources = {}, id = 'id', key = [] } = given;
  const place = given.at;
  const entity = given.in || path === undefined ? undefined : entityAt(facts, path);
  if (path !== undefined && entity === undefined)
    report([...at, 'path'], `the facts have no ${path}`, 'write a path of the facts');
  const found = given.in ? elementFacts(parent, given.name) : entity && factsOf(entity, place);
  const fields = found === undefined ? {} : describedFields(given, { entity, facts: found, report, at });
  const operations = operationsOf(given.operations, { ...given, kind, source, lifecycle: head.lifecycle });
  return {
    ...given,
    kind,
    key,
    prefix,
    label,
    id: place === 'list' ? (typeof id === 'string' ? { field: id } : { field: 'id', ...id }) : null,
    fields,
    on: found?.on,
    operations,
    query: queryFacts(facts, operations),
    closed: head.closed === true,
    form: head.form === true,
    resources: mapValues(resources, (one, child) =>
      resourceOf(
        { noun: nounOf(child), ...one, name: child },
        {
          kind,
          prefix: `${prefix}${child}_`,
          label: `${label} ${titleOf(child).toLowerCase()}`,
          facts,
          report,
          at: [...at, 'resources', child],
          head,
          parent: found,
        },
      ),
    ),
  };
}

/** `enabled_clients` are enabled clients. */
function nounOf(name) {
  const many = titleOf(name).toLowerCase();
  return { one: singular(many), many };
}

/** Of a set that is a field, what the facts say of its elements. */
function elementFacts(parent, name) {
  const { of, on } = parent?.fields?.[name] ?? { on: {} };
  return of?.fields === undefined ? { on, fields: of === undefined ? {} : { [name]: of } } : of;
}

/** What names another kind, or a field of one. */
function checkReferences(given, { report, kind, byName, names }) {
  const walk = (value, at, inMap) => {
    if (typeof value !== 'object' || value === null) return;
    if (!inMap && typeof value.ref?.to === 'string') checkReference(value.ref, [...at, 'ref']);
    for (const [name, child] of Object.entries(value))
      walk(child, [...at, name], !inMap && ['fields', 'resources', 'forms'].includes(name));
  };
  const checkReference = ({ to, by }, at) => {
    if (!names.includes(to)) report([...at, 'to'], `"${to}" is no kind`, `write one of ${names.join(', ')}`);
    const target = byName.get(to);
    if (by !== undefined && target && !(by in target.fields))
      report([...at, 'by'], `${to} have no field "${by}"`, 'write a field of that kind');
  };
  walk(given, [], false);
  const checkResource = (one, own, at, parent) => {
    const has = (name) =>
      name.startsWith('^') ? name === '^' || name.slice(1) in (parent?.fields ?? {}) : name in own.fields;
    for (const name of [...(one.access?.holder ?? []), ...(one.access?.thing ?? [])])
      if (!has(name))
        report(
          [...at, 'access'],
          `"${name}" is no field`,
          'write a field of the element, ^ and one of the parent, or ^',
        );
    for (const [index, path] of (one.refs ?? []).entries()) {
      const [to] = path.split('/');
      if (!names.includes(to)) report([...at, 'refs', index], `"${to}" is no kind`, `write one of ${names.join(', ')}`);
      for (const [, name] of path.matchAll(/\{(.*?)\}/g))
        if (!has(name))
          report(
            [...at, 'refs', index],
            `"${name}" is no field`,
            'write a field of the element, or ^ and one of the parent',
          );
    }
    if (one.scalar !== undefined && !(one.scalar in own.fields))
      report([...at, 'scalar'], `"${one.scalar}" is no field`, 'write the name of a field');
    for (const name of one.writable?.only ?? [])
      if (!(name in own.fields))
        report([...at, 'writable', 'only'], `"${name}" is no field`, 'write the names of fields');
    for (const [name, child] of Object.entries(one.resources ?? {}))
      checkResource(child, own.resources[name], [...at, 'resources', name], own);
  };
  checkResource(given, kind, []);
}
