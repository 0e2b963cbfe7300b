import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import { readPrivateKey } from '../contract/pem-keys.ts';
import { problem } from '../diagnostics/problem.ts';
import { readRegularText } from '../files/safe-file-access.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Io } from './io.ts';

export function keyNames(prefix = 'TENANT_SYNC') {
  return { text: `${prefix}_PRIVATE_KEY`, file: `${prefix}_PRIVATE_KEY_FILE` };
}

/** The private key of the environment, or of the file that it names. */
export interface GivenKey {
  readonly name: string;
  /** Empty if the file cannot be read. */
  readonly pem: string;
  readonly unreadable?: string;
}

/** Null if the environment names no key. */
export async function givenKey({ env, cwd }: Pick<Io, 'env' | 'cwd'>, prefix?: string): Promise<GivenKey | null> {
  const names = keyNames(prefix);
  const { [names.text]: text, [names.file]: file } = env;
  if (text) return { name: names.text, pem: text };
  if (!file) return null;
  const name = names.file;
  return readRegularText(resolve(cwd, file), checkKeyFile).then(
    (pem) => ({ name, pem }),
    ({ code, message }: NodeJS.ErrnoException) => ({ name, pem: '', unreadable: code ?? message }),
  );
}

/** Who may read the file is up to the runner: many write files of secrets that every user of the container can read. */
function checkKeyFile({ size }: Stats): void {
  if (size > 65_536) throw new Error('more than 64 KiB');
}

/** Messages never repeat a value: a key may be in the wrong variable. */
export function keyProblems({ name, pem, unreadable }: GivenKey): Diagnostic[] {
  const file = unreadable && {
    why: `no such file, or it is not readable (${unreadable})`,
    hint: `set it to the path of a PEM file, or set ${name.replace(/_FILE$/, '')}`,
  };
  const read = file || readPrivateKey(pem);
  return 'why' in read ? [problem('ENV_INVALID', `${name} cannot be used: ${read.why}.`, read.hint)] : [];
}
