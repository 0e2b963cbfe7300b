// The layer that is edited, as if it were all files of the tenant: a change of what another layer declares becomes an
// override in this one. A folder is its own only layer.
import { layeringOf } from '../config/declared.ts';
import { stateOf } from '../config/desired-items.ts';
import { warning } from '../diagnostics/problem.ts';
import { locationText } from '../diagnostics/source-text.ts';
import type { WrittenFiles, WrittenItem, WrittenPlace } from '../model/desired.ts';
import { type FileSource, layersOf } from '../model/file-source.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Layering } from '../model/layering.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { changedFields } from '../values/changed-fields.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf, valueAt } from '../values/json-pointer.ts';
import { refusedItems } from './inexpressible-items.ts';
import { changedId, type ItemChange, type Kept, type KindChanges, type ValuedChange } from './item-changes.ts';

/** A change of the layer; if files do not accept its value, it has the other one. */
type Placed = { readonly change: ItemChange } | { readonly change: ValuedChange; readonly instead: unknown };

/** `written` is what all layers of `source` declare; the one that is edited is at its `at`. */
export function openEditedLayer(written: WrittenFiles, source: FileSource) {
  const { at } = written;
  const isOwn = ({ file }: Pick<WrittenPlace, 'file'>) => file.startsWith(at);
  const layers = layersOf(source).map((layer) => layer.at ?? '');
  const rankOf = ({ file }: WrittenPlace) => layers.findIndex((layer) => file.startsWith(layer));
  const isLater = (place: WrittenPlace) => rankOf(place) > layers.indexOf(at);
  const items = new Map<WrittenItem, WrittenItem>();
  for (const item of written.items) {
    const place = item.places.find(isOwn);
    if (place !== undefined) items.set(item, item.places.length === 1 ? item : itemAt(item, place));
  }

  function placed(change: ItemChange, kept: Kept[]): readonly Placed[] {
    if (change.change === 'add') return [{ change }];
    const { kind, key, item } = change;
    const own = items.get(item);
    if (own === item) return [{ change }];
    const put = (value: unknown, instead: unknown): Placed =>
      own === undefined
        ? { change: { change: 'add', kind, key, value, overrides: item }, instead }
        : { change: { change: 'edit', kind, key, value, item: own }, instead };
    const keep = (place: WrittenPlace, path: readonly string[] = []) =>
      kept.push(keptPart(change, path, place, isLater(place)));
    if (change.change === 'remove') {
      const later = item.places.find(isLater);
      if (later !== undefined) keep(later);
      const named = identity(kind, item.value);
      return later === undefined ? [put({ ...named, absent: true }, { ...named, unmanaged: true })] : [];
    }
    const { value } = change;
    const newKey = kind.keyOf(value, key);
    if (newKey !== key) {
      const removed = placed({ change: 'remove', kind, key, item }, kept);
      // The item that stays has the live one if it waits for this rename.
      const isTaken = removed.length === 0 && item.item.renamedFrom === newKey;
      return isTaken ? [] : [...removed, { change: { change: 'add', kind, key: newKey, value } }];
    }
    const layering = layeringOf(kind, key);
    // What is declared again later is decided there.
    const reviver = own !== undefined && stateOf(own.places[0]?.value) !== 'present' ? item.places.at(-1) : undefined;
    const differing = changedFields(item.value, value, (path) => layering(path, value) !== null).filter(
      ({ path, now }) => {
        const declaring = item.places.filter((place) => valueAt(place.value, jsonPointer(...path)) !== undefined);
        const isDecisive = (place: WrittenPlace) => isLater(place) || (now === undefined && !isOwn(place));
        const other = reviver ?? declaring.findLast(isDecisive);
        if (other !== undefined) keep(other, path);
        return other === undefined;
      },
    );
    const before = own?.value ?? identity(kind, value);
    const after = differing.reduce<unknown>(
      (result, { path, now }) => withMember(withNeeded(result, path, value, layering), path, now),
      before,
    );
    return differing.length === 0 ? [] : [put(after, value)];
  }

  return {
    /** Its files, and what they declare. Of an item, only what this layer has. */
    written: { ...written, ...ownFiles(written, items), items: [...items.values()] },
    /** The changes as changes of this layer, and what it cannot change. `header` is that of the tenant. */
    async placed(part: KindChanges, header: TenantHeader): Promise<KindChanges> {
      const kept: Kept[] = [];
      const all = part.changes.flatMap((change) => placed(change, kept));
      return { ...part, changes: await accepted(all, header), kept: [...part.kept, ...kept] };
    },
  };
}

