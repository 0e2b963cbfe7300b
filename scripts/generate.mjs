// From the descriptions of kinds and the hand-written schemas to everything that follows from them:
//
//   src/kinds/<kind>/kind.yaml and facts.json      ->  schemas/<kind>.schema.json, its description as a value (scripts/kinds)
//   schemas/<resource>.schema.json (x-kind)        ->  schemas/kinds|undeclared|config|seed.schema.json
//   src/diagnostics/codes.yaml                     ->  types of codes, and what `explain` prints
//   the folders of kinds                           ->  lists of kinds and of what the embedded tenant serves (scripts/kinds/registry.mjs)
//   every schema                                   ->  TypeScript types and compiled validators
//   the marks of a kind's declared fields          ->  the same as a value (scripts/declared-fields.mjs)
//   src/report/html/page.css                       ->  style of the HTML report, as a module
//
// A `$ref` to another schema becomes an import of the type that is generated from it: every type is written once. Titles are
// written for people; without blanks they are the names of types.
//
// A definition with x-read is read from the service: it gets two more validators, which are derived from it in
// scripts/read-schemas.mjs (docs/internals/adr/0020-tolerant-reading.md).
//
// Validators are compiled ahead of time so that a command starts without loading a schema compiler. `--check` fails
// when a committed file is stale and does not touch it. `--compiled-only` writes only the validators, the texts of `explain`, and
// the script and style of the report, which are build output.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import { compile } from 'json-schema-to-typescript';
import { groups } from './codes.mjs';
import { declaredFields, secretsOf } from './declared-fields.mjs';
import { describedKinds, descriptionModule, fieldsCode, headModule, publishedSchema } from './kinds/index.mjs';
import { hasIndex, inOrder, kindsModule, tenantModule } from './kinds/registry.mjs';
import { pageAssets } from './page-assets.mjs';
import { exactSchema, tolerantSchema } from './read-schemas.mjs';
import { isObject, mapSchemas, mapValues } from './schema-walk.mjs';

const root = join(import.meta.dirname, '..');
const schemaFolder = join(root, 'schemas');
const checkOnly = process.argv.includes('--check');
const compiledOnly = process.argv.includes('--compiled-only');
const composed = ['kinds', 'undeclared', 'config', 'seed'];
const draft = 'https://json-schema.org/draft/2020-12/schema';

/** What each value of a kind's `x-undeclared` means; the first one is the default. */
const undeclaredTexts = {
  delete: 'They are deleted.',
  report: 'They are kept: a note in plans, a difference in drift, and pull adds them to the files.',
  ignore: 'They are kept, and not reported.',
};

const outputs = new Map();
const described = new Map(describedKinds(root).map((kind) => [kind.file, kind]));
const schemas = await readSchemas();
const resources = [...schemas]
  .filter(([, schema]) => schema['x-kind'] || schema['x-operations'])
  .map(([name]) => ({ file: name, name: name.replaceAll('-', '_') }));
const registered = resources.filter(({ file }) => described.has(file) || hasIndex(root, file));
composeSchemas();
const ajv = makeAjv();
const firstErrorAjv = makeAjv(undefined, { allErrors: false });
for (const [name, schema] of schemas) await generateModules(name, schema);
const folders = inOrder(
  root,
  registered.map(({ file }) => file),
);
outputs.set(
  'src/kinds/registry.generated.ts',
  kindsModule(root, folders, (folder) => described.has(folder)),
);
const all = resources.map(({ file }) => file);
outputs.set('src/embedded-tenant/kinds/registry.generated.ts', tenantModule(root, all));
outputs.set('src/model/codes.generated.ts', codeTypes());
outputs.set('src/secrets/secret-fields.generated.ts', secretFields());
outputs.set('src/diagnostics/explanations.generated.ts', explanations());
outputs.set('src/report/html/assets.generated.ts', await pageAssets());
await finish();

