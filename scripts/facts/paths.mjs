// paths.yaml: which kind a path of the API belongs to, or why it has none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const { kinds, unmanaged } = parse(readFileSync(join(import.meta.dirname, 'paths.yaml'), 'utf8'));
const owners = [
  ...Object.entries(kinds).flatMap(([kind, paths]) => paths.map((beginning) => ({ beginning, kind }))),
  ...unmanaged.flatMap(({ why, paths }) => paths.map((beginning) => ({ beginning, why }))),
].sort((a, b) => b.beginning.length - a.beginning.length);

export const beginnings = owners.map(({ beginning }) => beginning);
export const kindNames = Object.keys(kinds);
export const ownerOf = (path) => owners.find(({ beginning }) => `${path}/`.startsWith(`${beginning}/`));

/** The operations of a kind, if each beginning of its paths is that of one. */
export function operationsOfKind(kind, operations) {
  for (const { beginning } of owners.filter((owner) => owner.kind === kind))
    if (!operations.some(({ path }) => ownerOf(path)?.beginning === beginning))
      throw new Error(`no operation of ${kind} begins with ${beginning}`);
  return operations.filter(({ path }) => ownerOf(path)?.kind === kind);
}
