// One rule for line ends (docs/internals/adr/0024-line-ends-of-partials.md): texts are sent with LF, and compared without
// their final line ends. So a service that stores other line ends, or adds or removes the last one, is not different
// forever.
import type { Partials } from '../../service/prompts/types.generated.ts';
import { comparableText, withLineFeeds } from '../../values/line-ends.ts';

/** The text with the line ends of another one, which is its earlier version. */
export function likeLineEnds(text: string, like: string): string {
  const lines = comparableText(text);
  const end = withLineFeeds(like).slice(comparableText(like).length);
  const ended = `${lines}${lines === '' ? '' : end}`;
  return /\r\n/.test(like) ? ended.replaceAll('\n', '\r\n') : ended;
}

export function partialsWithLineFeeds(partials: Partials): Partials {
  return Object.fromEntries(
    Object.entries(partials).map(([screen, points]) => [
      screen,
      Object.fromEntries(Object.entries(points).map(([point, text]) => [point, withLineFeeds(text)])),
    ]),
  );
}
