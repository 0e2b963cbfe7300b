/** Milliseconds to wait before each further reading of what a service may show late: 0.25, 0.5, 1, 2, then 4 seconds. */
export function* backoff(): Generator<number, never> {
  for (let ms = 250; ; ms = Math.min(ms * 2, 4000)) yield ms;
}
