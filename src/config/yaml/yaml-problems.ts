import type { ProblemText } from '../errors/problem.ts';

export const deepestNesting = 32;
export const aliasBudget = 10_000;
const longestQuoted = 60;

export function tag(text: string): ProblemText {
  return {
    code: 'CONFIG_YAML_TAG',
    message: `The tag ${text} is refused: types come from the schema, not from tags.`,
    hint: 'remove the tag; put the value in quotes if it shall be text',
  };
}

export function tooDeep(): ProblemText {
  return {
    code: 'CONFIG_TOO_DEEP',
    message: `Values are nested more than ${deepestNesting} levels deep; no field needs that.`,
    hint: 'check the indentation and the brackets before this place',
  };
}

function quoted(name: string): string {
  return `"${name.length <= longestQuoted ? name : `${name.slice(0, longestQuoted)}…`}"`;
}

export function nullValue(name: string): ProblemText {
  return {
    code: 'CONFIG_NULL_VALUE',
    message: `${quoted(name)} is a key without a value, which is a fault: it could mean "unmanaged" or "none".`,
    hint: 'leave the key out for unmanaged, or write [] for none',
  };
}

export function nullItem(): ProblemText {
  return {
    code: 'CONFIG_NULL_VALUE',
    message: 'This item of a list is empty; an item must have a value.',
    hint: 'remove the item, or write its value',
  };
}

export function secretKey(name: string): ProblemText {
  return {
    code: 'CONFIG_SECRET_IN_FILE',
    message: `${quoted(name)} holds a secret, and secrets do not belong into files: credentials come from the environment only.`,
    hint: `write \${env:NAME} and nothing else where the field is needed, and change the secret if the file was ever committed`,
  };
}

export function referenceInKey(): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: 'References stand in values only: what a file declares must be readable in the file itself.',
    hint: 'write the key out',
  };
}

export function unsafeKey(name: string): ProblemText {
  return {
    code: 'CONFIG_UNSAFE_KEY',
    message: `${quoted(name)} cannot be a key: it has a meaning of its own in programs.`,
    hint: 'remove it',
  };
}

export function keyNotText(what: string): ProblemText {
  return {
    code: 'CONFIG_KEY_NOT_TEXT',
    message: `A key must be text, but this one is ${what}.`,
    hint: 'write the key out, in quotes if need be',
  };
}

export function mergeKey(): ProblemText {
  return {
    code: 'CONFIG_MERGE_KEY',
    message: 'The merge key << is refused: YAML 1.2 has none, and tools disagree on what it does.',
    hint: 'write the fields out, or repeat a whole value with an alias',
  };
}

export function duplicateKey(
  name: string,
  first: { line: number; column: number },
  second: { line: number; column: number },
): ProblemText {
  return {
    code: 'CONFIG_DUPLICATE_KEY',
    message: `${quoted(name)} stands twice in one mapping: at ${first.line}:${first.column} and at ${second.line}:${second.column}. A key may stand once.`,
    hint: 'keep one of the two',
  };
}

export function unknownAlias(name: string): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `*${name} names no anchor that stands before it.`,
    hint: `write &${name} before the value that is meant`,
  };
}

export function recursiveAlias(name: string): ProblemText {
  return {
    code: 'CONFIG_ALIAS_LIMIT',
    message: `*${name} stands inside the value that it names, which would never end.`,
    hint: 'write the value out',
  };
}

export function aliasBomb(): ProblemText {
  return {
    code: 'CONFIG_ALIAS_LIMIT',
    message: `The aliases of this file repeat more than ${aliasBudget} values, which is the limit.`,
    hint: 'write the values out, or use fewer aliases',
  };
}
