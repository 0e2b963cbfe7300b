/** A count with commas between its thousands: `1,000,000`. The locales of Node would cost each start 15 ms. */
export function thousands(count: number): string {
  return String(count).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}
