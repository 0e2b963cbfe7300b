import type { Diagnostic, Source } from './diagnostic.ts';
import type { Layering } from './layering.ts';
import type { Names, Naming, References } from './names.ts';
import type { ApiLevel, GetOperation, Operation, Shape } from './operation.ts';
import type { OwnAccess, OwnClient } from './own-client.ts';
import type { Action, ActionName, Effect, Finding, KindName } from './plan.generated.ts';
import type { LiveState, OddField, Readable, Unreadable } from './reader.ts';
import type { ItemSource, Snapshot } from './snapshot.ts';

export type { KindName } from './plan.generated.ts';

/** What the files declare about an item: its value, that it must not exist, or that it is left alone. */
export type ItemState = 'present' | 'absent' | 'unmanaged';

/** One declared item with its identity and a way back to the files. */
export interface DesiredItem<Value = unknown> {
  readonly key: string;
  readonly state: ItemState;
  /** The name that the item has on the tenant until it is renamed; absent if the files rename nothing. */
  readonly renamedFrom?: string;
  /** In canonical form. If the item is not present, only the fields of its identity. */
  readonly value: Value;
  /** The place of a value below the item, by JSON pointer into `value`; '' is the item itself. */
  at(pointer: string): Source;
}

/** The value of an item that is present: its schema requires `Fields` of it. */
export type Present<Item, Fields extends keyof Item> = Omit<Item, 'absent' | 'unmanaged' | 'renamed_from'> &
  Required<Pick<Item, Fields>>;

/** The one form of an item that can be written in several ways. */
export interface CanonicalItem<Value = unknown> {
  readonly value: Value;
  /** The JSON pointer in the written item for one in `value`. */
  writtenAt(pointer: string): string;
}

/** A present section: the complete truth about its kind. */
export interface DesiredSection<Value = unknown> {
  readonly items: readonly DesiredItem<Value>[];
  /** The section's key, in the first file that has it. */
  readonly source: Source;
}

/** What happens to a live item that a present section does not list. */
export type UndeclaredRule = 'delete' | 'report' | 'ignore';

/** Rules of the files that keep items from being deleted. */
export interface KeepRules {
  readonly undeclared: UndeclaredRule;
  /** Whether undeclared parts of declared items are kept: only in a base that has `keep_undeclared`. */
  readonly keepsParts: boolean;
  /** What the kind has under `protect`. */
  readonly patterns: readonly string[];
  /** True when a pattern under `protect` covers this name, of the kind itself or of another one. */
  isProtected(name: string, kind?: KindName): boolean;
}

/** Something that an action deletes or removes. */
export interface Loss {
  /** Id of the action. */
  readonly id: string;
  /** Its name in messages: `roles/Support#read:orders of https://orders.example/`. */
  readonly item: string;
  /** It is no loss of this action if another action of the plan provides one of these: see Link. */
  readonly unless?: readonly string[];
  /** Who loses it, where actions of several kinds can take parts from an item: guards count each such item once. */
  readonly holder?: Holder | undefined;
  /** The kind of an item that the service deletes along with the one of the action; absent if that is the item. */
  readonly along?: KindName;
  /** What an item of another kind loses: a part that refers to what the action removes. */
  readonly part?: string;
}

/** A client that gets no token, and the actions of the plan that lead to it. */
export interface LockedOut {
  readonly client: OwnClient;
  readonly why: string;
  readonly causes: readonly Action[];
}

/** A live item with parts, such as a role. */
export interface Holder {
  readonly kind: KindName;
  readonly id: string;
  readonly key: string;
}

/** What a plan contains of one kind, once all kinds are connected and the selection is applied. */
export interface PlannedPart {
  readonly actions: readonly Action[];
  readonly losses: readonly Loss[];
}

/** Who has an item that loses something. */
export type HolderCounts = Pick<Effect, 'users' | 'groups' | 'more_groups' | 'not_counted'>;

/** Effects by id of the action that has them. */
export type Effects = ReadonlyMap<string, readonly Effect[]>;

/** The effects of one action. It is asked once for each: a plan can have 100,000, and no map of them is made. */
export type EffectsOf = (action: Action) => Effect[];

/**
 * How an action depends on actions of other kinds, which it does not know. Tokens are compared, and mean something only
 * to the kinds that use them.
 */
export interface Link {
  /** Id of the action. */
  readonly id: string;
  /** What is true once it is done. */
  readonly provides?: readonly string[];
  /** It comes after every action that provides one of these, if there is any. */
  readonly after?: readonly string[];
  /** What is not true any more once it is done. */
  readonly withdraws?: readonly string[];
}

