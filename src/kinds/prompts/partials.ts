import type { DeclaredPrompt, Partials } from '../../service/prompts/types.generated.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { comparableText, withLineFeeds } from '../../values/line-ends.ts';
import { compareText } from '../../values/text-order.ts';

/** A declared prompt once its `{ file: … }` references are replaced by the texts of the files. */
export interface DesiredPrompt {
  readonly partials?: Partials;
}

/** A prompt that was read. */
export interface LivePrompt {
  readonly prompt: string;
  readonly partials: Partials;
}

/** The position of a text in the partials of a prompt. */
export interface TextPlace {
  readonly screen: string;
  readonly point: string;
}

export interface PlacedText extends TextPlace {
  readonly text: string;
}

/** A text that differs between two sides; null where a side has none. */
export interface ChangedText extends TextPlace {
  readonly before: string | null;
  readonly after: string | null;
}

/** Every text in the order of the object, so that screens without texts vanish. */
export function textsOf(partials: Partials): PlacedText[] {
  return Object.entries(partials).flatMap(([screen, points]) =>
    Object.entries(points).map(([point, text]) => ({ screen, point, text })),
  );
}

/** The texts as an object again: screens and insertion points in the order in which they first appear. */
export function partialsOf(texts: readonly PlacedText[]): Partials {
  const screens = new Map<string, Map<string, string>>();
  for (const { screen, point, text } of texts) {
    const points = screens.get(screen) ?? new Map<string, string>();
    screens.set(screen, points.set(point, text));
  }
  return Object.fromEntries([...screens].map(([screen, points]) => [screen, Object.fromEntries(points)]));
}

/** The text at a place, or null. Names such as `constructor` are not special. */
export function textAt(partials: Partials, { screen, point }: TextPlace): string | null {
  const points = Object.hasOwn(partials, screen) ? partials[screen] : undefined;
  return points !== undefined && Object.hasOwn(points, point) ? (points[point] ?? null) : null;
}

/**
 * The differences of two sides, regardless of key order: first the texts of the later side in its order, then the
 * removed ones.
 *
 *   before { login: { a: 'x', b: 'y' } }, after { login: { c: 'z', a: 'x' }, signup: {} }
 *   ->     [{ login, c, before: null, after: 'z' }, { login, b, before: 'y', after: null }]
 */
export function changedTexts(before: Partials, after: Partials): ChangedText[] {
  const present = textsOf(after).map(({ text, ...place }) => ({
    ...place,
    before: textAt(before, place),
    after: text,
  }));
  const gone = textsOf(before).filter((place) => textAt(after, place) === null);
  return [
    ...present.filter(({ before, after }) => before === null || comparableText(before) !== comparableText(after)),
    ...gone.map(({ text, ...place }) => ({ ...place, before: text, after: null })),
  ];
}

/** The same texts in an order that does not depend on the tenant. */
export function inFixedOrder(partials: Partials): Partials {
  return partialsOf(
    textsOf(partials).toSorted(
      (one, other) => compareText(one.screen, other.screen) || compareText(one.point, other.point),
    ),
  );
}

/** JSON pointer from the partials of a prompt to a text. */
export function textPointer({ screen, point }: TextPlace): string {
  return jsonPointer(screen, point);
}

/** `login/form-content-start`: the name of a text in sentences. */
export function textName({ screen, point }: TextPlace): string {
  return `${screen}/${point}`;
}

/** Where a declared prompt has `{ file: … }` instead of a text, as JSON pointers below the prompt. */
export function fileReferences(item: unknown): string[] {
  const { partials = {} } = item as DeclaredPrompt;
  return Object.entries(partials).flatMap(([screen, points]) =>
    Object.entries(points).flatMap(([point, text]) =>
      typeof text === 'string' ? [] : [jsonPointer('partials', screen, point)],
    ),
  );
}

// One rule for line ends (docs/internals/adr/0024-line-ends-of-partials.md): texts are sent with LF, and compared without
// their final line ends. So a service that stores other line ends, or adds or removes the last one, is not different
// forever.

/** The text with the line ends of another one, which is its earlier version. */
export function likeLineEnds(text: string, like: string): string {
  const lines = comparableText(text);
  const end = withLineFeeds(like).slice(comparableText(like).length);
  const ended = `${lines}${lines === '' ? '' : end}`;
  return /\r\n/.test(like) ? ended.replaceAll('\n', '\r\n') : ended;
}

/** A screen without texts stays. */
export function partialsWithLineFeeds(partials: Partials): Partials {
  const fed = (points: Partials[string]) =>
    Object.fromEntries(Object.entries(points).map(([point, text]) => [point, withLineFeeds(text)]));
  return Object.fromEntries(Object.entries(partials).map(([screen, points]) => [screen, fed(points)]));
}
