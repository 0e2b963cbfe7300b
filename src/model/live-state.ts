/** Why a kind cannot be read. `structural`: no operation reads it, so nothing failed. */
export interface Unreadable {
  readonly readable: false;
  readonly structural: boolean;
  readonly code: 'LIVE_UNREADABLE' | 'LIVE_SCOPE_MISSING' | 'LIVE_FORBIDDEN' | 'LIVE_LISTING_INCOMPLETE';
  readonly message: string;
}

export interface Readable<Live> {
  readonly readable: true;
  readonly items: readonly Live[];
  /** True when only one identity was asked for: the size of the rest is unknown. */
  readonly filtered: boolean;
  /** In how many pieces the items were read, by default one: one piece is one moment, several may miss what moves between them. */
  readonly pages?: number;
}

/** What the tenant says of a kind. Unknown is a value of its own, never an empty list. */
export type LiveState<Live> = Readable<Live> | Unreadable;
