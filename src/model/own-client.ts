/** What this tool is to the tenant: its clients, and the APIs that their tokens are for. */
export interface OwnAccess {
  readonly clients: readonly OwnClient[];
  readonly apis: readonly string[];
}

/** A client of this tool. */
export interface OwnClient {
  readonly id: string;
  /** For texts: `the client of the token` if only the token names it, because that is text of the service. */
  readonly name: string;
}

export const noAccess: OwnAccess = { clients: [], apis: [] };
