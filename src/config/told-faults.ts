/** Stands for a value whose fault has been told, so that no later check tells of it again. */
export const toldValue = Symbol('a value whose fault has been told');

/** Stands for the value of a key that is itself at fault. */
export const toldKey = Symbol('the value of a key whose fault has been told');

export function isTold(value: unknown): boolean {
  return value === toldValue || value === toldKey;
}
