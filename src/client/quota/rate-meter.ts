/**
 * How fast a bucket refills, from what was left at two moments and what was taken in between:
 *
 *   3 left at 10.0 s, 5 left at 14.0 s, 30 taken meanwhile   ->   32 in 4 s, so 8 a second
 *
 * Moments are those of sending, which is when a request counts if all take equally long to arrive.
 */
export interface RateMeter {
  /** `taken`: requests sent and not refused so far. Answers tokens per millisecond once there is enough to go by. */
  read(mark: RateMark): { readonly rate: number; readonly spanMs: number } | null;
  /** What was before must not be compared with what comes: the bucket was full, or it was refused. */
  restart(): void;
}

export interface RateMark {
  readonly at: number;
  readonly remaining: number;
  readonly taken: number;
}

const everyMs = 500;
const longestMs = 20_000;
const shortestMs = 700;
const fewestTokens = 3;

export function rateMeter(): RateMeter {
  let marks: RateMark[] = [];
  return {
    read(mark) {
      const last = marks.at(-1);
      const first = marks[0];
      if (last !== undefined && mark.at <= last.at) return null;
      if (last === undefined || mark.at - last.at >= everyMs) {
        marks = marks.filter(({ at }) => mark.at - at <= longestMs);
        marks.push(mark);
      }
      if (first === undefined) return null;
      const spanMs = mark.at - first.at;
      const refilled = mark.remaining - first.remaining + mark.taken - first.taken;
      return spanMs >= shortestMs && refilled >= fewestTokens ? { rate: refilled / spanMs, spanMs } : null;
    },
    restart: () => {
      marks = [];
    },
  };
}
