/** The limiters that services have. Times in milliseconds of the service's clock. */
export interface Limiter {
  readonly limit: number;
  /** Whether a request at this time would be granted; takes nothing. */
  allows(now: number): boolean;
  take(now: number): void;
  /** What the headers show at this time: whole seconds, rounded up. */
  show(now: number): { readonly remaining: number; readonly reset: number };
  /** The earliest time, not before `now`, at which a request is granted. */
  nextAt(now: number): number;
}

export type Shape =
  | { readonly kind: 'bucket'; readonly size: number; readonly perSecond: number; readonly reset?: 'full' | 'next' }
  | { readonly kind: 'window'; readonly size: number; readonly ms: number; readonly phase?: number };

export function openLimiter(shape: Shape): Limiter {
  return shape.kind === 'bucket' ? bucketLimiter(shape) : windowLimiter(shape);
}

/** Refills token by token. The reset is when the bucket is full, as in limitd, or when the next token is there. */
function bucketLimiter({ size, perSecond, reset = 'full' }: Extract<Shape, { kind: 'bucket' }>): Limiter {
  const rate = perSecond / 1000;
  let level = size;
  let levelAt = 0;
  const at = (now: number) => (levelAt === 0 ? size : Math.min(size, level + rate * (now - levelAt)));
  const enough = 1 - 1e-9;
  return {
    limit: size,
    allows: (now) => at(now) >= enough,
    take: (now) => {
      level = at(now) - 1;
      levelAt = now;
    },
    show: (now) => {
      const content = at(now);
      const missing = reset === 'full' ? size - content : 1 - (content % 1);
      return { remaining: Math.floor(content + 1e-9), reset: Math.ceil((now + missing / rate) / 1000) };
    },
    nextAt: (now) => now + Math.max(0, enough - at(now)) / rate,
  };
}

/** Refills completely, at whole multiples of its length. */
function windowLimiter({ size, ms, phase = 0 }: Extract<Shape, { kind: 'window' }>): Limiter {
  let window = -1;
  let taken = 0;
  const indexOf = (now: number) => Math.floor((now - phase) / ms);
  const takenAt = (now: number) => (indexOf(now) === window ? taken : 0);
  const endOf = (now: number) => (indexOf(now) + 1) * ms + phase;
  return {
    limit: size,
    allows: (now) => takenAt(now) < size,
    take: (now) => {
      taken = takenAt(now) + 1;
      window = indexOf(now);
    },
    show: (now) => ({ remaining: Math.max(0, size - takenAt(now)), reset: Math.ceil(endOf(now) / 1000) }),
    nextAt: (now) => (takenAt(now) < size ? now : endOf(now)),
  };
}
