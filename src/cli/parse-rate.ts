/** `2/s,10`, `2/s`, `150/min,10` or `2`: requests per second and burst; null when it is none of these. Without a burst: one second's worth. */
export function parseRate(text: string): { readonly perSecond: number; readonly burst: number } | null {
  const match = /^(\d+(?:\.\d+)?)(?:\/(s|min))?(?:,(\d+))?$/.exec(text);
  if (match === null) return null;
  const perSecond = Number(match[1]) / (match[2] === 'min' ? 60 : 1);
  const burst = match[3] === undefined ? Math.max(1, Math.floor(perSecond)) : Number(match[3]);
  return perSecond > 0 && burst > 0 ? { perSecond, burst } : null;
}
