import type { Diagnostic } from '../model/diagnostic.ts';
import { problem } from './problem.ts';

/** Blocks of PEM and nothing else. A line break may be written as `\n`. */
const pem = /^(?:-----BEGIN [A-Z0-9 ]+-----[\s\\](?:(?!-----).)+-----END [A-Z0-9 ]+-----\s*)+$/s;

/**
 * The error of a variable whose value has a control character at an end; null for any other value. Most often it is a line
 * end that a program added: a service may refuse or store it. Line ends around PEM mean nothing.
 */
export function controlEnds(name: string, value: string | undefined): Diagnostic | null {
  const inner = value?.replaceAll(/^[\r\n]+|[\r\n]+$/g, '');
  const text = inner !== undefined && pem.test(inner) ? inner : value;
  if (text === undefined || !/^\p{Cc}|\p{Cc}$/u.test(text)) return null;
  const message = `${name} starts or ends with a control character, such as a line end.`;
  return problem('ENV_INVALID', message, 'set it to the value alone; printf writes no line end, echo does');
}
