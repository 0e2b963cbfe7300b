// The one walk over a parsed file: tree in, plain values out. It refuses what YAML would let pass.
//
// The walk keeps no places. A file of ten thousand items has a quarter of a million values, and nearly all of their
// places are never needed: `locate` of yaml-file.ts follows a pointer through the tree. So the tree stays in memory as
// long as the desired state.
//
// Aliases are read by walking their target again, so that no two places share an object. The file has a budget of
// values for such walks: ten lines of aliases can name a billion values.
import { type Alias, isAlias, isMap, isScalar, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import { type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import { secretPlaces } from '../../secrets/secret-fields.generated.ts';
import { isSecretField } from '../../secrets/secret-spellings.ts';
import { type ProblemText, type Report, reportedValue } from '../errors/problem.ts';
import { isScalarProblem, readPlainScalar } from './read-plain-scalar.ts';
import { type ParsedPair, pairsOf } from './yaml-file.ts';
import { aliasBudget, deepestNesting, problems, unsafeKeys } from './yaml-problems.ts';

const longestTag = 60;

/** A scalar of a parsed file. */
export type ScalarNode = ParsedNode & { readonly type?: string; readonly value: unknown };

/** Replaces references by their values while a file is read to plain values. Reports its own problems. */
export interface Substitution {
  /** The value of a scalar whose text contains `${`; `reportedValue` after a problem. */
  read(source: SourceText, node: ScalarNode, text: string): unknown;
  /**
   * For the value of a secret field: the text itself if it is exactly one `${env:NAME}`, `reportedValue` if that name
   * is not allowed, undefined for anything else.
   */
  readSecret(source: SourceText, node: ScalarNode, text: string): unknown;
}

/**
 * `written`: the text of each scalar in which a reference was replaced, with the reference. `incomplete`: mappings with a
 * key that is a problem, which may stand for any field that they lack.
 */
export function plainValues(root: ParsedNode, source: SourceText, report: Report, substitution: Substitution | null) {
  const written = new Map<ParsedNode, string>();
  const anchors = new Map<string, ParsedNode>();
  const aliases = new Map<Alias, ParsedNode>();
  const incomplete = new Set<object>();
  const open = new Set<ParsedNode>();
  /** The alias that is read, outside of other aliases. */
  let outer: Alias.Parsed | null = null;
  let budget = aliasBudget;
  /** The keys that lead to a mapping; positions in lists are none. */
  const keys: string[] = [];
  return { value: read(root, 0), aliases, written, incomplete };

  function read(node: ParsedNode, depth: number): unknown {
    if (outer !== null && --budget < 0) return budget < -1 ? reportedValue : refuse(outer, problems.aliasBomb);
    if (isAlias(node)) return readAlias(node, depth);
    if (node.anchor !== undefined && outer === null) anchors.set(node.anchor, node);
    if (node.tag !== undefined) return refuse(node, problems.tag);
    if (isScalar(node)) return readScalar(node);
    if (depth >= deepestNesting) return refuse(node, problems.tooDeep);
    if (node.anchor !== undefined) open.add(node);
    const value = isMap(node) ? readMap(node, depth) : readList(node, depth);
    open.delete(node);
    return value;
  }

  function readScalar(node: ScalarNode): unknown {
    const text = String(node.value);
    if (substitution !== null && text.includes('${')) {
      written.set(node, text);
      return substitution.read(source, node, text);
    }
    if (node.type !== 'PLAIN') return node.value;
    const value = readPlainScalar(text);
    return isScalarProblem(value) ? refuse(node, value) : value;
  }

  function readList(list: YAMLSeq, depth: number): unknown[] {
    // All nodes of a parsed tree have ranges.
    return (list.items as ParsedNode[]).map((node) => read(node, depth + 1) ?? refuse(node, problems.nullItem));
  }

  function readMap(map: YAMLMap, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const pair of map.items as ParsedPair[]) readPair(map, pair, result, depth);
    return result;
  }

  function readPair(
    map: YAMLMap,
    { key, value: valueNode }: ParsedPair,
    result: Record<string, unknown>,
    depth: number,
  ): void {
    if (isAlias(key) || !isScalar(key)) {
      incomplete.add(result);
      refuse(key, problems.keyNotText('a list, a mapping or an alias'));
      return;
    }
    if (key.anchor !== undefined && outer === null) anchors.set(key.anchor, key);
    const name = String(key.value);
    if (unsafeKeys.has(name)) {
      refuse(key, problems.unsafeKey(name));
      return;
    }
    const twice = Object.hasOwn(result, name);
    if (twice) {
      const first = pairsOf(map).get(name)?.key ?? key;
      refuse(key, problems.duplicateKey(name, sourceAt(source, first.range[0]), sourceAt(source, key.range[0])));
    }
    const isSecret = isSecretField(name) || isSecretPlace(keys.join('/'), name);
    const reference = isSecret ? readSecret(valueNode) : undefined;
    if (isSecret && reference === undefined && valueNode !== null) source.hide(valueNode.range[0], valueNode.range[1]);
    // A mapping can be the settings of what the name is about; the schema decides.
    const isExposed = isSecret && reference === undefined && !isMap(valueNode);
    const problem = isExposed ? problems.secretKey(name) : keyProblem(key, name, valueNode);
    if (problem !== null) {
      incomplete.add(result);
      refuse(key, problem);
    }
    keys.push(name);
    const value = reference ?? (valueNode === null || isExposed ? null : read(valueNode, depth + 1));
    keys.pop();
    // A written null can mean "not set"; the schema decides.
    const isWritten = valueNode !== null && (isAlias(valueNode) || (isScalar(valueNode) && valueNode.value !== ''));
    const isMissing = (value ?? null) === null && !isWritten;
    const valid = problem !== null ? reportedValue : isMissing ? refuse(key, problems.nullValue(name)) : value;
    if (!twice) result[name] = valid;
  }

  /** An alias may refer to a value that is shown elsewhere, so only a scalar of the field itself can be a reference. */
  function readSecret(node: ParsedNode | null): unknown {
    if (node === null || !isScalar(node) || node.tag !== undefined) return undefined;
    return substitution?.readSecret(source, node, String(node.value));
  }

  function keyProblem(key: ScalarNode, name: string, value: ParsedNode | null): ProblemText | null {
    if (key.tag !== undefined) return problems.tag;
    if (substitution !== null && name.includes('${')) return problems.referenceInKey;
    if (key.type !== 'PLAIN') return null;
    if (name === '<<') return problems.mergeKey;
    if (value === null && /^[\w-]+:(?!\/\/)\S/.test(name)) return problems.noSpace;
    const plain = readPlainScalar(name);
    if (isScalarProblem(plain)) return plain;
    return typeof plain === 'string' ? null : problems.keyNotText(plain === null ? 'empty' : name);
  }

  function readAlias(alias: Alias.Parsed, depth: number): unknown {
    const target = aliases.get(alias) ?? anchors.get(alias.source);
    if (target === undefined) return refuse(alias, problems.unknownAlias(alias.source));
    if (open.has(target)) return refuse(alias, problems.recursiveAlias(alias.source));
    aliases.set(alias, target);
    if (outer !== null) return read(target, depth);
    outer = alias;
    const value = read(target, depth);
    outer = null;
    return value;
  }

  function refuse(node: ParsedNode, text: ProblemText): typeof reportedValue {
    const start = node.tag === undefined ? node.range[0] : tagStart(node, source);
    report({ ...text, at: { source, start, end: node.range[1] } });
    return reportedValue;
  }
}

function isSecretPlace(path: string, name: string): boolean {
  return secretPlaces.has(`${path}/${name}`) || secretPlaces.has(`${path}/*`);
}

/** A tag is before its node, with nothing but an anchor or white space between. */
function tagStart(node: ParsedNode, source: SourceText): number {
  const found = source.text.lastIndexOf('!', node.range[0]);
  const tag = /!\S*$/.exec(source.text.slice(Math.max(0, found - longestTag), found + 1));
  return tag === null ? node.range[0] : found + 1 - tag[0].length;
}
