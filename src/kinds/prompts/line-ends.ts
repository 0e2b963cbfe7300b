// One rule for line ends (docs/adr/0021): texts are sent with LF, and compared without their final line ends. So a
// service that stores other line ends, or adds or removes the last one, is not different forever.
import type { Partials } from '../../resources/prompts/types.generated.ts';

/** The text as it is sent: CRLF and CR become LF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** The text as it is compared. */
export function comparableText(text: string): string {
  const lines = withLineFeeds(text);
  let end = lines.length;
  while (lines.charAt(end - 1) === '\n') end--;
  return lines.slice(0, end);
}

export function partialsWithLineFeeds(partials: Partials): Partials {
  return Object.fromEntries(
    Object.entries(partials).map(([screen, points]) => [
      screen,
      Object.fromEntries(Object.entries(points).map(([point, text]) => [point, withLineFeeds(text)])),
    ]),
  );
}
