import type { ProblemText } from '../errors/problem.ts';
import type { Reference } from './references.ts';

export function malformed(): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: `This \${ starts no reference; references are \${env:NAME} and \${var:NAME}, and a name has letters, digits and _ only and starts with no digit.`,
    hint: 'write $${ for a literal ${, or correct the reference',
  };
}

export function notResolvedHere(): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: 'A file of variables holds values, and references in it are not resolved.',
    hint: 'write the value, put the reference where the value is used, or write $${ for a literal ${',
  };
}

export function badName(name: string): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: `${JSON.stringify(name)} cannot be the name of a variable: a name has letters, digits and _ only and starts with no digit.`,
    hint: 'rename it',
  };
}

export function notOneValue(name: string): ProblemText {
  return {
    code: 'CONFIG_WRONG_TYPE',
    message: `The variable "${name}" must be text, a number, or true or false: a value cannot bring structure with it.`,
    hint: 'give each value a name of its own',
  };
}

export function forbidden({ name }: Reference): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_FORBIDDEN',
    message: `${name} cannot be referred to: names that start with TENANT_SYNC_ hold the credentials of this program, which go to the tenant alone.`,
    hint: 'give the value to a variable with another name',
  };
}

export function missingEnv({ name }: Reference): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MISSING',
    message: `The environment variable ${name} is not set.`,
    hint: `set ${name} where this command runs, or correct the name`,
  };
}

export function missingVar({ name }: Reference, near: string | undefined): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_MISSING',
    message: `The variable ${name} has no value: neither vars.yaml nor --var-file nor --var names it.`,
    hint:
      near === undefined
        ? `add ${name} to vars.yaml in the tenant folder, or give --var ${name}=value`
        : `did you mean "${near}"?`,
  };
}

export function empty({ from, name, written }: Reference): ProblemText {
  return {
    code: 'CONFIG_VARIABLE_EMPTY',
    message: `The value of ${written} is empty, which is a fault: most often something was not set.`,
    hint:
      from === 'env'
        ? `set ${name} to a value`
        : `give ${name} a value; where nothing shall stand, remove the reference`,
  };
}

export function noValue({ written }: Reference): ProblemText {
  return {
    code: 'CONFIG_NULL_VALUE',
    message: `The text of ${written} means "no value" when it stands without quotes.`,
    hint: `write "${written}" in quotes when you mean text, or give it a value`,
  };
}

/** `secret` is where the same name is used for a secret: `file:line:column`. */
export function exposed({ name }: Reference, secret: string): ProblemText {
  return {
    code: 'CONFIG_SECRET_EXPOSED',
    message: `${name} holds a secret at ${secret}, but here its value would be printed by every plan.`,
    hint: 'use a variable of its own here',
  };
}

export function unusedOption(name: string, near: string | undefined): ProblemText {
  return {
    code: 'OPTION_MATCHES_NOTHING',
    message: `--var ${name}: no file refers to \${var:${name}}.`,
    hint: near === undefined ? 'remove the option, or refer to the variable' : `did you mean "${near}"?`,
  };
}
