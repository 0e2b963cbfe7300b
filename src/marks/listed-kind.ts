import { decideListed, type ListedKind } from '../differ/decide-listed.ts';
import type { Fields } from '../model/field.ts';
import type { CanonicalItem, DecideInput, ResourceKind } from '../model/kind.ts';
import type { ItemOperations } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import type { Identified } from '../values/ordered-items.ts';
import { comparableItem } from './comparable.ts';
import { describeItem, fieldTexts, type ItemTexts } from './describe-item.ts';
import { pullItems } from './pull-items.ts';
import { readHolder, readItems } from './read-items.ts';
import { itemRequests, type RequestRules } from './requests.ts';

/** What a kind of listed items states itself. */
interface OwnParts<Live extends object>
  extends Pick<ResourceKind, 'name' | 'title' | 'undeclared'>,
    Pick<ListedKind<object, Live>, 'isSame' | 'undeclarable'>,
    RequestRules<Live>,
    Partial<ItemTexts<Live>> {
  readonly fields: Fields;
  /** What patterns under `protect` are matched against; default: the identity. */
  protectedAs?(item: object): string;
}

/**
 * A kind whose items are a list in the files and on the tenant, by the marks of its schema. A kind replaces what is
 * peculiar to it.
 */
export function listedKind<Desired extends object, Live extends Identified>(own: OwnParts<Live>) {
  const { fields, name, title, undeclared, isSame, undeclarable } = own;
  // A kind whose live items have more than what its operations return replaces the reading.
  const operations = own.operations as ItemOperations<Live>;
  const identity = Object.keys(fields).filter((field) => fields[field]?.identity);
  const nameOf = nameFrom(identity, fields);
  const { protectedAs = nameOf } = own;
  const forms = comparableItem(fields);
  const listed: ListedKind<Desired, Live> = {
    kind: name,
    identity,
    keyOf: (live) => nameOf(live) || live.id,
    idOf: ({ id }) => id,
    protectedAs,
    desiredForm: forms.desired,
    liveForm: forms.live,
    ...(isSame && { isSame }),
    ...(undeclarable && { undeclarable }),
    ...itemRequests<Desired, Live>(fields, own),
  };
  const texts = { ...fieldTexts(fields), ...own };
  return {
    name,
    title,
    undeclared,
    operations: Object.values(operations),
    identity,
    entries: (section: unknown) =>
      (section as readonly object[]).map((item, index) => ({
        key: nameOf(item),
        pointer: `/${index}`,
        keyPointer: `/${index}/${identity.at(-1)}`,
      })),
    ...(identity.some((field) => fields[field]?.default !== undefined) && {
      canonical: (item: unknown) => canonicalItem<Desired>(identity, fields, item as Item),
    }),
    reading: readItems<Desired, Live>(operations),
    decide: (input: DecideInput<Desired, Live>) => decideListed(listed, input),
    describe: (action: Action) => describeItem(action, texts),
    pull: pullItems<Live>(fields, nameOf, { isSame, protectedAs }),
    readBack: readHolder(operations, nameOf, {
      what: identity.length === 1 ? identity[0] : 'identity',
      textOf: (item) => texts.linesOf(item).join('; '),
    }),
  } satisfies ResourceKind<Desired, Live>;
}

type Item = Readonly<Record<string, unknown>>;

/** The values that identify an item, such as `oauth_authentication_api/client/default`; empty if it has none. */
function nameFrom(identity: readonly string[], fields: Fields): (item: object) => string {
  return (item) => {
    let name = '';
    for (const field of identity) {
      const value = String((item as Item)[field] ?? fields[field]?.default ?? '');
      name = name === '' ? value : `${name}/${value}`;
    }
    return name;
  };
}

/** The item with a complete identity, which comes first. */
function canonicalItem<Desired>(identity: readonly string[], fields: Fields, item: Item): CanonicalItem<Desired> {
  const named = identity.map((field) => [field, item[field] ?? fields[field]?.default]);
  return { value: { ...Object.fromEntries(named), ...item } as Desired, writtenAt: (pointer) => pointer };
}