/** Those that are written by hand, and those of described kinds. */
async function readSchemas() {
  const files = (await readdir(schemaFolder)).map((file) => file.replace('.schema.json', ''));
  const names = [...new Set([...files, ...described.keys()])].filter((name) => !composed.includes(name)).sort();
  const read = async (name) => {
    const file = `schemas/${name}.schema.json`;
    const kind = described.get(name);
    if (kind === undefined) return JSON.parse(await readFile(join(root, file), 'utf8'));
    const schema = publishedSchema(kind);
    outputs.set(file, `${JSON.stringify(schema, null, 2)}\n`);
    return schema;
  };
  return new Map(await Promise.all(names.map(async (name) => [name, withoutOverviews(await read(name))])));
}

/**
 * A choice by a discriminator has its values twice: in its branches, which decide, and once under `properties`, with a
 * description of each, because editors complete and explain only what one branch lists. Only editors read the second.
 */
function withoutOverviews(schema) {
  return mapSchemas(schema, ({ properties, ...rest }) =>
    rest.discriminator === undefined && properties !== undefined ? { ...rest, properties } : rest,
  );
}

function composeSchemas() {
  const ref = (kind, fragment = '') => ({ $ref: `${kind.file}.schema.json${fragment}` });
  compose('kinds', {
    title: 'Kind name',
    description: 'The kinds of resources.',
    type: 'string',
    enum: registered.map((kind) => kind.name),
    enumDescriptions: registered.map((kind) => schemas.get(kind.file).description),
  });
  compose('undeclared', {
    title: 'Undeclared items',
    description:
      'What happens to live items that a section does not list, by kind. Parts of declared items, such as permissions, are always an exact set.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(registered.map((kind) => [kind.name, undeclaredSetting(kind)])),
    examples: [{ event_streams: 'report' }],
  });
  compose('config', {
    title: 'Config file',
    description: 'One file of a tenant folder. An absent key is unmanaged, a present one is the complete truth.',
    type: 'object',
    additionalProperties: false,
    properties: {
      tenant: { $ref: 'tenant.schema.json' },
      ...Object.fromEntries(registered.map((kind) => [kind.name, ref(kind)])),
    },
  });
  compose('seed', {
    title: 'Seed',
    description: 'State of the embedded tenant: its seed and its state file. Every section is optional.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(registered.map((resource) => [resource.name, ref(resource, '#/$defs/seed')])),
      clients: {
        description: 'Applications. One with scopes is short for a client that gets tokens with them for this service.',
        type: 'array',
        items: {
          anyOf: [{ $ref: 'credentials.schema.json#/items' }, { $ref: 'clients.schema.json#/$defs/seed/items' }],
        },
      },
    },
  });
}

function undeclaredSetting({ file, name }) {
  const values = schemas.get(file)['x-undeclared'];
  if (values?.every((value) => value in undeclaredTexts) !== true)
    throw new Error(`${file} needs an x-undeclared: a list of ${Object.keys(undeclaredTexts)}, the default first`);
  const words = name.replaceAll('_', ' ');
  return {
    title: `Undeclared ${words}`,
    description: `What happens to ${words} on the tenant that the files do not list. Default: ${values[0]}.`,
    type: 'string',
    enum: values,
    default: values[0],
    enumDescriptions: values.map((value) => undeclaredTexts[value]),
  };
}

function compose(name, schema) {
  const whole = { $schema: draft, $id: `${name}.schema.json`, $comment: 'Generated by npm run generate.', ...schema };
  schemas.set(name, whole);
  outputs.set(`schemas/${name}.schema.json`, `${JSON.stringify(whole, null, 2)}\n`);
}

/**
 * A copy for the validators of this tool: they check an x-format by its function, which can refuse more than a pattern, and
 * names the rule in messages. The pattern beside it is for any other validator, and for files before their variables are
 * substituted.
 */