/** What is not true on the tenant, and an item needs: without an action that provides it, the item is left out. */
export interface Requirement {
  /** The item. */
  readonly key: string;
  readonly token: string;
  /** What is reported instead of the actions of the item. `provided`: what the actions of the plan provide. */
  unmet(provided: ReadonlySet<string>): Finding;
}

/**
 * Parts of items that an action grants and revokes, such as permissions. Whoever loses one through an action may gain it
 * through another: so nothing is revoked before everything that grants the same is shown.
 */
export interface Access {
  readonly grants?: readonly string[];
  readonly revokes?: readonly string[];
}

/** The noun for losses and live items of a kind: `would remove 3 of 10 live permissions`. */
export interface LossUnit {
  readonly verb: 'delete' | 'remove';
  readonly one: string;
  readonly many: string;
}

/** What guards compare of one sort of parts: items, or elements that they have. */
export type Counted = Pick<Decision, 'losses' | 'asked' | 'gains' | 'population'>;

export interface Decision {
  readonly kind: string;
  readonly actions: readonly Action[];
  readonly findings: readonly Finding[];
  /** What guards count. */
  readonly losses: readonly Loss[];
  /** What the files ask to remove one by one. Guards do not count it as lost, nor as left. */
  readonly asked: readonly Loss[];
  /** Of the holders that were read and have any part, how many they have, by live id; default: none. */
  readonly holders?: ReadonlyMap<string, number>;
  /** Clients of this tool that would get no token after these actions, or none with these scopes; default: none. */
  lockedOut?(actions: readonly Action[], scopes: () => readonly string[]): readonly LockedOut[];
  /** Ids of actions that add something declared to the tenant. */
  readonly gains: readonly string[];
  /** How its actions depend on actions of other kinds; default: not at all. */
  readonly links?: readonly Link[];
  readonly requirements?: readonly Requirement[];
  /**
   * What the actions of the plan lead to; default: nothing. It may depend on the state after the plan, but what needs
   * the complete population must be left out if only a part was read.
   */
  effectsOf?(planned: PlannedPart): EffectsOf;
  /** Why the kind could not be read; null if it could. */
  readonly unreadable: Unreadable | null;
  readonly population: Population;
  /** Elements of its items, which guards count by themselves; default: none. */
  readonly nested?: readonly Counted[];
  /** True if undeclared items are to be reported and were not listed, because only a part was read. Default: false. */
  readonly unlisted?: boolean;
  /**
   * Every declared and live name that a pattern under `protect` may mean; null if they are not all known, or if there
   * is no pattern.
   */
  readonly names: readonly string[] | null;
}

/** Declared and live items; guards compare losses with them. */
export interface Population {
  readonly declared: number;
  /** Live items that guards count, in the order of the tenant. */
  readonly live: readonly LiveCount[];
  /** True if only one selected item was read. */
  readonly filtered: boolean;
  /** True if items that the files do not list stay: then a section of absent items empties nothing. */
  readonly undeclaredStay?: boolean;
  readonly unit: LossUnit;
  /** The noun for items that have parts; absent if an item is one of what `unit` names. */
  readonly containers?: { readonly one: string; readonly many: string };
}

/** One live item. Its parts, or the item itself, are counted in what `unit` names. */
export interface LiveCount {
  readonly key: string;
  /** Parts that no rule keeps. What remains of them follows from the losses, and from what is asked for. */
  readonly parts: number;
  /** True if the item remains although none of its parts count. */
  readonly stays?: boolean;
}

export interface DecideInput<Desired, Live> {
  readonly desired: DesiredSection<Desired>;
  readonly live: LiveState<Live>;
  readonly keep: KeepRules;
  /** Operations beyond this level must not be planned. */
  readonly api: ApiLevel;
  /** What this tool is to the tenant, for a kind that is about it, where guards or people see the plan. */
  readonly own?: OwnAccess | undefined;
  /** Items of other kinds that fields name; given to a kind with `references`. */
  readonly names?: Names | undefined;
  /** Keys whose secrets are sent although nothing differs. */
  readonly rotate: ReadonlySet<string>;
  /** Earlier actions that count as done if the decision does not have them any more; default: none. */
  readonly watched?: readonly Action[];
}

