import type { TextPlace } from './partials.ts';

/** JSON pointer from the partials of a prompt to a text. */
export function textPointer({ screen, point }: TextPlace): string {
  return `${screenPointer(screen)}/${escapeToken(point)}`;
}

export function screenPointer(screen: string): string {
  return `/${escapeToken(screen)}`;
}

/** `login/form-content-start`: what a text is called in sentences. */
export function textName({ screen, point }: TextPlace): string {
  return `${screen}/${point}`;
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
