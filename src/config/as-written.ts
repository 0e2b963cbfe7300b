import { nodeAt, pointerSegment } from './locate.ts';
import type { YamlFile } from './yaml-file.ts';

/** A value of a file as the file writes it: texts with their references, for messages. What a reference brought must not show. */
export function asWritten(file: YamlFile, pointer: string, value: unknown): unknown {
  if (file.written.size === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => asWritten(file, `${pointer}/${index}`, item));
  if (typeof value !== 'object' || value === null) return file.written.get(nodeAt(file, pointer)) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      asWritten(file, `${pointer}/${pointerSegment(name)}`, member),
    ]),
  );
}
