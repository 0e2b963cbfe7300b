import { shortUrl } from '../../values/short-url.ts';

/** `block above 100 requests per second`, `redirect above 5 requests per second to https://…`. */
export function configurationText(configuration: unknown): string {
  return textOf(configuration, ' requests per second', (uri) => uri);
}

/** `block above 100/s`, `redirect above 5/s to acme.example/busy`. */
export function configurationSummary(configuration: unknown): string {
  return textOf(configuration, '/s', shortUrl);
}

function textOf(configuration: unknown, unit: string, uriText: (uri: string) => string): string {
  const {
    action,
    limit,
    redirect_uri: uri,
  } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const above = limit === undefined ? '' : ` above ${limit}${unit}`;
  return `${action}${above}${uri === undefined ? '' : ` to ${uriText(uri)}`}`;
}
