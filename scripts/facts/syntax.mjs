// Syntax trees, by the parser of rolldown, which is here for the build already. It does not resolve names: declarations.mjs does.
import { parseSync } from 'rolldown/utils';

/** The statements of a source. Its name ends in .js or .d.ts. */
export function parse({ name, text }) {
  const { program, errors } = parseSync(name, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return program.body;
}

/** All nodes of a tree by their type, in the order of the source. */
export function nodesByType(tree, found = {}) {
  if (tree === null || typeof tree !== 'object') return found;
  if (tree.type !== undefined) {
    found[tree.type] ??= [];
    found[tree.type].push(tree);
  }
  for (const value of Object.values(tree)) nodesByType(value, found);
  return found;
}

/** `Management.Role` of a reference to a type, or of an expression. */
export function nameOf(node) {
  if (node.type === 'TSTypeReference') return nameOf(node.typeName);
  if (node.type === 'TSQualifiedName') return `${nameOf(node.left)}.${node.right.name}`;
  if (node.type === 'MemberExpression') return `${nameOf(node.object)}.${node.property.name}`;
  return node.name;
}

/** `from` of `from: string` and of `'from': string`. */
export const keyOf = ({ key }) => key.name ?? String(key.value);

export const argumentsOf = (reference) => reference.typeArguments?.params ?? [];
