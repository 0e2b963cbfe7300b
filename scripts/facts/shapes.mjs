// The shape of a type: what it allows, without names of types.
//
//   { type: 'string' | 'number' | 'boolean' | 'any', enum? }
//   { type: 'object', open?, fields }   `open`: there may be other fields, too
//   { type: 'map', of }                 any keys
//   { type: 'union', by, forms }        unions.mjs
//   { type: 'again', of }               a type within itself, by its name
//
// Any shape may be in lists (`array`: how many are around it; `item_null`: an element may be null), and allow `null`, or undefined
// (`absent`). A field is `required` if it is always there.
import { membersOf } from './declarations.mjs';
import { argumentsOf, keyOf, nameOf } from './syntax.mjs';
import { unionOf } from './unions.mjs';

const keywords = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
  TSUndefinedKeyword: 'undefined',
  TSUnknownKeyword: 'any',
  TSAnyKeyword: 'any',
};

/** A function from the syntax tree of a type to its shape; `named` is the same for the name of a declared type. */
export function shapeReader(declarations) {
  /** `around` are the names of the types around this one. */
  const shapeOf = (node, scope = '', around = []) => {
    const inside = (child, childScope = scope) => shapeOf(child, childScope, around);
    if (node.type in keywords) return { type: keywords[node.type] };
    switch (node.type) {
      case 'TSLiteralType':
        return { type: typeof node.literal.value, enum: [node.literal.value] };
      case 'TSArrayType':
        return listOf(inside(node.elementType));
      case 'TSUnionType':
        return unionOf(node.types.map((child) => inside(child)));
      case 'TSTypeLiteral': {
        const members = node.members.map((member) => ({ member, scope }));
        return objectOf(members, inside);
      }
      case 'TSIndexedAccessType': {
        const values = declarations.enumOf(nameOf(node.objectType.exprName), scope);
        return { type: typeof values[0], enum: values };
      }
      case 'TSTypeReference':
        if (nameOf(node) === 'Record') return { type: 'map', of: inside(argumentsOf(node)[1]) };
        return declared(declarations.typeOf(nameOf(node), scope), around);
      default:
        throw new Error(`no shape for ${node.type}`);
    }
  };
  const declared = ({ name, node, scope }, around) => {
    if (around.includes(name)) return { type: 'again', of: name };
    const inside = (child, childScope = scope) => shapeOf(child, childScope, [...around, name]);
    const isAlias = node.type === 'TSTypeAliasDeclaration';
    return isAlias ? inside(node.typeAnnotation) : objectOf(membersOf({ node, scope }, declarations), inside);
  };
  return Object.assign(shapeOf, { named: (name) => declared(declarations.typeOf(name), []) });
}

function listOf({ null: nullable, array = 0, ...element }) {
  return { ...element, array: array + 1, ...(nullable && { item_null: true }) };
}

/** A field of its own replaces an inherited one, which comes first. */
function objectOf(members, inside) {
  const shapeOf = ({ member, scope }) => inside(member.typeAnnotation.typeAnnotation, scope);
  const isIndex = ({ member }) => member.type === 'TSIndexSignature';
  const index = members.find(isIndex);
  const fields = members
    .filter((one) => !isIndex(one))
    .map((one) => {
      const { absent, ...shape } = shapeOf(one);
      return [keyOf(one.member), { ...shape, ...(!one.member.optional && !absent && { required: true }) }];
    });
  if (index !== undefined && fields.length === 0) return { type: 'map', of: shapeOf(index) };
  return { type: 'object', ...(index && { open: true }), fields: Object.fromEntries(fields) };
}