/**
 * What a kind has to read. `desired`: for a kind that is read item by item, only what was selected. Of a plan that is made
 * again (`watched`), what only informs people is not read, and what applies in place of a deleted item is.
 */
export interface ReadAsk<Desired>
  extends Pick<DecideInput<Desired, unknown>, 'desired' | 'keep' | 'own' | 'watched' | 'names'> {
  /** The keys of the few selected items; null if the complete list is to be read, such as for a pattern. */
  readonly only: readonly string[] | null;
  /** True if the complete list serves others as well. Default: false. */
  readonly listed?: boolean | undefined;
  /** Whether an item is selected; default: all are. */
  isSelected?(key: string): boolean;
  /** See Wanted: the selected items that were there before. */
  readonly before?: ReadonlyMap<string, string | null>;
  /** True if what has a reading of its own is read of each item, not only where the files declare it. Default: false. */
  readonly everything?: boolean;
}

/**
 * How a kind is read.
 *
 * - `operations`: what it needs; if one is not available, the kind cannot be read
 * - `optional`: what it reads in some cases, and can decide without
 * - `source`: how its items are read, all of them and one by one; absent if nothing lists them
 * - `each`: every declared item takes requests of its own, so items outside a selection are not read
 * - `rereads`: actions that take more than what their precondition covers, such as permissions of items of another kind;
 *   they are sent on another reading than that of the plan
 * - `read` must not turn a failure into an empty list. Given a few keys, it may read those identities only, and then
 *   marks its result as filtered.
 */
export interface Reading<Desired, Live> {
  readonly operations: readonly Operation[];
  readonly optional?: readonly Operation[];
  // biome-ignore lint/suspicious/noExplicitAny: only the kind knows how the service lists its items
  readonly source?: ItemSource<any>;
  readonly each: boolean;
  readonly rereads?: readonly ActionName[];
  read(snapshot: Snapshot, ask: ReadAsk<Desired>): Promise<LiveState<Live>>;
}

/** An item as a reading of it alone shows it: known fields, and what else the response has. */
export interface ItemRead {
  readonly value: object;
  readonly odd?: readonly OddField[] | undefined;
}

