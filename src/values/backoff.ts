/** Milliseconds to wait before each further reading of what a service may show late: 0.25, 0.5, 1, 2, then 4 seconds. */
export const backoffMs = (tries: number) => Math.min(250 * 2 ** tries, 4000);
