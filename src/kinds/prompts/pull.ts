import type { PullRules } from '../../model/kind.ts';
import type { Partials } from '../../service/prompts/types.generated.ts';
import { comparableText, isFileText, withLineFeeds } from '../../values/line-ends.ts';
import {
  type DesiredPrompt,
  inFixedOrder,
  type LivePrompt,
  likeLineEnds,
  partialsOf,
  textAt,
  textPointer,
  textsOf,
} from './partials.ts';
import { readOthers } from './read.ts';

export const pull: PullRules<DesiredPrompt, LivePrompt> = {
  form: 'mapping',
  readUndeclared: readOthers,
  keyOf: ({ prompt }) => prompt,
  declare: ({ partials }) => ({
    written: {
      partials: partialsOf(textsOf(inFixedOrder(partials)).map((place) => ({ ...place, text: newText(place.text) }))),
    },
  }),
  adopt: (written, { partials }) => ({
    written: written.partials === undefined ? written : { ...written, partials: adopted(written.partials, partials) },
  }),
  files: ({ partials = {} }, prompt) =>
    textsOf(partials)
      .filter(({ text }) => isFileText(text))
      .map((place) => ({
        pointer: `/partials${textPointer(place)}`,
        // Names come from the tenant, which must not decide on folders.
        path: `partials/${prompt}/${`${place.screen}-${place.point}`.replaceAll('/', '-')}.liquid`,
      })),
};

/** The live texts in the order of the written ones, and new ones at the end of their screen. Texts that are equal stay. */
function adopted(written: Partials, live: Partials): Partials {
  const kept = textsOf(written).flatMap(({ screen, point, text }) => {
    const now = textAt(live, { screen, point });
    if (now === null) return [];
    return { screen, point, text: comparableText(now) === comparableText(text) ? text : likeLineEnds(now, text) };
  });
  const added = textsOf(inFixedOrder(live))
    .filter((place) => textAt(written, place) === null)
    .map((place) => ({ ...place, text: newText(place.text) }));
  const empty = Object.entries(written).filter(([, points]) => Object.keys(points).length === 0);
  const isFilled = ([name]: readonly [string, unknown]) => added.some(({ screen }) => screen === name);
  return { ...partialsOf([...kept, ...added]), ...Object.fromEntries(empty.filter((one) => !isFilled(one))) };
}

/** As people write it into a file: the last line ends as well. */
function newText(text: string): string {
  const lines = withLineFeeds(text);
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}
