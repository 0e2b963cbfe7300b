import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeFolder } from '../files/make-folder.ts';
import { tried } from '../values/tried.ts';

/**
 * Keeps the compiled code of every file that is loaded from now on, in a folder of the user's own: others can write to a shared
 * one. Where the folder cannot be written, V8 compiles each time. A runner of a pipeline would rarely find it again, and what
 * one job writes there must not run in another.
 *
 * `module.enableCompileCache` is not in Node 20, and starts a command on 22 and 24 a fifth later than this.
 *
 * What is kept can `require`, but not `import`, so the build has no other code.
 */
export function keepCompiledCode(): void {
  const { CI: ci, XDG_CACHE_HOME: xdg } = process.env;
  const cache = xdg || join(tried(homedir) ?? '', '.cache');
  // A relative one could be a part of the files of a tenant.
  if (ci || !isAbsolute(cache)) return;
  const folder = join(cache, 'tenant-sync', `${process.version}-${process.arch}`);
  const compiled: { readonly kept: string; readonly source: Buffer; readonly script: Script }[] = [];
  createRequire(import.meta.url).extensions['.cjs'] = (module, file) => {
    const source = readFileSync(file);
    const kept = join(folder, basename(file));
    const cachedData = tried(() => codeIn(readOwn(kept), source));
    const script = new Script(nodeModule.wrap(String(source)), {
      filename: file,
      // As without what is wrapped around the first line.
      columnOffset: -nodeModule.wrap('|').indexOf('|'),
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) compiled.push({ kept, source, script });
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  };
  // At the end, because V8 compiles a function when it is first called.
  process.once('exit', () => {
    for (const { kept, source, script } of compiled) tried(() => keep(kept, source, script.createCachedData()));
  });
}

const checksumLength = 4;

/**
 * A kept file is the text of its module, the code that V8 compiled from it, and a checksum: V8 crashes on damaged code, and
 * takes that of another text of the same length for its own.
 */
function codeIn(file: Buffer, source: Buffer): Buffer | undefined {
  const code = file.subarray(source.length, -checksumLength);
  const isWhole = file.readUInt32BE(file.length - checksumLength) === crc32(code);
  return isWhole && file.subarray(0, source.length).equals(source) ? code : undefined;
}

/** What another user wrote is not run, such as by root with the home of a user. A pipe that nobody writes to is empty. */
function readOwn(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { uid } = fstatSync(file);
    return uid === (process.getuid?.() ?? uid) ? readFileSync(file) : Buffer.alloc(0);
  } finally {
    closeSync(file);
  }
}

function keep(kept: string, source: Buffer, code: Buffer): void {
  const checksum = Buffer.alloc(checksumLength);
  checksum.writeUInt32BE(crc32(code));
  const beside = `${kept}.${process.pid}`;
  makeFolder(dirname(kept));
  try {
    writeFileSync(beside, Buffer.concat([source, code, checksum]), { mode: 0o600 });
    renameSync(beside, kept);
  } finally {
    rmSync(beside, { force: true });
  }
}
