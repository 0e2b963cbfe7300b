import { didYouMean } from '../../diagnostics/near-names.ts';
import { readablePrefix, variableNames } from '../../secrets/credentials.ts';
import { thousands } from '../../values/thousands.ts';
import type { ProblemText } from '../errors/problem.ts';
import { mostReferences, type Reference } from './references.ts';
import { nameRule } from './variables.ts';

export const problems = {
  tooMany: {
    code: 'CONFIG_VARIABLE_LIMIT',
    message: `The file has more than ${thousands(mostReferences)} references, which is the limit.`,
    hint: 'split the file: sections of several files are joined; write $${ for a literal ${',
  },
  malformed: {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: `This \${ does not start a reference. References are \${env:NAME} and \${var:NAME}; ${nameRule}.`,
    hint: 'correct the reference, or write $${ for a literal ${',
  },
  notResolvedHere: {
    code: 'CONFIG_VARIABLE_MALFORMED',
    message: 'References are not resolved in variable files.',
    hint: 'write the value itself, or $${ for a literal ${',
  },
  forbidden: ({ name }: Reference) => ({
    code: 'CONFIG_VARIABLE_FORBIDDEN',
    message: `${name} cannot be read. It is a credential of a tenant, by its name, and no option allows it.`,
    hint: `if it is none, rename it to ${readableName(name)} in the environment and here`,
  }),
  notAllowed: ({ name }: Reference) => ({
    code: 'CONFIG_VARIABLE_NOT_ALLOWED',
    message: `${name} may not be read. Files may read environment variables whose names start with ${readablePrefix}, and those that --allow-env allows.`,
    hint: `rename it to ${readableName(name)} in the environment and here, or pass --allow-env ${name}`,
  }),
  missingEnv: ({ name }: Reference, prefix: string | undefined) => ({
    code: 'CONFIG_VARIABLE_MISSING',
    message: `The environment variable ${name} is not set.`,
    hint: `set ${variableNames(name, prefix).join(' or ')} in the environment of this command, or correct the name`,
  }),
  missingVar: ({ name }: Reference, near: string | undefined) => ({
    code: 'CONFIG_VARIABLE_MISSING',
    message: `The variable ${name} is not defined in vars.yaml, --var-file or --var.`,
    hint: didYouMean(near) ?? `add "${name}: value" to vars.yaml in the tenant folder, or pass --var ${name}=value`,
  }),
  empty: ({ from, name, written }: Reference) => ({
    code: 'CONFIG_VARIABLE_EMPTY',
    message: `The value of ${written} is empty. An empty value is an error, because it usually means that something was not set.`,
    hint: from === 'env' ? `set ${name} to a value` : `give ${name} a value, or delete the reference`,
  }),
  /** `secret` is where the same name is used for a secret: `file:line:column`. */
  exposed: ({ name }: Pick<Reference, 'name'>, secret: string) => ({
    code: 'CONFIG_SECRET_EXPOSED',
    message: `${name} is used for a secret at ${secret}, but here its value would be shown in plans.`,
    hint: 'use a separate environment variable here',
  }),
  unusedOption: (name: string, near: string | undefined) => ({
    code: 'OPTION_MATCHES_NOTHING',
    message: `--var ${name}: no file refers to \${var:${name}}.`,
    hint: didYouMean(near) ?? `remove the option, or use \${var:${name}} in a file`,
  }),
} as const satisfies Readonly<Record<string, ProblemText | ((...about: never[]) => ProblemText)>>;

function readableName(name: string): string {
  return readablePrefix + name.replace(/^TENANT_(?:SYNC|VAR)_/i, '');
}
