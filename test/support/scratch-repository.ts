import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folder } from './temp-folder.ts';

export type Files = Readonly<Record<string, string | Uint8Array | null>>;

export interface ScratchRepository {
  readonly path: string;
  /** For commands: where git is, and no settings of this machine. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): string;
  /** Writes files; null removes one. */
  write(files: Files): Promise<void>;
  /** Writes files and commits everything. Returns the commit. */
  commit(files: Files): Promise<string>;
}

/** A git repository of its own with one commit on the branch main; removed after the test. */
export async function scratchRepository(files: Files): Promise<ScratchRepository> {
  return repositoryAt(await folder({}), files);
}

async function repositoryAt(path: string, files: Files): Promise<ScratchRepository> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: path, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@acme.example', ...args], {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const write = async (changed: Files) => {
    for (const [file, content] of Object.entries(changed)) {
      const target = join(path, file);
      await mkdir(dirname(target), { recursive: true });
      if (content === null) await rm(target);
      else await writeFile(target, content, { mode: 0o644 });
    }
  };
  const repository: ScratchRepository = {
    path,
    env,
    git,
    write,
    async commit(changed) {
      await write(changed);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
  git('init', '--quiet', '--initial-branch=main');
  await repository.commit(files);
  return repository;
}
