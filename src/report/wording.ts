import type { Source } from '../model/diagnostic.ts';

/** 1240 -> 1,240 */
export function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** 1, 'error' -> 1 error; 2, 'error' -> 2 errors */
export function quantity(count: number, noun: string, many = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : many}`;
}

/** `policies.yaml:3:5`: a place that editors and terminals can open. */
export function formatSource({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
