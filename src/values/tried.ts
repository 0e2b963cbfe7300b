/** What a function returns; undefined if it throws. */
export function tried<Of>(work: () => Of): Of | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
