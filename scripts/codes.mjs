// The table of codes, src/diagnostics/codes.yaml, as the entries that `explain` prints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const path = join(import.meta.dirname, '..', 'src', 'diagnostics', 'codes.yaml');
const { introduction, groups: tables } = parse(readFileSync(path, 'utf8'));

export { introduction };

/** Groups of codes: name, introduction, the type of their codes, and entries as schemas/explanation.schema.json has them. */
export const groups = tables.map(({ group, type = null, text = '', codes }) => ({
  group,
  type,
  text,
  entries: Object.entries(codes).map(([code, row]) => entryOf(code, group, row)),
}));

function entryOf(code, group, { severity = 'error', cause, fix, example, exit, ...others }) {
  const isComplete = [cause, fix].every((text) => typeof text === 'string') && /^(number|string)$/.test(typeof exit);
  if (!isComplete || Object.keys(others).length > 0)
    throw new Error(`${code} in ${path} needs cause, fix and exit, and may have severity and example`);
  return {
    code,
    group,
    severity,
    cause,
    fix: example === undefined ? fix : `${fix}\n\n\`\`\`yaml\n${example}\`\`\``,
    exit_code: typeof exit === 'number' ? `Exit code ${exit}.` : exit,
  };
}
