import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Io } from './io.ts';

/** The folder for locks and journals: the option, the environment, or the state folder of this system. */
export function stateFolder(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  asked: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = asked ?? env['TENANT_SYNC_STATE_DIR'];
  if (named) return resolve(cwd, named);
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'tenant-sync');
  if (platform === 'win32' && local) return join(local, 'tenant-sync');
  return join(home || homedir(), '.local', 'state', 'tenant-sync');
}
