/**
 * A URL in lists that people read: without `https://` and a final slash. Every other scheme stays, so `http:` is seen.
 *
 *   https://orders.example/      ->  orders.example
 *   https://crm.example/hook     ->  crm.example/hook
 */
export function shortUrl(url: string): string {
  const rest = /^https:\/\/([^/].*)$/.exec(url)?.[1];
  return rest === undefined ? url : rest.replace(/\/$/, '');
}