function withFormats(schema) {
  return mapSchemas(schema, ({ 'x-format': format, pattern, ...rest }) => ({
    ...rest,
    ...(format === undefined ? pattern !== undefined && { pattern } : { format }),
  }));
}

function makeAjv(published = [...schemas.values()], { allErrors = true } = {}) {
  const given = published.map(withFormats);
  const ajv = new Ajv2020.default({
    schemas: given,
    strict: true,
    strictTypes: true,
    strictRequired: false,
    strictTuples: true,
    allowUnionTypes: true,
    allErrors,
    discriminator: true,
    messages: false,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  const marks = [
    'x-kind',
    'x-operations',
    'x-undeclared',
    'x-validator',
    'x-read',
    'x-id',
    'x-secret',
    'x-identity',
    'x-summary',
    'x-list',
    'x-patch',
    'x-hint',
    'x-open',
    'tsType',
    'enumDescriptions',
    'markdownDescription',
    'deprecationMessage',
    'patternErrorMessage',
    'doNotSuggest',
  ];
  ajv.addVocabulary(marks);
  // Only the names matter here: the compiled code calls the functions of src/contract/formats.ts.
  for (const format of formatNames(given)) ajv.addFormat(format, () => true);
  return ajv;
}

function formatNames(schemas) {
  const names = new Set();
  for (const schema of schemas)
    mapSchemas(schema, (part) => {
      if (typeof part.format === 'string') names.add(part.format);
      return part;
    });
  return names;
}

async function generateModules(name, schema) {
  const resource = resources.find((candidate) => candidate.file === name);
  const folder = resource ? `src/service/${name}` : null;
  // Nobody has a complete file, or a name of a kind, as a type.
  if (!['config', 'kinds'].includes(name)) outputs.set(typesFile(name), await typesOf(name, schema));
  const kind = described.get(name);
  if (kind !== undefined) outputs.set(`${folder}/description.generated.ts`, descriptionModule(kind, schema));
  if (kind !== undefined) outputs.set(`${folder}/head.generated.ts`, headModule(kind));
  const fields = kind === undefined ? declaredFields(schema) : null;
  if (fields !== null) outputs.set(`${folder}/fields.generated.ts`, fieldsModule(name, fields));
  // Saved documents, traffic and the parts of files are validated: the header and each section by itself, with its items. A seed
  // is validated by its sections, and the rest is only written.
  if (['kinds', 'undeclared', 'config', 'item', 'explanation', 'pull', 'seed'].includes(name)) return;
  if (schema['x-kind'])
    outputs.set(`${folder}/section-validators.generated.ts`, validatorsOf({ validateSection: schema.$id }, resource));
  const exports = resource ? {} : { [camel(name, 'validate')]: schema.$id };
  for (const [definition] of Object.entries(schema.$defs ?? {}).filter(([, text]) => text['x-validator'])) {
    exports[camel(definition, 'validate')] = `${schema.$id}#/$defs/${definition}`;
  }
  const { validateSeed, ...others } = exports;
  const code = folder === null ? `src/contract/${name}` : `${folder}/validators`;
  // Of a saved document, the first error is enough.
  const compiler = ['diagnostics', 'journal', 'outcomes', 'plan'].includes(name) ? firstErrorAjv : ajv;
  if (Object.keys(others).length > 0) outputs.set(`${code}.generated.ts`, validatorsOf(others, resource, compiler));
  if (folder !== null && Object.keys(others).length > 0)
    outputs.set(`${folder}/shapes.generated.ts`, shapesModule(name, schema, Object.keys(others)));
  // Only the embedded tenant loads these.
  if (validateSeed !== undefined)
    outputs.set(`${folder}/seed-validators.generated.ts`, validatorsOf({ validateSeed }, resource));
  const read = Object.entries(schema.$defs ?? {}).filter(([, definition]) => definition['x-read']);
  if (read.length === 0) return;
  // Reading stops at the first error, and names every field that is not as described.
  outputs.set(
    `${folder}/tolerant-validators.generated.ts`,
    readValidators('tolerant', schema, read, { allErrors: false }),
  );
  outputs.set(`${folder}/exact-validators.generated.ts`, readValidators('exact', schema, read, { allErrors: true }));
}

function readValidators(prefix, schema, definitions, options) {
  const derive = prefix === 'exact' ? exactSchema : tolerantSchema;
  const derived = definitions.map(([name, definition]) => ({
    name: camel(name, prefix),
    schema: { $id: `${prefix}/${schema.$id}/${name}`, ...derive(definition, schema) },
  }));
  const compiler = makeAjv(
    derived.map((one) => one.schema),
    options,
  );
  return validatorsOf(Object.fromEntries(derived.map((one) => [one.name, one.schema.$id])), true, compiler);
}

function typesFile(name) {
  const isResource = resources.some((resource) => resource.file === name);
  return isResource ? `src/service/${name}/types.generated.ts` : `src/model/${name}.generated.ts`;
}

async function typesOf(name, schema) {
  const imports = new Map();
  const { $defs, ...section } = withImports(schema, name, imports);
  // The compiler leaves out definitions that a root of type array does not reach, so the root becomes one of them.
  const whole =
    schema.type === 'array' || schema.type === undefined
      ? {
          $id: schema.$id,
          title: 'Definitions',
          type: 'object',
          additionalProperties: false,
          $defs: schema.type === undefined ? $defs : { ...$defs, section },
        }
      : { ...section, $defs };
  const text = await compile(whole, typeName(whole.title), {
    cwd: `${schemaFolder}/`,
    bannerComment: '',
    unreachableDefinitions: true,
    additionalProperties: true,
    // A list is a list in types; how long it may be is for the validator to say.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  const types = text
    .replace(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export interface Definitions \{\}\n/, '')
    // What the compiler adds to a description says nothing that the type itself does not.
    .replace(/( \*\n)? \* This interface was referenced by (?:(?!\*\/)[\s\S])*?(?= \*\/)/g, '')
    .replace(/^\/\*\*\n \*\/\n/gm, '')
    // A definition that is a reference and nothing else.
    .replace(/^export type (\w+) = \1;$/gm, 'export type { $1 };');
  // Names of members have no type.
  const used = [...imports].map(([file, names]) => [file, [...names].filter((one) => types.includes(one))]);
  const lines = used.map(([file, names]) =>
    names.length === 0 ? '' : `import type { ${[...names].sort().join(', ')} } from '${relativeModule(name, file)}';\n`,
  );
  const banner = `// Generated from schemas/${name}.schema.json by npm run generate.\n`;
  return [banner, lines.sort().join(''), types.trimStart()].filter((part) => part !== '').join('\n');
}

function fieldsModule(name, fields) {
  return [
    `// Generated from schemas/${name}.schema.json by npm run generate.`,
    "import type { Fields } from '../../model/field.ts';",
    '',
    `export const fields: Fields = ${JSON.stringify(fields, null, 2)};`,
    '',
  ].join('\n');
}

/** The compiled definitions of a resource, each with its type: what the rows of its operations name. */
function shapesModule(name, schema, validators) {
  const compiled = Object.entries(schema.$defs).filter(([key]) => validators.includes(camel(key, 'validate')));
  const isRead = (definition) => definition['x-read'] !== undefined;
  const typeOf = (definition) => (definition.title === undefined ? 'unknown' : typeName(definition.title));
  const rows = compiled.map(([key, definition]) => {
    const type = typeOf(definition);
    const given = [`'${schema.$id}#/$defs/${key}'`, camel(key, 'validate')];
    if (!isRead(definition)) return `  ${memberName(key)}: shape<${type}>(${given.join(', ')}),`;
    const readers = `{ exact: ${camel(key, 'exact')}, tolerant: ${camel(key, 'tolerant')} }`;
    return `  ${memberName(key)}: readShape<${type}>(${[...given, readers].join(', ')}),`;
  });
  const section = schema['x-kind'] ? [`  section: shape<unknown>('${schema.$id}', validateSection),`] : [];
  const importOf = (names, file) => `import { ${[...names].sort().join(', ')} } from '${file}';`;
  const read = compiled.filter(([, definition]) => isRead(definition)).map(([key]) => key);
  const types = new Set(compiled.map(([, definition]) => typeOf(definition)).filter((type) => type !== 'unknown'));
  return [
    `// Generated from schemas/${name}.schema.json by npm run generate.`,
    importOf(read.length > 0 ? ['readShape', 'shape'] : ['shape'], '../../contract/shape.ts'),
    ...(read.length > 0
      ? ['exact', 'tolerant'].map((kind) =>
          importOf(
            read.map((key) => camel(key, kind)),
            `./${kind}-validators.generated.ts`,
          ),
        )
      : []),
    ...(schema['x-kind'] ? [importOf(['validateSection'], './section-validators.generated.ts')] : []),
    importOf([...types], './types.generated.ts').replace('import {', 'import type {'),
    importOf(
      compiled.map(([key]) => camel(key, 'validate')),
      './validators.generated.ts',
    ),
    '',
    'export const shapes = {',
    ...section,
    ...rows,
    '};',
    '',
  ].join('\n');
}

function memberName(definition) {
  return definition.replaceAll(/_(\w)/g, (_whole, letter) => letter.toUpperCase());
}

/** A copy of a schema with a type name in the place of each reference to another file; collects the names by file. */
function withImports(schema, name, imports) {
  return mapSchemas(schema, (part) => withImport(part, name, imports));
}

function withImport(part, name, imports) {
  // Conditions and defaults add nothing to a type.
  const { $ref, if: _condition, default: _default, allOf, ...copy } = part;
  const all = allOf?.filter((one) => one.then === undefined) ?? [];
  if (all.length > 0) copy.allOf = all;
  if (isObject(copy.properties)) copy.properties = mapValues(copy.properties, unnamed);
  if (isObject(copy.additionalProperties)) copy.additionalProperties = unnamed(copy.additionalProperties);
  // The types of codes have the codes of this version; a document of a later one may have others.
  const title = typeName(copy.title ?? '');
  if (groups.some(({ type }) => type === title)) return { ...copy, tsType: importType(imports, 'codes', title) };
  if (typeof $ref !== 'string') return copy;
  // With a text of its own it would be another type.
  if ($ref.startsWith('#')) return { $ref };
  const [file, fragment = ''] = $ref.split('#');
  const other = file.replace('.schema.json', '');
  const target = pointed(schemas.get(other), fragment);
  if (target?.title === undefined) throw new Error(`${$ref} in ${name} needs a target with a title: it names the type`);
  return { ...copy, tsType: importType(imports, other, typeName(target.title)) };
}

function importType(imports, name, type) {
  imports.set(name, (imports.get(name) ?? new Set()).add(type));
  return type;
}

/** The name of a type: a title without its blanks. */
function typeName(title) {
  return title.replaceAll(/(?:^|\s+)(\w)/g, (_match, letter) => letter.toUpperCase());
}

/** A member without the title that would name its type, unless it is an object. */
function unnamed({ title, ...schema }) {
  const isNamed = title !== undefined && (schema.properties !== undefined || schema.oneOf !== undefined);
  return isNamed ? { title, ...schema } : schema;
}

function pointed(schema, fragment) {
  const target = fragment
    .split('/')
    .slice(1)
    .reduce((part, step) => part?.[step], schema);
  const own = target?.$ref;
  return own?.startsWith('#') ? pointed(schema, own.slice(1)) : target;
}

function relativeModule(from, to) {
  const path = posix.relative(posix.dirname(typesFile(from)), typesFile(to));
  return path.startsWith('.') ? path : `./${path}`;
}

/** Secrets of every kind, by their marks. */
function secretFields() {
  const resourceFields = ({ id, fields, resources }) => ({
    ...(id && { [id.field]: {} }),
    ...fieldsCode(fields),
    ...mapValues(resources, (resource) => ({ fields: resourceFields(resource) })),
  });
  const fieldsOf = (name, schema) =>
    described.has(name) ? resourceFields(described.get(name)) : (declaredFields(schema) ?? {});
  const marked = [...schemas].map(([name, schema]) => [name.replaceAll('-', '_'), fieldsOf(name, schema)]);
  const { names, places } = secretsOf(Object.fromEntries(marked));
  return [
    '// Generated from the marks in schemas/ by npm run generate.',
    '',
    `export const markedFields: readonly string[] = ${JSON.stringify(names)};`,
    '',
    '/** Secrets with names that others have as well, by the keys that lead to them; `*` is any key of a map. */',
    `export const secretPlaces: ReadonlySet<string> = new Set(${JSON.stringify(places)});`,
    '',
  ].join('\n');
}

/** The codes of each type, as a union. */
function codeTypes() {
  const names = [...new Set(groups.flatMap(({ type }) => type ?? []))];
  const unions = names.map((name) => {
    const codes = groups.filter(({ type }) => type === name).flatMap(({ entries }) => entries.map(({ code }) => code));
    return `\nexport type ${name} =${codes.map((code) => `\n  | '${code}'`).join('')};\n`;
  });
  return `// Generated from src/diagnostics/codes.yaml by npm run generate.\n${unions.join('')}`;
}

function explanations() {
  const entries = groups.flatMap((group) => group.entries);
  return [
    '// Generated from src/diagnostics/codes.yaml by npm run generate.',
    "import type { Explanation } from '../model/explanation.generated.ts';",
    '',
    `export const explanations: readonly Explanation[] = ${JSON.stringify(entries, null, 2)};`,
    '',
  ].join('\n');
}

function validatorsOf(exports, resource, compiler = ajv) {
  // The compiled code asks for one helper of the schema compiler, which is not there when a command runs.
  const code = standalone
    .default(compiler, exports)
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePointLength')
    // Joining two lists for each item of a long list would take quadratic time.
    .replaceAll(
      /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\);/g,
      'if (vErrors === null) vErrors = $1.errors; else for (const error of $1.errors) vErrors.push(error);',
    );
  if (code.includes('require('))
    throw new Error('the compiled validators need more of the schema compiler than they are given');
  const contract = resource ? '../../contract' : '.';
  return [
    '// @ts-nocheck',
    '// Compiled from the schemas by npm run generate. Cast to a type by whoever names one of these in an operation row.',
    `import { codePointLength } from '${contract}/code-point-length.ts';`,
    `import { formats } from '${contract}/formats.ts';`,
    code,
    '',
  ].join('\n');
}

function camel(name, prefix) {
  return prefix + name.replaceAll(/(^|[-_])(\w)/g, (_whole, _separator, letter) => letter.toUpperCase());
}

async function finish() {
  const stale = [];
  const isBuildOutput = (file) =>
    /(validators|assets|explanations)\.generated\.ts$/.test(file) || file.startsWith('src/contract/');
  for (const [file, text] of outputs) {
    const path = join(root, file);
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
    const committed = !isBuildOutput(file);
    if (compiledOnly && committed) continue;
    stale.push(file);
    if (checkOnly && committed) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const staleCommitted = stale.filter((file) => !isBuildOutput(file));
  if (!checkOnly) console.log(`${outputs.size} generated files, ${stale.length} written`);
  else if (staleCommitted.length > 0) {
    console.error(`stale generated files, run npm run generate:\n  ${staleCommitted.join('\n  ')}`);
    process.exitCode = 1;
  }
}
