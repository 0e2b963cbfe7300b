// The parser recurses, and a file can be nested deeper than the stack. Then this finds where it went too deep: tokens come
// one by one, and a list of columns says which mappings and lists are open. Brackets open and close by themselves; in block
// style a key or a dash opens a level at its column, and anything further left closes it.
import { CST, Lexer } from 'yaml';

interface Level {
  readonly column: number;
  readonly type: 'list' | 'map' | 'flow';
}

/** The offset at which nesting first exceeds `limit`; 0 when no such place is found. */
export function findDeepPlace(text: string, limit: number): number {
  const levels: Level[] = [];
  let offset = 0;
  let lineStart = 0;
  let last = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'newline') lineStart = offset + token.length;
    else if (type === 'flow-seq-start' || type === 'flow-map-start') levels.push({ column: -1, type: 'flow' });
    else if (type === 'flow-seq-end' || type === 'flow-map-end') closeFlow(levels);
    else if (type === 'seq-item-ind') openBlock(levels, { column: offset - lineStart, type: 'list' });
    else if (type === 'explicit-key-ind') openBlock(levels, { column: offset - lineStart, type: 'map' });
    else if (type === 'map-value-ind') openBlock(levels, { column: Math.max(0, last - lineStart), type: 'map' });
    if (levels.length > limit) return type === 'map-value-ind' ? last : offset;
    if (isText(type)) last = offset;
    offset += isMarker(type) ? 0 : token.length;
  }
  return 0;
}

function closeFlow(levels: Level[]): void {
  if (levels.at(-1)?.type === 'flow') levels.pop();
}

function openBlock(levels: Level[], level: Level): void {
  if (levels.at(-1)?.type === 'flow') return;
  for (let top = levels.at(-1); top !== undefined && closes(top, level); top = levels.at(-1)) levels.pop();
  const top = levels.at(-1);
  if (top === undefined || top.column !== level.column || top.type !== level.type) levels.push(level);
}

/** A list may stand at the column of the key that it belongs to, so only a key closes a list at its own column. */
function closes(top: Level, next: Level): boolean {
  return top.column > next.column || (top.column === next.column && top.type === 'list' && next.type === 'map');
}

/** The lexer announces a plain text with a marker, so the token itself has no type of its own that is certain. */
function isText(type: string | null): boolean {
  return type === 'scalar' || type === 'single-quoted-scalar' || type === 'double-quoted-scalar';
}

function isMarker(type: string | null): boolean {
  return type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar' || type === 'byte-order-mark';
}
