import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package-file.ts';

const schema = 'schemas/config.schema.json';
const installed = join('node_modules', 'tenant-sync', schema);

/**
 * The first line of a YAML file, without its line end: it leads an editor to the schema. Editors resolve the path from
 * the folder of the file, so it has one `../` for each folder between the file and the folder that has `node_modules`.
 */
export async function schemaComment(file: string): Promise<string> {
  const path = relative(dirname(file), await schemaFor(file));
  return `# yaml-language-server: $schema=${path.split(sep).join('/')}`;
}

/**
 * The schema of the installation that the file's repository uses. A checkout of this package has its own. Without an
 * installation, it is where `npm install` will put it.
 */
async function schemaFor(file: string): Promise<string> {
  const folders = foldersAbove(file);
  const own = fileURLToPath(packageFile(schema));
  const candidates = folders.map((folder) => join(folder, installed));
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return found;
  if (folders.includes(fileURLToPath(packageFile('.')).replace(/[\\/]$/, ''))) return own;
  for (const folder of folders) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, '.git'))) return join(folder, installed);
  }
  return join(dirname(file), installed);
}

/** The folder of a file and every folder above it, the nearest first. */
function foldersAbove(file: string): readonly string[] {
  const folders = [dirname(file)];
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) folders.push(dirname(folder));
  return folders;
}
