// The completion scripts in the shells themselves, with the built command. bash is on every machine; zsh and fish are
// tested where they are installed.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folder } from '../support/temp-folder.ts';

const main = join(import.meta.dirname, '../../dist/cli/main.cjs');

async function repository(): Promise<string> {
  const path = await folder({ 'tenant.yaml': '' });
  await mkdir(join(path, 'bin'));
  await symlink(main, join(path, 'bin/tenant-sync'));
  return path;
}

async function runShell(shell: string, script: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const path = [join(cwd, 'bin'), process.env['PATH']].join(delimiter);
  const { stdout } = await promisify(execFile)(shell, [...(shell === 'fish' ? ['--no-config'] : []), '-c', script], {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    timeout: 30_000,
  });
  return stdout.split('\n').filter((line) => line !== '');
}

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The words of a line as bash splits them for a completion function: = and : are words of their own. */
function splitForBash(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"?|\\.|[^\s=:])+|[=:]+/g) ?? [];
  return line.endsWith(' ') ? [...words, ''] : words;
}

const bash = `
  eval "$(tenant-sync completion bash)"
  complete -p tenant-sync >/dev/null || exit 9
  COMP_LINE=$LINE COMP_POINT=\${#LINE}
  mapfile -t COMP_WORDS <<< "$WORDS"
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _tenant_sync tenant-sync
  ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"
  exit 0
`;

describe('bash', () => {
  test.each([
    ['tenant-sync dr', ['drift']],
    ['tenant-sync plan --print', ['--print-scopes']],
    ['tenant-sync plan --format js', ['json']],
    ['tenant-sync plan --format=js', ['json']],
    ['tenant-sync plan --format=', ['text', 'json', 'markdown', 'html', 'github']],
    ['tenant-sync plan tenant --only ro', ['roles']],
    ['tenant-sync plan tenant --only=ro', ['roles']],
    ['tenant-sync explain GUARD_EMPTIES_I', ['GUARD_EMPTIES_ITEM']],
    ['tenant-sync plan ', []],
    ['tenant-sync apply --plan ', []],
    ['tenant-sync nonsense --x ', []],
  ])('%s', async (line, expected) => {
    const cwd = await repository();
    const words = splitForBash(line).join('\n');
    const found = await runShell('bash', bash, cwd, { LINE: line, WORDS: words });
    expect(found).toEqual(expected);
  });
});

/** For each other shell: a script that prints what it offers for $LINE. */
const others: Readonly<Record<string, string>> = {
  // What a completion function adds, without an editor of lines.
  zsh: `
    compdef() { :; }
    _files() { echo "files $*"; }
    compadd() { local name=\${@[-1]}; print -rl -- "\${(@P)name}"; }
    eval "$(tenant-sync completion zsh)"
    words=("\${(@f)WORDS}")
    CURRENT=$#words
    _tenant_sync
    exit 0
  `,
  fish: `
    tenant-sync completion fish | source
    complete -C "$LINE" | string replace -r '\\t.*' ''
    exit 0
  `,
};

describe.each(Object.keys(others).filter(isInstalled))('%s', (shell) => {
  test.each([
    ['tenant-sync dr', ['drift']],
    ['tenant-sync plan --print', ['--print-scopes']],
    ['tenant-sync plan --format js', ['json']],
    ['tenant-sync plan --format=js', ['--format=json']],
    ['tenant-sync plan tenant --only ro', ['roles']],
    ['tenant-sync explain GUARD_EMPTIES_I', ['GUARD_EMPTIES_ITEM']],
  ])('%s', async (line, expected) => {
    const cwd = await repository();
    const env = { LINE: line, WORDS: line.split(/(?<!\\) /).join('\n') };
    expect(await runShell(shell, others[shell] ?? '', cwd, env)).toEqual(expected);
  });
});
