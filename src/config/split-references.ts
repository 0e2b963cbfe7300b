/** `${env:NAME}` or `${var:NAME}`. */
export interface Reference {
  readonly from: 'env' | 'var';
  readonly name: string;
  /** The reference itself, for messages. */
  readonly written: string;
  /** How many `${` stand before it in the text. */
  readonly order: number;
}

/** A `${` that starts no reference. */
export interface Malformed {
  readonly from: null;
  readonly order: number;
}

export type Part = string | Reference | Malformed;

const opening = /\$\$\{|\$\{(?:(env|var):([A-Za-z_][A-Za-z0-9_]*)\})?/g;

/** A text as what stands for itself and what stands for something else, without empty parts. `$${` is a literal `${`. */
export function splitReferences(text: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  let done = 0;
  let order = 0;
  for (const match of text.matchAll(opening)) {
    const [written, from, name] = match;
    literal += text.slice(done, match.index);
    done = match.index + written.length;
    if (written === '$${') literal += '${';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      // The pattern has both groups or none.
      parts.push(
        name === undefined ? { from: null, order } : { from: from as Reference['from'], name, written, order },
      );
    }
    order++;
  }
  literal += text.slice(done);
  return literal === '' ? parts : [...parts, literal];
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}
