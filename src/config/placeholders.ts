import type { Place, SourceText } from '../diagnostics/source-text.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoizedByObject } from '../values/memoized.ts';
import type { Report } from './errors/problem.ts';
import { locate, type YamlFile } from './yaml/yaml-file.ts';

/** `##KEY##` or `@@KEY@@`, as auth0-deploy-cli and scripts replace them. */
const placeholder = /(##|@@)[A-Za-z_][A-Za-z0-9_.-]*\1/g;

interface Placeholder {
  readonly text: string;
  readonly at: Place;
}

/** Warns about each placeholder that no tool has replaced, in keys and values of the files and in the texts that they name. */
export function checkPlaceholders(files: readonly YamlFile[], texts: Iterable<SourceText>, report: Report): void {
  const inTexts = Array.from(texts, (source) => within(source.text, { source, start: 0, end: source.text.length }));
  for (const { text, at } of [...files.map(inFile), ...inTexts].flat())
    report({
      code: 'CONFIG_PLACEHOLDER',
      severity: 'warning',
      message: `${text} looks like a placeholder of another tool. Nothing replaces it, so it is part of the value.`,
      hint: `write the value, or in a YAML file \${var:${text.slice(2, -2).replaceAll(/\W/g, '_')}}`,
      at,
    });
}

/** Tenants that share a file have the same one. */
const inFile = memoizedByObject((file: YamlFile): readonly Placeholder[] => {
  const mayHave = file.written.size > 0 || file.source.text.search(placeholder) >= 0;
  return mayHave ? [...below(file, file.value, '')] : [];
});

function* below(file: YamlFile, value: unknown, pointer: string): Generator<Placeholder> {
  if (typeof value === 'string') yield* within(value, locate(file, pointer).value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = pointer + jsonPointer(name);
    const { key } = locate(file, at);
    if (key !== null) yield* within(name, key);
    yield* below(file, member, at);
  }
}

/** Each one once, at its first place; at the complete value if the file writes it in another way. */
function within(value: string, at: Place): readonly Placeholder[] {
  const found = [...new Set(value.match(placeholder))];
  return found.map((text) => {
    const index = at.source.text.slice(at.start, at.end).indexOf(text);
    const start = at.start + index;
    return { text, at: index < 0 ? at : { ...at, start, end: start + text.length } };
  });
}
