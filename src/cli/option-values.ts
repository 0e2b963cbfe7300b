import type { Quota } from '../model/quota.ts';
import { invalidOption } from './command-error.ts';

/** A rate and a burst. */
export type Rate = Pick<Quota, 'perSecond' | 'burst'>;

/** Values of options with a format of their own. */
export interface OptionValues {
  readonly quota?: Rate;
  readonly rate?: Rate;
  /** Seconds. */
  readonly maxDuration?: number;
  /** Seconds. */
  readonly maxStaleness?: number;
  /** Seconds. */
  readonly visibleWithin?: number;
  /** Seconds. */
  readonly maxAge?: number;
  /** A digest as plans have it. */
  readonly expect?: string;
  readonly quotaShare?: number;
}

interface Form<Value> {
  readonly option: string;
  readonly is: string;
  readonly hint: string;
  parse(text: string): Value | null;
}

const forms: { readonly [Name in keyof OptionValues]-?: Form<NonNullable<OptionValues[Name]>> } = {
  quota: {
    option: '--quota',
    is: 'a quota',
    hint: 'use a rate and a burst, such as 2/s,10 or 150/min,10',
    parse: parseRate,
  },
  rate: { option: '--rate', is: 'a rate', hint: 'use a rate and a burst, such as 2/s,10', parse: parseRate },
  maxDuration: {
    option: '--max-duration',
    is: 'a duration',
    hint: 'use seconds, minutes or hours, such as 90s, 10m or 1h',
    parse: parseDuration,
  },
  maxStaleness: {
    option: '--max-staleness',
    is: 'a duration',
    hint: 'use seconds, minutes or hours, such as 10s or 1m',
    parse: parseDuration,
  },
  visibleWithin: {
    option: '--visible-within',
    is: 'a duration',
    hint: 'use seconds, minutes or hours, such as 30s or 1m',
    parse: parseDuration,
  },
  maxAge: {
    option: '--max-age',
    is: 'a duration',
    hint: 'use seconds, minutes or hours, such as 30m or 24h',
    parse: parseDuration,
  },
  expect: {
    option: '--expect',
    is: 'the digest of a plan',
    hint: 'copy the digest that plan prints: sha256: and 64 hexadecimal digits',
    parse: (text) => (/^sha256:[0-9a-f]{64}$/.test(text) ? text : null),
  },
  quotaShare: {
    option: '--quota-share',
    is: 'a share of a quota',
    hint: 'use a number from 0.05 to 1, such as 0.5',
    parse: parseShare,
  },
};

/** Throws a CommandError if a text does not have the format of its option. */
export function optionValues(texts: Readonly<Record<string, unknown>>): OptionValues {
  const given = Object.entries(forms).flatMap(([name, form]) => {
    const text = texts[name];
    if (text === undefined) return [];
    const value = form.parse(String(text));
    if (value === null) throw invalidOption(`${form.option} ${text} is not ${form.is}.`, form.hint);
    return [[name, value]];
  });
  return Object.fromEntries(given);
}

/** `2/s,10`, `2/s`, `150/min,10` or `2`; null for anything else. The default burst is one second of the rate. */
export function parseRate(text: string): Rate | null {
  const match = /^(\d+(?:\.\d+)?)(?:\/(s|min))?(?:,(\d+))?$/.exec(text);
  if (match === null) return null;
  const perSecond = Number(match[1]) / (match[2] === 'min' ? 60 : 1);
  const burst = match[3] === undefined ? Math.max(1, Math.floor(perSecond)) : Number(match[3]);
  return perSecond > 0 && burst > 0 ? { perSecond, burst } : null;
}

const units = { s: 1, m: 60, h: 3600 } as const;

/** `90s`, `10m`, `1h` or a plain number of seconds, in seconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})([smh])?$/.exec(text);
  return match === null ? null : Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units];
}

/** A share of a quota, 0.05 to 1; null for anything else. */
export function parseShare(text: string): number | null {
  const share = /^\d(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  return share >= 0.05 && share <= 1 ? share : null;
}
