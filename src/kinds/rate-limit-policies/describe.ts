import { shortUrl } from '../../values/short-url.ts';

/** `block above 100/s`, `redirect above 5/s to acme.example/busy`. */
export function configurationSummary(configuration: unknown): string {
  const {
    action,
    limit,
    redirect_uri: uri,
  } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const above = limit === undefined ? '' : ` above ${limit}/s`;
  return `${action}${above}${uri === undefined ? '' : ` to ${shortUrl(uri)}`}`;
}
