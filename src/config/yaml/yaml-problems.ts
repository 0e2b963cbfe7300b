import type { ProblemText } from '../errors/problem.ts';
import { quoted } from '../errors/problem.ts';

export const deepestNesting = 32;
export const aliasBudget = 10_000;
export function tag(text: string): ProblemText {
  return {
    code: 'CONFIG_YAML_TAG',
    message: `The tag ${text} is not allowed. Types come from the schema.`,
    hint: 'delete the tag; put the value in quotes if it is a string',
  };
}

export function tooDeep(): ProblemText {
  return {
    code: 'CONFIG_TOO_DEEP',
    message: `Values are nested deeper than ${deepestNesting} levels, which is the limit.`,
    hint: 'check the indentation and the brackets before this position',
  };
}

export function nullValue(name: string): ProblemText {
  return {
    code: 'CONFIG_NULL_VALUE',
    message: `The key ${quoted(name)} has no value. It could mean "unmanaged" or "none", so it is an error.`,
    hint: 'delete the key, or give it a value; an empty list is []',
  };
}

export function nullItem(): ProblemText {
  return {
    code: 'CONFIG_NULL_VALUE',
    message: 'This list item is empty. Every item needs a value.',
    hint: 'delete the dash, or write a value after it',
  };
}

export function secretKey(name: string): ProblemText {
  return {
    code: 'CONFIG_SECRET_IN_FILE',
    message: `${quoted(name)} is a secret field, and its value is not a reference. Secrets must not be stored in files.`,
    hint: `write ${/^[\w-]+$/.test(name) ? `${name}: ` : ''}\${env:NAME} and nothing else; rotate the secret if it was ever committed`,
  };
}

export function referenceInKey(): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: 'References are not allowed in keys.',
    hint: 'write the key itself; references work in values only',
  };
}

export function unsafeKey(name: string): ProblemText {
  return {
    code: 'CONFIG_UNSAFE_KEY',
    message: `${quoted(name)} is not allowed as a key, because JavaScript gives it a special meaning.`,
    hint: 'delete the key',
  };
}

export function keyNotText(what: string): ProblemText {
  return {
    code: 'CONFIG_KEY_NOT_TEXT',
    message: `A key must be a string, but this one is ${what}.`,
    hint: 'write a string as the key, in quotes if needed: "7": value',
  };
}

export function mergeKey(): ProblemText {
  return {
    code: 'CONFIG_MERGE_KEY',
    message: 'The merge key << is not supported. YAML 1.2 does not define it, and tools disagree about it.',
    hint: 'write the fields out, or reuse a complete value with an alias',
  };
}

export function duplicateKey(
  name: string,
  first: { line: number; column: number },
  second: { line: number; column: number },
): ProblemText {
  return {
    code: 'CONFIG_DUPLICATE_KEY',
    message: `The key ${quoted(name)} is used twice in one mapping: at ${first.line}:${first.column} and at ${second.line}:${second.column}.`,
    hint: 'delete one of the two',
  };
}

export function unknownAlias(name: string): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `The alias *${name} has no anchor &${name} before it.`,
    hint: `write &${name} before the value to reuse, or put a text with a wildcard in quotes: "*${name}"`,
  };
}

export function recursiveAlias(name: string): ProblemText {
  return {
    code: 'CONFIG_ALIAS_LIMIT',
    message: `The alias *${name} is inside the value that it refers to.`,
    hint: 'replace the alias with the value',
  };
}

export function aliasBomb(): ProblemText {
  return {
    code: 'CONFIG_ALIAS_LIMIT',
    message: `The aliases of this file expand to more than ${aliasBudget} values, which is the limit.`,
    hint: 'use fewer aliases, or write the values out',
  };
}
