/** 1240 -> 1,240 */
export function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** 1, 'error' -> 1 error; 2, 'error' -> 2 errors */
export function quantity(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
