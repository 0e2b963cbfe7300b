// Files come with a pull request, and whoever writes them chooses where a value is sent or shown. So they read only
// variables that are meant for them: by a prefix, or because the command line allows the name.
import { openCredentialNames, readablePrefix } from '../../secrets/credential-variables.ts';
import { matcherOfAny } from '../../values/selector.ts';
import type { Variables } from './variables.ts';

/** `credential`: not readable, whatever is allowed. */
export type Readability = 'readable' | 'not_allowed' | 'credential';

/** Whether files may read an environment variable, as a value or as a secret. */
export function readabilityOf(name: string, variables: Pick<Variables, 'env' | 'allowEnv'>): Readability {
  return openReadability(variables)(name);
}

/** The same for many names: the environment is searched once. */
export function openReadability({
  env,
  allowEnv = [],
}: Pick<Variables, 'env' | 'allowEnv'>): (name: string) => Readability {
  const isCredential = openCredentialNames(env);
  const isAllowed = matcherOfAny(allowEnv);
  return (name) => {
    if (name.startsWith(readablePrefix)) return 'readable';
    if (isCredential(name)) return 'credential';
    return isAllowed(name) ? 'readable' : 'not_allowed';
  };
}
