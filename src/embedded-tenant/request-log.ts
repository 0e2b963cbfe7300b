import { isCredential, namesCredential } from '../secrets/credentials.ts';
import { tried } from '../values/tried.ts';

/** One request and its response. Headers and bodies of token requests are never kept: they contain secrets. */
export interface LoggedRequest {
  /** Id of the operation, `token` for the token endpoint, null for any other path. */
  readonly operation: string | null;
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
  /** With its question mark; empty if there is none. Values that look like credentials are `***`. */
  readonly query: string;
  /** Null if a fault broke the connection. */
  readonly status: number | null;
  /** The decoded body of a write, valid or not. */
  readonly body?: unknown;
}

/** A query with `***` for every value that looks like a credential, by its name or by its form. */
export function redactQuery(search: string): string {
  return search.replaceAll(/([^?&=]+)=([^&]*)/g, (pair, name: string, value: string) =>
    namesCredential(decoded(name)) || isCredential(decoded(value)) ? `${name}=***` : pair,
  );
}

function decoded(text: string): string {
  return tried(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text;
}
