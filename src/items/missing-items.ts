// Items of the files that the tenant does not have: whether they are created, and which item may be meant.
import { didYouMean, openNames } from '../diagnostics/near-names.ts';
import { itemFinding } from '../differ/draft.ts';
import { nearName } from '../differ/renames.ts';
import type { DecideInput, DesiredItem } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { KindDescription } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { once } from '../values/memoized.ts';
import { isDeclaredById, openKeys } from './keys.ts';

const noSuchId = 'no item on the tenant has this id; correct it, or delete it to create the item';

export function openMissing<Live extends object>(
  description: KindDescription,
  { desired, live, names }: Pick<DecideInput<object, Live>, 'desired' | 'live' | 'names'>,
) {
  const { name: kind, noun, id, byId, key: keys, creates, fields } = description;
  const [key = ''] = keys;
  const all = live.readable ? live.items : [];
  const others = once(() => {
    const keyOf = openKeys<Live>(description, { items: desired.items, live: all, names });
    const declared = new Set(desired.items.flatMap((item) => [item.key, item.renamedFrom ?? []].flat()));
    return all.filter((item) => !declared.has(keyOf(item)));
  });
  const textsOf = (items: readonly Live[], field: string) => items.map((item) => String(memberOf(item, field) ?? ''));
  const ids = once(() => openNames(textsOf(all, id)));
  const known = once(() => openNames(textsOf(all, key)));
  const undeclared = once(() => openNames(textsOf(others(), key)));
  const own = Object.keys(fields).filter((name) => !keys.includes(name));
  const isCreated = ({ value }: Pick<DesiredItem, 'value'>) => own.some((name) => memberOf(value, name) !== undefined);
  const text = (item: DesiredItem) => String(memberOf(item.value, key) ?? '');
  const summary = own.find((name) => fields[name]?.summary);

  /** One without fields of its own may be misspelt, and the service assigns ids. */
  const notCreated = (item: DesiredItem<object>): Finding | null => {
    const finding = (message: string, pointer: string) => itemFinding(kind, item, 'LIVE_NOT_FOUND', message, pointer);
    if (isDeclaredById(description, item)) {
      if (!byId) return finding(noSuchId, '');
      const near = didYouMean(ids().nearest(String(memberOf(item.value, 'id'))));
      return finding(
        `no ${noun.one} on the tenant has this id; ${near ?? `create the ${noun.one} or correct its id`}`,
        '/id',
      );
    }
    if (creates !== 'fields' || isCreated(item)) return null;
    const near = didYouMean(known().nearest(text(item)));
    const isCase = key === 'name' ? '; names are case-sensitive' : '';
    const fix =
      own.length === 1
        ? `create the ${noun.one}, correct its ${key}, or declare a ${own[0]} to have it created`
        : `create the ${noun.one} or correct its ${key}`;
    return finding(`no ${noun.one} on the tenant has this ${key}${isCase}; ${near ?? fix}`, `/${key}`);
  };

  /** Of an item that could be renamed, another one with the same summary may be meant as well. */
  const nearOf = (item: DesiredItem<object>): string | undefined => {
    const near = undeclared().nearest(item.renamedFrom ?? text(item), 1);
    const value = byId && summary !== undefined ? memberOf(item.value, summary) : undefined;
    if (near !== undefined || !value || summary === undefined) return near;
    const [like, ...more] = others().filter((one) => memberOf(one, summary) === value);
    return like === undefined || more.length > 0 ? undefined : String(memberOf(like, key));
  };

  /** A warning for each item that is created while the tenant has one that may be meant, and that the files do not declare. */
  const nearFindings = (actions: readonly Action[]): Finding[] => {
    const created = new Set(actions.flatMap((one) => (one.action === 'create' ? [one.key] : [])));
    if (creates !== 'fields' || created.size === 0) return [];
    return desired.items.flatMap((item) => {
      const near = created.has(item.key) ? nearOf(item) : undefined;
      if (near === undefined) return [];
      if (byId) {
        const like = `with a similar ${key}${summary === undefined ? '' : ` or the same ${summary}`}`;
        return [nearName(kind, noun.one, item, near, like)];
      }
      const message = `the ${noun.one} is created, but the tenant has an undeclared one, "${near}", with a similar ${key}; if it was meant, correct the ${key}, or pull it into the files`;
      return [itemFinding(kind, item, 'LIVE_NEAR_NAME', message, `/${key}`)];
    });
  };
  return { notCreated, nearFindings };
}
