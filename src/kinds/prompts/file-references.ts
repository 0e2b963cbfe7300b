import type { DeclaredPrompt } from '../../resources/prompts/types.generated.ts';
import { textPointer } from './text-place.ts';

/** Where a declared prompt holds `{ file: … }` instead of a text, as JSON pointers below the prompt. */
export function fileReferences(item: unknown): string[] {
  const { partials = {} } = item as DeclaredPrompt;
  return Object.entries(partials).flatMap(([screen, points]) =>
    Object.entries(points).flatMap(([point, text]) =>
      typeof text === 'string' ? [] : [`/partials${textPointer({ screen, point })}`],
    ),
  );
}
