import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script, constants as vm } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * Keeps the compiled code of every file that is loaded from now on, in a folder of the user's own: others can write to a shared
 * one. Where the folder cannot be written, V8 compiles each time. A runner of a pipeline would rarely find it again, and what
 * one job writes there must not run in another.
 *
 * `module.enableCompileCache` is not in Node 20, and starts a command on 22 and 24 a fifth later than this.
 */
export function keepCompiledCode(): void {
  const { CI: ci, XDG_CACHE_HOME: xdg } = process.env;
  const cache = xdg || join(homeFolder(), '.cache');
  // A relative one could be a part of the files of a tenant.
  if (ci || !isAbsolute(cache)) return;
  const folder = join(cache, 'tenant-sync', `${process.version}-${process.arch}`);
  const compiled: { readonly kept: string; readonly source: Buffer; readonly script: Script }[] = [];
  createRequire(import.meta.url).extensions['.cjs'] = (module, file) => {
    const source = readFileSync(file);
    const kept = join(folder, basename(file));
    const cachedData = compiledFrom(source, kept);
    const script = new Script(nodeModule.wrap(String(source)), {
      filename: file,
      // As without what is wrapped around the first line.
      columnOffset: -nodeModule.wrap('|').indexOf('|'),
      importModuleDynamically: vm.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) compiled.push({ kept, source, script });
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  };
  // At the end, because V8 compiles a function when it is first called.
  process.once('exit', () => {
    for (const { kept, source, script } of compiled) keep(kept, source, script.createCachedData());
  });
}

/** '' for a user without one. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

const checksumLength = 4;

/**
 * A kept file is the text of its module, the code that V8 compiled from it, and a checksum: V8 crashes on damaged code, and
 * takes that of another text of the same length for its own.
 */
function compiledFrom(source: Buffer, kept: string): Buffer | undefined {
  try {
    const file = readOwn(kept);
    const code = file.subarray(source.length, -checksumLength);
    const isWhole = file.readUInt32BE(file.length - checksumLength) === crc32(code);
    return isWhole && file.subarray(0, source.length).equals(source) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** What another user wrote is not run, such as by root with the home of a user. */
function readOwn(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const { uid } = fstatSync(file);
    if (uid !== (process.getuid?.() ?? uid)) throw new Error('written by another user');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function keep(kept: string, source: Buffer, code: Buffer): void {
  const checksum = Buffer.alloc(checksumLength);
  checksum.writeUInt32BE(crc32(code));
  const beside = `${kept}.${process.pid}`;
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(beside, Buffer.concat([source, code, checksum]), { mode: 0o600 });
      renameSync(beside, kept);
    } finally {
      rmSync(beside, { force: true });
    }
  } catch {
    // It is compiled again.
  }
}
