import type { Diagnostic } from '../model/diagnostic.ts';
import { problem } from './problem.ts';

/**
 * The error of a variable whose value has a control character at an end; null for any other value. Most often it is a line
 * end that a program added: a service may refuse or store it. Line ends around a key in PEM mean nothing.
 */
export function controlEnds(name: string, value: string | undefined): Diagnostic | null {
  const text = value?.includes('-----BEGIN ') === true ? value.replaceAll(/^[\r\n]+|[\r\n]+$/g, '') : value;
  if (text === undefined || !/^\p{Cc}|\p{Cc}$/u.test(text)) return null;
  const message = `${name} starts or ends with a control character, such as a line end.`;
  return problem('ENV_INVALID', message, 'set it to the value alone; printf writes no line end, echo does');
}
