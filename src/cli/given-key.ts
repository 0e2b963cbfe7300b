import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import { readPrivateKey } from '../contract/pem-keys.ts';
import { problem } from '../diagnostics/problem.ts';
import { readRegularText } from '../files/safe-file-access.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Io } from './io.ts';

export const keyNames = { text: 'TENANT_SYNC_PRIVATE_KEY', file: 'TENANT_SYNC_PRIVATE_KEY_FILE' } as const;

/** The private key of the environment, or of the file that it names. */
export interface GivenKey {
  readonly name: string;
  /** Empty if the file cannot be read. */
  readonly pem: string;
  readonly unreadable?: string;
}

/** Null if the environment names no key. */
export async function givenKey({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<GivenKey | null> {
  const { [keyNames.text]: text, [keyNames.file]: file } = env;
  if (text) return { name: keyNames.text, pem: text };
  if (!file) return null;
  const name = keyNames.file;
  return readRegularText(resolve(cwd, file), checkKeyFile).then(
    (pem) => ({ name, pem }),
    ({ code, message }: NodeJS.ErrnoException) => ({ name, pem: '', unreadable: code ?? message }),
  );
}

/** Who may read the file is up to the runner: many write files of secrets that every user of the container can read. */
function checkKeyFile({ size }: Stats): void {
  if (size > 65_536) throw new Error('more than 64 KiB');
}

const fileHint = `set it to the path of a PEM file, or set ${keyNames.text}`;

/** Messages never repeat a value: a key may be in the wrong variable. */
export function keyProblems({ name, pem, unreadable }: GivenKey): Diagnostic[] {
  const file = unreadable && { why: `no such file, or it is not readable (${unreadable})`, hint: fileHint };
  const read = file || readPrivateKey(pem);
  return 'why' in read ? [problem('ENV_INVALID', `${name} cannot be used: ${read.why}.`, read.hint)] : [];
}
