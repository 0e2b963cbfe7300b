/** A client of this tool. */
export interface OwnClient {
  readonly id: string;
  /** For texts: `the client of the token` if only the token names it, because that is text of the service. */
  readonly name: string;
}
