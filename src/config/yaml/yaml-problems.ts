import { type ProblemText, quoted } from '../errors/problem.ts';

/** Names of keys that mean something else in JavaScript. */
export const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
export const deepestNesting = 32;
export const aliasBudget = 10_000;

export function controlCharacter(character: string): ProblemText {
  const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    code: 'CONFIG_CONTROL_CHARACTER',
    message: `The control character ${name} is not allowed. Only tabs and line breaks are.`,
    hint: 'delete it, or write an escape in double quotes, such as "\\x1b"',
  };
}

export const problems = {
  tag: {
    code: 'CONFIG_YAML_TAG',
    message: 'This tag is not allowed. Types come from the schema.',
    hint: 'delete the tag; put the value in quotes if it is a string',
  },
  tooDeep: {
    code: 'CONFIG_TOO_DEEP',
    message: `Values are nested deeper than ${deepestNesting} levels, which is the limit.`,
    hint: 'check the indentation and the brackets before this position',
  },
  nullValue: (name: string) => ({
    code: 'CONFIG_NULL_VALUE',
    message: `The key ${quoted(name)} has no value. It could mean "unmanaged" or "none", so it is an error.`,
    hint: 'delete the key, or give it a value; an empty list is []',
  }),
  /** Between brackets, `limit:1` is a key. */
  noSpace: {
    code: 'CONFIG_NULL_VALUE',
    message: 'This is a key without a value, because there is no space after its colon.',
    hint: 'write a space after the colon',
  },
  nullItem: {
    code: 'CONFIG_NULL_VALUE',
    message: 'This list item is empty. Every item needs a value.',
    hint: 'delete the dash, or write a value after it',
  },
  secretKey: (name: string) => ({
    code: 'CONFIG_SECRET_IN_FILE',
    message: `${quoted(name)} is a secret field, and its value is not a reference. Secrets must not be stored in files.`,
    hint: `write ${/^[\w-]+$/.test(name) ? `${name}: ` : ''}\${env:NAME} and nothing else; rotate the secret if it was ever committed`,
  }),
  referenceInKey: {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: 'References are not allowed in keys.',
    hint: 'write the key itself; references work in values only',
  },
  unsafeKey: (name: string) => ({
    code: 'CONFIG_UNSAFE_KEY',
    message: `${quoted(name)} is not allowed as a key, because JavaScript gives it a special meaning.`,
    hint: 'delete the key',
  }),
  keyNotText: (what: string) => ({
    code: 'CONFIG_KEY_NOT_TEXT',
    message: `A key must be a string, but this one is ${what}.`,
    hint: 'write a string as the key, in quotes if needed: "7": value',
  }),
  mergeKey: {
    code: 'CONFIG_MERGE_KEY',
    message: 'The merge key << is not supported. YAML 1.2 does not define it, and tools disagree about it.',
    hint: 'write the fields out, or reuse a complete value with an alias',
  },
  duplicateKey: (name: string, first: { line: number; column: number }, second: { line: number; column: number }) => ({
    code: 'CONFIG_DUPLICATE_KEY',
    message: `The key ${quoted(name)} is used twice in one mapping: at ${first.line}:${first.column} and at ${second.line}:${second.column}.`,
    hint: 'delete one of the two',
  }),
  unknownAlias: (name: string) => ({
    code: 'CONFIG_YAML_SYNTAX',
    message: `The alias *${name} has no anchor &${name} before it.`,
    hint: `write &${name} before the value to reuse, or put a text with a wildcard in quotes: "*${name}"`,
  }),
  recursiveAlias: (name: string) => ({
    code: 'CONFIG_ALIAS_LIMIT',
    message: `The alias *${name} is inside the value that it refers to.`,
    hint: 'replace the alias with the value',
  }),
  aliasBomb: {
    code: 'CONFIG_ALIAS_LIMIT',
    message: `The aliases of this file expand to more than ${aliasBudget} values, which is the limit.`,
    hint: 'use fewer aliases, or write the values out',
  },
  emptyFile: {
    code: 'CONFIG_EMPTY_FILE',
    message: 'The file is empty or has only comments. It could mean "unmanaged" or "none", so it is an error.',
    hint: 'delete the file, or add a section, or to a variable file a variable; an empty section is written []',
  },
  notAMapping: {
    code: 'CONFIG_WRONG_TYPE',
    message: 'A file must be a mapping: of sections, or of names of variables to values.',
    hint: 'start each line with a key and a colon',
  },
} as const satisfies Readonly<Record<string, ProblemText | ((...about: never[]) => ProblemText)>>;
