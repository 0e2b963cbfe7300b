// One rule for line ends (docs/adr/0021): texts are sent with LF, and compared without their final line ends. So a
// service that stores other line ends, or adds or removes the last one, is not different forever.
import type { Partials } from '../../resources/prompts/types.generated.ts';
import { withLineFeeds } from '../../values/line-ends.ts';

export function partialsWithLineFeeds(partials: Partials): Partials {
  return Object.fromEntries(
    Object.entries(partials).map(([screen, points]) => [
      screen,
      Object.fromEntries(Object.entries(points).map(([point, text]) => [point, withLineFeeds(text)])),
    ]),
  );
}
