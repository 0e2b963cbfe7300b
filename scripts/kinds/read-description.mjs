// One kind.yaml, checked by the schema of descriptions, with the place of each mistake.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { isAlias, isCollection, isMap, isPair, LineCounter, parseDocument } from 'yaml';

const schema = JSON.parse(readFileSync(new URL('description.schema.json', import.meta.url), 'utf8'));
const options = {
  allErrors: true,
  verbose: true,
  strictRequired: false,
  allowUnionTypes: true,
  formats: { regex: isExpression },
};
const isValid = new Ajv2020.default(options).compile(schema);

function isExpression(text) {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * `given` is null if the file cannot be used. `report` adds a mistake: its path in the file, the rule, and what to write.
 *
 *   src/kinds/clients/kind.yaml:12:5: "secrte" is no key here: write one of sides, shape, omitted …
 */
export function readDescription(path, text, mistakes) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const add = (offset, rule, write) => {
    const { line, col } = lines.linePos(offset);
    mistakes.push(`  ${path}:${line}:${col}: ${rule}: ${write}`);
  };
  const report = (at, rule, write) => add(offsetOf(document, at), rule, write);
  for (const { pos, message } of document.errors) add(pos[0], message, 'correct the YAML');
  if (document.errors.length > 0) return { given: null, report };
  const given = document.toJS();
  if (isValid(given)) return { given, report };
  for (const error of deepest(isValid.errors)) report(...mistakeOf(error));
  return { given: null, report };
}

/** Of alternatives, what is wrong in the one that was meant: that a value fits none, or is of the type of none, says less. */
function deepest(errors) {
  const says = ({ keyword }) => !['anyOf', 'type'].includes(keyword);
  const isAbout = (path) => (other) => says(other) && other.instancePath.startsWith(path);
  const told = new Set();
  return errors.filter((error) => {
    const { instancePath, keyword, params } = error;
    const key = `${instancePath} ${keyword} ${JSON.stringify(params)}`;
    const isTold = told.has(key) || (!says(error) && errors.some(isAbout(instancePath)));
    told.add(key);
    return !isTold && keyword !== 'anyOf';
  });
}

function mistakeOf({ instancePath, keyword, params, parentSchema, message }) {
  const at = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = at.at(-1) ?? 'the file';
  switch (keyword) {
    case 'additionalProperties':
      return [
        [...at, params.additionalProperty],
        `"${params.additionalProperty}" is no key here`,
        `write one of ${keysOf(at).join(', ')}`,
      ];
    case 'required':
      return [at, `${name} has no "${params.missingProperty}"`, `add ${params.missingProperty}:`];
    case 'enum':
      return [at, `${name} has another value`, `write one of ${params.allowedValues.map(String).join(', ')}`];
    case 'type':
      return [at, `${name} has the wrong type`, `write ${[params.type].flat().join(' or ')}`];
    default:
      return [at, `${name} ${message}`, parentSchema?.description ?? 'write it as in docs/internals/descriptions.md'];
  }
}

/** The keys that the schema allows at a place. */
function keysOf(at) {
  const partAt = (part, name) => part?.properties?.[name] ?? part?.additionalProperties ?? part?.items ?? {};
  const resolved = (part) => {
    const target = part.$ref ? schema.$defs[part.$ref.split('/').at(-1)] : part;
    return target.anyOf ? (target.anyOf.map(resolved).find((one) => one.properties) ?? target) : target;
  };
  const part = at.reduce((found, name) => resolved(partAt(found, name)), schema);
  return Object.keys(part.properties ?? {});
}

/** Where the path leads, or the nearest that exists. */
function offsetOf(document, at) {
  let node = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const step of at) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const pair = isMap(node)
      ? node.items.find(({ key }) => String(key?.value) === String(step))
      : node.items[Number(step)];
    if (pair === undefined) break;
    offset = (isPair(pair) ? pair.key : pair).range[0];
    node = isPair(pair) ? pair.value : pair;
  }
  return offset;
}