/** An item that others have changed since an action was planned, for people; `notes`: what its request would do now. */
export interface MovedItem {
  readonly before: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** What a report prints about an action; plain text, escaped by the report. */
export interface Description {
  /** One line; without it the parts, the fields that change, or else the item. */
  readonly summary?: string;
  /** The parts that the action changes, in place of a summary. */
  readonly parts?: readonly PartList[];
  /** Set if the action only changes what the item gives access to: the parts are what it loses or gains. */
  readonly access?: 'lost' | 'gained';
  /** Long texts that are shown as a difference, line by line. */
  readonly texts?: readonly TextChange[];
}

/** Parts of an item with which an action does the same. A report names the first ones in a line, and all of them below. */
export interface PartList {
  /** Absent if the row shows it. */
  readonly does?: PartVerb;
  /** Words before the parts, such as `scopes`. */
  readonly lead?: string;
  readonly parts: readonly Part[];
}

export type PartVerb = 'lost' | 'gained' | 'deletes' | 'adds' | 'changes';

/** `read:orders`, of `https://orders.example/`; a report has a short form of the latter. */
export interface Part {
  readonly name: string;
  readonly of?: string;
}

/** A long text before and after; null where there is none on that side. */
export interface TextChange {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  /**
   * Location of the declared text: the first line of its own file, or a position in a YAML file. Null if it is not
   * declared.
   */
  readonly source: Source | null;
}

/**
 * What is known of a kind without loading it: what help, selectors and messages need, and what has to be loaded with it.
 *
 * - `undeclared` is the rule for undeclared items where the header has none: the default of its schema.
 * - `label` is the noun of one item in a list, where `noun.one` is longer.
 * - `keyHint` shows how a key is written on the command line, such as `consumer_selector`.
 * - `hasSecrets` is true if items have a secret, which --rotate resends.
 * - `needs` has the kinds that its items name, or that its effects are about.
 * - `goneWith` has the kinds that its items name, and with which the service changes them when those go.
 */
export interface KindHead {
  readonly name: KindName;
  readonly title: string;
  /** Names items of the kind inside a sentence. */
  readonly noun?: { readonly one: string; readonly many: string };
  readonly label?: string;
  readonly keyHint?: string;
  readonly undeclared: UndeclaredRule;
  readonly hasSecrets?: true;
  readonly needs?: readonly KindName[];
  readonly goneWith?: readonly KindName[];
}

/** A kind that is loaded when it is needed; always the same one. */
export interface LazyKind extends KindHead {
  load(): Promise<AnyKind>;
}

/** A kind as far as it is loaded. */
export type KnownKind = KindHead & Partial<Omit<AnyKind, keyof KindHead>>;

/**
 * One kind of resource. Everything about it is in its folder under `src/kinds/`.
 *
 * - `section` validates the section of a file; without it, files have none.
 * - `layering`: how what several layers declare of the item of a key becomes one; default: its fields are replaced one by one
 * - `isSingle`: the section is the one item, whose key is the name of the kind.
 * - `identity` names the fields of a written item that identify it, the one that names it last; empty if items are members
 *   of a mapping.
 * - `keyOf` is the key of a written item that its schema has accepted; `member` is its own key or index in the section.
 * - `canonical` is present if files may write an item in short forms; everything else sees the canonical form. It must
 *   accept an item with its identity alone.
 * - `check` must report errors that a schema cannot express; it must not change the item.
 * - `fileReferences` may name places with `{ file: … }`; they are replaced by the text of the file.
 * - `reading` is absent when no operation reads the kind.
 * - `decide` is pure and must be a function of its input alone.
 * - `destroys` is what is lost for good with an item: `its users`. A guard refuses each deletion.
 * - `shortKey` is the name of an item in a list, and `completeKey` the key that such a name means, or the pattern of keys that
 *   a pattern of names or keys means.
 * - `naming` is present if items of other kinds can name its items, and `references` if its items name others.
 * - `clientOf` is present if items can limit clients, those of this tool among them: the client that an item is about, or
 *   null if it is about several. `getClient` reads its name, for people.
 * - `isAboutOwn`: whether items can be about a client of this tool; default: if they can limit it.
 * - `inspect` finds effects that need large libraries, which it loads only if an action needs them. It must not depend on
 *   anything but the actions.
 * - `pull` is how live items are written into files; without it, `pull` leaves the kind out.
 * - `access` is what an action grants and revokes beside the item itself; default: nothing.
 * - `holderCounts` counts who has an item, for people: by the live id of an effect. It must not fail for want of a scope.
 * - `fix` is a sentence with the fix for a message of the service, of which it repeats nothing; null if there is none.
 */
export interface ResourceKind<Desired = unknown, Live = unknown> extends KindHead {
  shortKey?(key: string): string;
  completeKey?(name: string): string;
  readonly naming?: Naming;
  readonly references?: References<Desired, Live>;
  clientOf?(item: Desired): string | null;
  readonly isAboutOwn?: boolean;
  readonly getClient?: GetOperation<unknown, { readonly client_id?: string; readonly name?: string | null }>;
  readonly destroys?: string;
  readonly operations: readonly Operation[];
  readonly section?: Shape<unknown>;
  layering?(key: string): Layering;
  readonly isSingle?: true;
  readonly identity: readonly string[];
  keyOf(item: unknown, member: string): string;
  canonical?(item: unknown): CanonicalItem<Desired>;
  /** Messages quote no values: they may come from variables, and the excerpt shows what the file has. */
  check?(item: DesiredItem<Desired>, report: (diagnostic: Diagnostic) => void, api: ApiLevel): void;
  /** Warnings of what only the files of several kinds show; `section` is that of another kind. Default: none. */
  checkTogether?(
    items: readonly DesiredItem<Desired>[],
    section: (kind: KindName) => readonly DesiredItem[],
  ): readonly Diagnostic[];
  fileReferences?(item: unknown): readonly string[];
  readonly reading?: Reading<Desired, Live>;
  decide(input: DecideInput<Desired, Live>): Decision;
  /**
   * Whether others have changed the item since this action was planned, of which the request sends parts back; null if they
   * have not. Default: not known.
   */
  movedSince?(action: Action, read: ItemRead): MovedItem | null;
  /**
   * An error for each declared item that needs a token which an action of another kind withdraws; that action is left
   * out if there is any. All declared items are given, whatever is selected: the files alone show it. Default: none.
   */
  relyingOn?(items: readonly DesiredItem<Desired>[], token: string): readonly Finding[];
  describe(action: Action, labelOf?: LabelOf): Description;
  inspect?(actions: readonly Action[]): Promise<Effects>;
  // biome-ignore lint/suspicious/noExplicitAny: only the kind knows how its items are written
  readonly pull?: PullRules<any, Live>;
  access?(action: Action): Access;
  holderCounts?(snapshot: Snapshot, id: string): Promise<HolderCounts>;
  fix?(action: Action, message: string): string | null;
}

/** What follows a part of an action in a line, such as ` (drift)`: a JSON pointer, or `memberPath` for one of a list. */
export type LabelOf = (part: string) => string;

/** A kind without its own types, for lists of kinds. */
// biome-ignore lint/suspicious/noExplicitAny: the registry is the one place that forgets a kind's types
export type AnyKind = ResourceKind<any, any>;

/**
 * How `pull` writes live items of a kind into files. A kind without these rules is left out by `pull`, with a warning.
 *
 * A written item is what people write, in the short forms of the schema and with plain values: variables replaced by
 * their values, references to files by the texts of the files, and secrets as the text `${env:NAME}`. So a rule only
 * compares values and builds values. `pull` derives the smallest edit from the two, and leaves what is equal as it is
 * written: references, comments, quotes.
 *
 * - `form`: whether the section is a list of items, a mapping from keys to items, or the one item
 * - `readUndeclared`: every live item that the section does not declare, each of which files could declare; for kinds
 *   whose `reading` reads declared items only, or parts of these only. It must not turn a failure into an empty list.
 * - `keyOf`: the key of a live item, as declared, or as `declare` would declare it; null if it is not on the tenant, or files
 *   cannot have it. `reading` is all that was read of the kind, on which the key and the values may depend
 * - `declare`: a new item, in the shortest form that a plan finds in sync
 * - `adopt`: the item as declared, changed so that a plan finds it in sync: in the same form, with the same fields, in
 *   their order; values that a plan takes for equal stay. It also adopts the name of the live item.
 * - `isLike`: whether a declared item that is not on the tenant is as this live one, so that it may be there under
 *   another name; it must be false for what is like many others
 * - `secrets`: JSON pointers below a written item to its references to secrets
 * - `files`: texts that a new item, or a new part of one, has in files of their own, with a path for each
 * - `leftAlone`: what the tenant has and is not pulled, one for each reason
 * - `partName`: the name of an element of a list below a written item, so that a change of one of its fields is one; by
 *   default elements are compared as they are
 * - `protectAs`: the name under `protect` that keeps a live item; by default its key
 */
export interface PullRules<Written = unknown, Live = unknown> {
  readonly form: 'list' | 'mapping' | 'single';
  readUndeclared?(snapshot: Snapshot, desired: DesiredSection, names: Names): Promise<LiveState<Live>>;
  keyOf(live: Live, reading?: PullReading<Live>): string | null;
  declare(live: Live, names: NewNames, reading?: PullReading<Live>): Pulled<Written>;
  adopt(written: Written, live: Live, names: NewNames, reading?: PullReading<Live>): Pulled<Written>;
  leftAlone?(reading: PullReading<Live>): readonly LeftAlone[];
  isLike?(missing: DesiredItem, live: Live, reading?: PullReading<Live>): boolean;
  secrets?(written: Written): readonly string[];
  files?(written: Written, key: string): readonly NewFile[];
  partName?(part: unknown): string | undefined;
  protectAs?(live: Live): string;
}

/** What `pull` has read of a kind. */
export interface PullReading<Live> {
  /** What the files declare. */
  readonly items: readonly DesiredItem[];
  /** What a plan has read. */
  readonly live: Readable<Live>;
  /** What was read of undeclared items: the same, or what `readUndeclared` has read. */
  readonly undeclared: Readable<Live>;
  readonly names: Names;
}

/** A sentence about what is not pulled. `why`: it could not be read. */
export interface LeftAlone {
  readonly message: string;
  readonly why?: Unreadable;
}

/**
 * A written item, or the reason why files cannot express the live one. `policy` has one sentence for each rule of the
 * item that the tenant violates. Such rules, for example `absent_permissions`, are kept, so a plan still has an action.
 */
export type Pulled<Written> =
  | { readonly written: Written; readonly policy?: readonly string[]; readonly notes?: readonly string[] }
  | { readonly inexpressible: string };

export interface NewNames {
  /** `${env:TENANT_VAR_…}`, named after the words and used nowhere else. People have to set the variable. */
  secret(...words: readonly string[]): string;
}

/** A text for a file of its own. */
export interface NewFile {
  /** JSON pointer from the item to the text. */
  readonly pointer: string;
  /** `partials/login/login-form-content-start.liquid`, relative to the file that declares the item. */
  readonly path: string;
}