/** Texts that another layer refers to as well are not the layer's own. */
function ownFiles({ at, items, yaml, texts }: WrittenFiles, own: ReadonlyMap<WrittenItem, WrittenItem>) {
  const ofOthers = new Set(
    items.flatMap((item) =>
      [...item.texts].flatMap(([pointer, file]) => (own.get(item)?.texts.has(pointer) ? [] : file)),
    ),
  );
  const isOwn = ([file]: readonly [string, string]) => file.startsWith(at) && !ofOthers.has(file);
  return { yaml: new Map([...yaml].filter(isOwn)), texts: new Map([...texts].filter(isOwn)) };
}

/** The item as one of its layers declares it. What a later one replaces has the later value, which nothing changes. */
function itemAt({ kind, item, value, places, texts }: WrittenItem, place: WrittenPlace): WrittenItem {
  const layering = layeringOf(kind, item.key);
  const isHere = ([pointer]: readonly [string, string]) =>
    places.findLast((one) => valueAt(one.value, pointer) !== undefined) === place;
  return {
    kind,
    item: { ...item, at: place.at },
    places: [place],
    value: within(place.value, value, (path) => layering(path, value) !== null),
    texts: new Map([...texts].filter(isHere)),
  };
}

/** Of a merged value, the members that a layer has, as deep as layers are merged. */
function within(
  own: unknown,
  merged: unknown,
  isMerged: (path: readonly string[]) => boolean,
  path: readonly string[] = [],
): unknown {
  if (!isRecord(own) || !isRecord(merged) || !isMerged(path)) return merged ?? own;
  return Object.fromEntries(
    Object.entries(own).map(([name, member]) => {
      return [name, within(member, memberOf(merged, name), isMerged, [...path, name])] as const;
    }),
  );
}

/** The value with another one at a path. A mapping below a field goes with its last member. */
function withMember(value: unknown, [name, ...path]: readonly string[], to: unknown, level = 0): unknown {
  if (name === undefined) return to;
  const { [name]: before, ...others } = isRecord(value) ? value : {};
  const member = withMember(before, path, to, level + 1);
  if (member !== undefined) return { ...Object(value), [name]: member };
  return level > 1 && Object.keys(others).length === 0 ? undefined : others;
}

/** What is written of an item, with what files require beside the value at a path, down to it. */
function withNeeded(written: unknown, path: readonly string[], value: unknown, layering: Layering): unknown {
  const above = path.map((_name, index) => path.slice(0, index));
  const needed = above.flatMap((one) => {
    const required = Object.entries(layering(one, value) ?? {}).filter(([, field]) => field.required);
    return required.map(([name]) => [...one, name]);
  });
  return needed.reduce((result, one) => {
    const pointer = jsonPointer(...one);
    return valueAt(result, pointer) === undefined ? withMember(result, one, valueAt(value, pointer)) : result;
  }, written);
}

function identity({ identity: names }: AnyKind, value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => names.includes(name)));
}

/** What files accept is decided by loading them. */
async function accepted(all: readonly Placed[], header: TenantHeader): Promise<readonly ItemChange[]> {
  const doubtful = all.flatMap((one) => ('instead' in one ? one.change : []));
  const refused = await refusedItems(doubtful, [...new Set(doubtful.map(({ kind }) => kind))], header);
  const isRefused = (change: ItemChange) => refused.has(changedId(change));
  return all.map((one) =>
    'instead' in one && isRefused(one.change) ? { ...one.change, value: one.instead } : one.change,
  );
}

function keptPart({ kind, key }: ItemChange, path: readonly string[], place: WrittenPlace, isLater: boolean): Kept {
  const source = place.at(jsonPointer(...path));
  const item = `${kind.name}/${key}`;
  const subject = path.length === 0 ? item : `${path.join('.')} of ${item}`;
  const where = `${isLater ? 'a later' : 'an earlier'} layer, at ${locationText(source)}`;
  const why = isLater ? '' : ', and no later one can remove it';
  const hint = isLater ? 'use --layer with its layer, or edit that file' : 'edit that file';
  const kept = warning('PULL_KEPT', `${subject} is declared in ${where}${why}, so this difference stays.`, hint);
  return { kind: kind.name, key, diagnostic: { ...kept, source } };
}
