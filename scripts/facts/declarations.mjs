// All declared types by name. A name within a namespace has its prefix: `Role.Type`.
import { nameOf, parse } from './syntax.mjs';

export function declarationsOf(sources) {
  const types = new Map();
  const enums = new Map();
  for (const source of sources) declare(parse(source), '');

  /** The full name of a type or of an enum that is named in a scope: the innermost one. */
  const find = (table, name, scope) => {
    const local = name.replace(/^Management\./, '');
    for (let outer = scope; ; outer = outer.replace(/[^.]+\.$/, '')) {
      if (table.has(outer + local)) return outer + local;
      if (outer === '') throw new Error(`no declaration of ${name} in ${scope || 'the package'}`);
    }
  };

  return {
    /** A declared type: the full name, the node, and the scope in which the names inside it are looked up. */
    typeOf: (name, scope = '') => {
      const full = find(types, name, scope);
      return { name: full, ...types.get(full) };
    },
    /** The values of `const Type: { readonly A: 'a' }`: an enum is a const and a type of one name. */
    enumOf: (name, scope) => enums.get(find(enums, name, scope)),
    /** `Auth0` of a type that is called `CreateConnectionAuth0`, for the beginning `CreateConnection`. */
    endingsOf: (beginning) =>
      [...types.keys()]
        .filter((name) => name.startsWith(beginning) && name !== beginning && !name.includes('.'))
        .map((name) => name.slice(beginning.length)),
  };

  function declare(statements, scope) {
    for (const statement of statements) {
      const node = statement.declaration ?? statement;
      if (node.type === 'TSModuleDeclaration') declare(node.body.body, `${scope}${nameOf(node.id)}.`);
      else if (node.type === 'VariableDeclaration') for (const { id } of node.declarations) addEnum(id, scope);
      else if (/^TS(Interface|TypeAlias)Declaration$/.test(node.type))
        add(types, scope + node.id.name, { node, scope });
    }
  }

  function addEnum({ name, typeAnnotation }, scope) {
    const members = typeAnnotation?.typeAnnotation.members ?? [];
    const values = members.map((member) => member.typeAnnotation.typeAnnotation.literal.value);
    add(enums, scope + name, values);
  }
}

function add(table, name, declaration) {
  if (table.has(name)) throw new Error(`two declarations of ${name}`);
  table.set(name, declaration);
}

/** The members of an interface after those that it inherits, each with the scope of its own declaration. */
export function membersOf({ node, scope }, declarations) {
  const inherited = node.extends.flatMap(({ expression }) =>
    membersOf(declarations.typeOf(nameOf(expression), scope), declarations),
  );
  return [...inherited, ...node.body.body.map((member) => ({ member, scope }))];
}
