import { styleText } from 'node:util';

/** Emphasis for escaped text. Colour repeats what signs and words express, and is never the only carrier of meaning. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const plain = (text: string): string => text;

export const plainStyle: Style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };

export const colourStyle: Style = {
  bold: styled('bold'),
  dim: styled('dim'),
  red: styled('red'),
  green: styled('green'),
  yellow: styled('yellow'),
};

/** The caller decides about colour, so the state of stdout is ignored. */
function styled(format: keyof Style): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}
