// Formats of options whose text means more than itself.
import type { Rate } from '../embedded-tenant/http/token-bucket.ts';

export interface Form<Value> {
  /** For messages: this text is not …. */
  readonly is: string;
  readonly hint: string;
  /** Null for a text of another form. */
  parse(text: string): Value | null;
}

export const rate: Form<Rate> = {
  is: 'a rate',
  hint: 'use a rate and a burst, such as 2/s,10 or 150/min,10',
  /** `2/s,10`, `2/s`, `150/min,10` or `2`. The default burst is one second of the rate. */
  parse(text) {
    const match = /^(\d{1,9}(?:\.\d{1,9})?)(?:\/(s|min))?(?:,(\d{1,9}))?$/.exec(text);
    if (match === null) return null;
    const perSecond = Number(match[1]) / (match[2] === 'min' ? 60 : 1);
    const burst = match[3] === undefined ? Math.max(1, Math.floor(perSecond)) : Number(match[3]);
    return perSecond > 0 && burst > 0 ? { perSecond, burst } : null;
  },
};

const units = { s: 1, m: 60, h: 3600 } as const;

/** In seconds. */
export const duration: Form<number> = {
  is: 'a duration',
  hint: 'use seconds, minutes or hours, such as 90s, 10m or 1h',
  parse(text) {
    const match = /^(\d{1,9})([smh])?$/.exec(text);
    return match === null ? null : Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units];
  },
};

function matching(is: string, hint: string, pattern: RegExp): Form<string> {
  return { is, hint, parse: (text) => (pattern.test(text) ? text : null) };
}

/** A digest as plans have it. */
export const digest = matching(
  'the digest of a plan',
  'copy the digest that plan prints: sha256: and 64 hexadecimal digits',
  /^sha256:[0-9a-f]{64}$/,
);

export const share: Form<number> = {
  is: 'a share of a quota',
  hint: 'use a number from 0.05 to 1, such as 0.5',
  parse(text) {
    const share = /^\d(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    return share >= 0.05 && share <= 1 ? share : null;
  },
};

function wholeNumber(is: string, hint: string, least: number, most: number): Form<number> {
  const parse = (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
  return { is, hint, parse };
}

export const port = wholeNumber('a port', 'give a number up to 65535, or 0 for any free port', 0, 65_535);
export const wave = wholeNumber('a wave', 'use 1 to 1000', 1, 1000);

/** One of so many parts of the tenants; they count from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

export const shard: Form<Shard> = {
  is: 'a shard',
  hint: 'use I/N with I from 1 to N, such as 2/8; N is at most 1000',
  parse(text) {
    const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
    return part >= 1 && part <= of && of <= 1000 ? { part, of } : null;
  },
};

export const failures = wholeNumber('a number of failures', 'use 1 or more', 1, 999_999);
/** How much is done at once. */
export const parallel = wholeNumber('a number of tenants', 'use 1 to 1000', 1, 1000);
export const milliseconds = wholeNumber('a number of milliseconds', 'use 0 or more, such as 250', 0, 999_999_999);
