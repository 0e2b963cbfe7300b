/**
 * A URL in lists that people read: without `https://`, and without a path that is empty. Every other scheme stays, so `http:`
 * is seen.
 *
 *   https://orders.example/      ->  orders.example
 *   https://crm.example/hook/    ->  crm.example/hook/
 */
export function shortUrl(url: string): string {
  const rest = /^https:\/\/([^/].*)$/.exec(url)?.[1];
  return rest === undefined ? url : rest.replace(/^([^/]*)\/$/, '$1');
}

/** What a report calls something that has a longer name. */
export type ShortName = (name: string) => string;

/** An address of another form: parsers disagree about its host, so all that any of them takes for user info is hidden. */
export function withoutUserInfo(address: string): string {
  return address.replace(/^((?:https?:)?[\\/\s]*).*@/is, '$1[…]@');
}
