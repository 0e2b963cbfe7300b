/** What this tool is to the tenant: its clients, and the APIs that their tokens are for. */
export interface OwnAccess {
  readonly clients: readonly OwnClient[];
  readonly apis: readonly string[];
  /** True if the token does not show them: then each API with the path of the management API may be one. */
  readonly mayHaveOthers?: boolean;
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
