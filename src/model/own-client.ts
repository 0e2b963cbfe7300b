/** What this tool is to the tenant: its clients, and the APIs that their tokens are for. */
export interface OwnAccess {
  readonly clients: readonly OwnClient[];
  readonly apis: readonly string[];
}

/** A client of this tool. */
export interface OwnClient {
  readonly id: string;
  /** For texts: `clientOfToken` if only the token names it, because that is text of the service. */
  readonly name: string;
}

/** The name of a client that only the token shows. */
export const clientOfToken = 'the client of the token';

export const noAccess: OwnAccess = { clients: [], apis: [] };
