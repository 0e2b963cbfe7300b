const units = { s: 1, m: 60, h: 3600 } as const;

/** `90s`, `10m`, `1h` or a plain number of seconds, as seconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})([smh])?$/.exec(text);
  return match === null ? null : Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units];
}
