// Secrets of the environment: those that an apply sends, and values that several tenants share.
import { problems } from '../config/variables/variable-problems.ts';
import { meantVariable, noVariables, openReadability } from '../config/variables/variables.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import { locationText } from '../diagnostics/source-text.ts';
import type { ValidateOptions } from '../engine/options.ts';
import type { VariableUse } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { few } from '../report/wording.ts';
import { variableNames } from '../secrets/credentials.ts';
import { groupBy } from '../values/group-by.ts';
import type { Output } from './output.ts';
import { nameOf, type Target } from './targets.ts';

/** What the files of a tenant use for secrets. */
export interface UsedSecrets {
  readonly target: Target;
  readonly inputs: Pick<ValidateOptions, 'variables'>;
  readonly secretNames: readonly string[];
  readonly uses: readonly VariableUse[];
}

/** With the tenant, an error for each variable whose value it would show, and that another one uses for a secret. */
export function exposedSecrets(tenants: readonly UsedSecrets[]): readonly (readonly [string, Diagnostic])[] {
  // In capitals: some systems ignore the case of names.
  const secrets = new Map<string, string>();
  for (const { target, uses, inputs } of tenants)
    for (const { name, source } of uses.filter(({ isSecret }) => isSecret))
      for (const one of variableNames(name, inputs.variables?.environment)) {
        const place = `${locationText(source)} (tenant ${nameOf(target)})`;
        if (!secrets.has(one.toUpperCase())) secrets.set(one.toUpperCase(), place);
      }
  return tenants.flatMap(({ target, uses, inputs: { variables = noVariables } }) =>
    uses
      .filter(({ isSecret }) => !isSecret)
      .flatMap(({ name: written, source }) => {
        const name = meantVariable(written, variables);
        const secret = secrets.get(name.toUpperCase());
        if (secret === undefined) return [];
        const { code, message, hint } = problems.exposed({ name }, secret);
        return [[nameOf(target), problem(code, message, hint, source)] as const];
      }),
  );
}

/** A warning for each value that is a secret of several tenants, under one name or several: who has it of one has it of all. */
export function sharedSecrets(tenants: readonly UsedSecrets[]): readonly Diagnostic[] {
  const used = tenants.flatMap(({ target, secretNames, inputs: { variables = noVariables } }) =>
    secretNames.flatMap((name) => {
      const variable = meantVariable(name, variables);
      const value = variables.env[variable];
      const [own = name] = variableNames(name, variables.environment);
      return value ? { value, variable, own, tenant: nameOf(target) } : [];
    }),
  );
  return [...groupBy(used, ({ value }) => value).values()].flatMap((group) => {
    const each = (part: 'variable' | 'own' | 'tenant') => few([...new Set(group.map((one) => one[part]))]);
    if (new Set(group.map(({ tenant }) => tenant)).size === 1) return [];
    const message = `The value of ${each('variable')} is a secret of several tenants: ${each('tenant')}.`;
    return warning('SECRET_SHARED', message, `set one for each tenant: ${each('own')}`);
  });
}

/** Secrets of the environment that the files of a tenant may read. Each is redacted in all further output. */
export function secretsFor(
  { variables = noVariables }: Pick<ValidateOptions, 'variables'>,
  { hide }: Pick<Output, 'hide'>,
) {
  const readability = openReadability(variables);
  return (name: string): string | undefined => {
    const secret = readability(name) === 'readable' ? variables.env[meantVariable(name, variables)] : undefined;
    if (secret) hide(secret);
    return secret;
  };
}
