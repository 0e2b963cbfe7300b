// One value in many layouts, and random edits of it. All choices come from a seed.
import { isPlainText, literalBlock, quotedText } from '../../src/edit/scalar-text.ts';
import {
  isList,
  isScalarValue,
  ReferenceText,
  textOfWritten,
  type WrittenMapping,
  type WrittenScalar,
  type WrittenValue,
  withoutReferences,
} from '../../src/edit/written-value.ts';
import { jsonPointer } from '../../src/values/json-pointer.ts';
import type { Edit } from './edits.ts';

export interface Random {
  /** True once in `times`. */
  once(times: number): boolean;
  /** Below the limit. */
  number(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const number = (limit: number) => Math.floor(next() * limit);
  return { number, once: (times) => number(times) === 0, pick: (values) => values[number(values.length)] as never };
}

/** A file with the value, in a layout that no printer would choose. */
export function randomLayout(value: WrittenMapping, seed: number): string {
  const random = randomFrom(seed);
  const indent = 1 + random.number(4);
  const listIndent = random.number(4);
  const dash = '-'.padEnd(2 + random.number(3));
  const withComments = 2 + random.number(6);
  const withFlow = 2 + random.number(4);
  const withAnchors = random.once(2);
  const anchors = new Map<string, string>();
  let comments = 0;
  /** Lines that are indented more would belong to the text before them. */
  let isAfterText = false;
  const comment = () => `# c${++comments} - a: [`;
  const trailing = () => (random.once(withComments) ? ` ${comment()}` : '');

  const body = blockMembers(value, 0);
  const start = [
    ...(random.once(3) ? ['# about the file', ...(random.once(2) ? [''] : [])] : []),
    ...(random.once(4) ? [`---${trailing()}`] : []),
  ];
  const end = [...(random.once(4) ? ['', '# the end'] : []), ...(random.once(8) ? ['...'] : [])];
  const lineEnd = random.once(4) ? '\r\n' : '\n';
  const text = [...start, ...body, ...end].join(lineEnd);
  return (random.once(6) ? '\ufeff' : '') + text + (random.once(4) ? '' : lineEnd);

  function around(column: number): string[] {
    const lines: string[] = [];
    if (random.once(4)) lines.push('');
    if (random.once(3 * withComments))
      lines.push(' '.repeat(column + (isAfterText ? 0 : random.number(3))) + comment(), '');
    for (; random.once(withComments); ) lines.push(' '.repeat(column) + comment());
    return lines;
  }

  function blockMembers(collection: WrittenValue, column: number): string[] {
    const space = ' '.repeat(column);
    const lines: string[] = [];
    for (const [name, member] of membersOf(collection)) {
      lines.push(...around(column));
      if (isList(collection)) lines.push(...item(member, column));
      else if (random.once(12)) lines.push(`${space}? ${keyText(name, false)}`, ...pair(`${space}:`, member, column));
      else lines.push(...pair(`${space}${keyText(name, false)}:`, member, column));
    }
    return lines;
  }

  function pair(start: string, member: WrittenValue, column: number): string[] {
    const { head, below } = textOfMember(member, column + indent, column + (isList(member) ? listIndent : indent));
    return [`${start}${head === '' ? '' : ` ${head}`}`, ...below].map((line, index) =>
      index === 0 && (below.length === 0 || !isScalarValue(member)) ? line + trailing() : line,
    );
  }

  function item(member: WrittenValue, column: number): string[] {
    const below = column + dash.length;
    const { head, below: lines } = textOfMember(member, below, below);
    const start = ' '.repeat(column) + dash;
    if (head !== '') return [start + head + (lines.length === 0 ? trailing() : ''), ...lines];
    const [first = '', ...others] = lines;
    const isCompact = !first.trimStart().startsWith('#') && first.trim() !== '' && random.number(4) > 0;
    return isCompact ? [start + first.slice(below), ...others] : [start.trimEnd() + trailing(), ...lines];
  }

  function textOfMember(member: WrittenValue, textColumn: number, column: number): { head: string; below: string[] } {
    const shared = anchorOf(member);
    if (shared.startsWith('*')) return { head: shared, below: [] };
    const prefix = shared === '' ? '' : `${shared} `;
    const isEmpty = !isScalarValue(member) && membersOf(member).length === 0;
    if (isScalarValue(member)) {
      const { head, below } = scalar(member, textColumn);
      return { head: prefix + head, below };
    }
    if (isEmpty || random.once(withFlow)) {
      const [head = '', ...below] = flow(member, textColumn);
      return { head: prefix + head, below };
    }
    return { head: shared, below: blockMembers(member, column) };
  }

  /** An anchor for a value that may come again, or an alias of it. */
  function anchorOf(member: WrittenValue): string {
    if (!withAnchors) return '';
    const text = textOfWritten(member);
    const known = anchors.get(text);
    if (known !== undefined) return random.once(3) ? '' : `*${known}`;
    if (random.once(2)) return '';
    const name = `n${anchors.size}`;
    anchors.set(text, name);
    return `&${name}`;
  }

  function scalar(member: WrittenScalar, column: number): { head: string; below: string[] } {
    const text = rawText(member);
    if (typeof member !== 'string' && !(member instanceof ReferenceText)) return { head: text, below: [] };
    isAfterText = false;
    const block = random.once(3) ? null : literalBlock(text, false);
    if (block !== null && text.includes('\n') && block.header !== '|+') {
      isAfterText = true;
      const below = block.lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
      return { head: block.header, below };
    }
    const words = text.split(' ');
    if (isPlain(member, false) && random.once(2)) {
      const isLong = words.length > 2 && words.every((word) => /^[a-z]+$/.test(word)) && random.once(2);
      return isLong
        ? { head: words[0] ?? '', below: words.slice(1).map((word) => ' '.repeat(column) + word) }
        : { head: text, below: [] };
    }
    return { head: quotedText(text, random.pick(['"', "'"])), below: [] };
  }

  function flow(member: WrittenValue, column: number): string[] {
    isAfterText = false;
    if (isScalarValue(member)) {
      const text = rawText(member);
      if (typeof member === 'number' || typeof member === 'boolean') return [text];
      return [isPlain(member, true) && random.once(2) ? text : quotedText(text, random.pick(['"', "'"]))];
    }
    const [open, close] = isList(member) ? ['[', ']'] : ['{', '}'];
    const parts = membersOf(member).map(([name, each]) => {
      const known = anchors.get(textOfWritten(each));
      const text = withAnchors && known !== undefined && random.once(2) ? [`*${known}`] : flow(each, column);
      const [head = '', ...below] = text;
      return [isList(member) ? head : `${keyText(name, true)}: ${head}`, ...below];
    });
    if (parts.length === 0) return [open + close];
    if (random.once(3)) {
      const space = ' '.repeat(column);
      const lines = [open];
      /** The next text may be in the line of what is before it. */
      let isInLine = false;
      const add = (text: string) =>
        isInLine && random.once(3) ? lines.push(`${lines.pop()} ${text}`) : lines.push(space + text);
      for (const [index, [head = '', ...below]] of parts.entries()) {
        const blank = random.once(withComments) ? [''] : [];
        const own = random.once(withComments) ? [space + ' '.repeat(random.number(2)) + comment()] : [];
        const between = [...blank, ...own, ...(random.once(withComments) ? [''] : [])];
        lines.push(...between);
        isInLine &&= between.length === 0;
        add(head);
        const end = (index < parts.length - 1 || random.once(2) ? ',' : '') + trailing();
        lines.push(...below);
        lines.push(`${lines.pop()}${end}`);
        isInLine = !end.includes('#');
      }
      add(close);
      return lines;
    }
    const padding = random.once(2) ? ' ' : '';
    return `${open}${padding}${parts.map((part) => part.join('\n')).join(random.pick([', ', ' , ', ',  ']))}${padding}${close}`.split(
      '\n',
    );
  }
}

const texts = [
  'a',
  'b c d',
  'on',
  '7',
  'x: y',
  '- z',
  'l1\nl2',
  'l1\n\n  l2\n',
  ' q ',
  "it's",
  '"',
  '',
  'a,b',
  '[',
  '#',
  '${',
  'é',
  'n\n\n',
];
const keys = ['a', 'b', 'c', 'd', 'name', 'on', 'x: y', 'k k', '- k', '7', 'https://a.example/'];

/** A mapping with values that are often equal. */
export function randomValue(seed: number, size: number): WrittenMapping {
  const random = randomFrom(seed);
  let left = size;
  const scalar = (): WrittenScalar =>
    random.once(6)
      ? random.pick([7, 0, true, new ReferenceText('${var:v}'), new ReferenceText('a ${var:v}')])
      : random.pick(texts);
  const value = (depth: number): WrittenValue => {
    left -= 1;
    if (depth > 5 || left < 0 || random.once(3)) return scalar();
    return random.once(2) ? list(depth) : mapping(depth);
  };
  const list = (depth: number) => Array.from({ length: random.number(5) }, () => value(depth + 1));
  const mapping = (depth: number): WrittenMapping => {
    const names = keys.filter(() => random.once(3));
    return Object.fromEntries(names.map((name) => [name, value(depth + 1)]));
  };
  return { first: value(0), ...mapping(0), last: value(0) };
}

/** Edits of some members, below the root. Equal values often get equal edits, so that anchors can follow. */
export function randomEdits(value: WrittenMapping, seed: number): Edit[] {
  const random = randomFrom(seed);
  const isByValue = random.once(2);
  const rare = 2 + random.number(8);
  const edits: Edit[] = [];
  visit(value, '', random);
  return edits;

  function visit(at: WrittenValue, pointer: string, own: Random): void {
    const names = membersOf(at).map(([name]) => name);
    const added = new Set<string>(names);
    const insert = (after: string | null, choice: Random) => {
      const next = randomValue(choice.number(1000), 4)['first'] as WrittenValue;
      if (isList(at)) edits.push({ op: 'insert', pointer, after: after === null ? null : Number(after), value: next });
      else {
        const key = `new ${added.size}`;
        added.add(key);
        edits.push({ op: 'insert', pointer, key, after, value: next });
      }
    };
    if (own.once(rare * 2) && !isScalarValue(at)) insert(null, own);
    for (const [name, member] of membersOf(at)) {
      const below = pointer + jsonPointer(name);
      const choice = isByValue ? randomFrom(seed + hash(textOfWritten(member))) : own;
      if (own.once(rare)) insert(name, own);
      if (own.once(rare)) edits.push({ op: 'delete', pointer: below });
      else if (choice.once(rare))
        edits.push({ op: 'set', pointer: below, value: randomValue(choice.number(1000), 4)['last'] as WrittenValue });
      else if (!isScalarValue(member)) visit(member, below, choice);
    }
  }
}

function hash(text: string): number {
  let result = 0;
  for (let index = 0; index < text.length; index++) result = (Math.imul(result, 31) + text.charCodeAt(index)) | 0;
  return result;
}

function rawText(value: WrittenScalar): string {
  if (value instanceof ReferenceText) return value.written;
  return typeof value === 'string' ? withoutReferences(value) : String(value);
}

function isPlain(value: WrittenScalar, inFlow: boolean): boolean {
  const text = rawText(value);
  return isPlainText(text, inFlow);
}

function keyText(key: string, inFlow: boolean): string {
  return isPlainText(key, inFlow) ? key : quotedText(key, '"');
}

/** Members of a list or mapping by index or key; none for a scalar. */
function membersOf(value: WrittenValue): readonly (readonly [name: string, member: WrittenValue])[] {
  return isScalarValue(value) ? [] : Object.entries(value);
}
