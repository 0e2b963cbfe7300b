// Each field of the described kinds that is of a class of effects: alone, in the direction that is weaker, and in the other one.
import { describe, expect, test } from 'vitest';
import { fieldChanges, isMarked } from '../../src/items/effects/field-changes.ts';
import { openEffects } from '../../src/items/effects/item-effects.ts';
import type { Field, Fields } from '../../src/model/field.ts';
import type { Action, Effect } from '../../src/model/plan.generated.ts';
import type { KindDescription, Resource } from '../../src/model/resource.ts';
import { description as attackProtection } from '../../src/service/attack-protection/description.generated.ts';
import { description as clientGrants } from '../../src/service/client-grants/description.generated.ts';
import { description as clients } from '../../src/service/clients/description.generated.ts';
import { description as connections } from '../../src/service/connections/description.generated.ts';
import { description as resourceServers } from '../../src/service/resource-servers/description.generated.ts';

const kinds: readonly KindDescription[] = [clients, clientGrants, connections, resourceServers];
const resources: readonly (readonly [string, Pick<Resource, 'fields' | 'resources'>])[] = [
  ...kinds.map((kind) => [kind.name, kind] as const),
  ...Object.entries<Resource>(attackProtection.resources),
];

type Values = Readonly<Record<string, unknown>>;

interface Marked {
  readonly path: string;
  readonly field: Field;
  /** An item that has this value in the field, and what it needs around it. */
  readonly itemWith: (value: unknown) => Values;
}

function markedIn(fields: Fields, path: readonly string[] = []): Marked[] {
  return Object.entries(fields).flatMap(([name, field]): Marked[] => {
    const here = [...path, name];
    if (isMarked(field)) return [{ path: here.join('.'), field, itemWith: (value) => ({ [name]: value }) }];
    const forms = Object.entries(field.forms?.of ?? {}).flatMap(([form, members]) => {
      const { by = '', beside } = field.forms ?? {};
      return markedIn(members, here).map((one) => {
        const inside = (value: unknown) => ({ ...(!beside && { [by]: form }), ...one.itemWith(value) });
        return { ...one, itemWith: (value: unknown) => ({ ...(beside && { [by]: form }), [name]: inside(value) }) };
      });
    });
    const inside = markedIn(field.fields ?? {}, here).map((one) => ({
      ...one,
      itemWith: (value: unknown) => ({ [name]: one.itemWith(value) }),
    }));
    return [...inside, ...forms];
  });
}

/** The strongest value of a field and a weaker one; or two values, where there is no direction. */
function valuesOf({ login, address, items, key }: Field): readonly [unknown, unknown] {
  if (address !== undefined) {
    const [one, other] = ['https://a.example/', 'https://b.example/'];
    return items === undefined ? [one, other] : [[one], [other]];
  }
  const { weaker, order = [] } = login ?? {};
  if (typeof weaker === 'boolean') return [!weaker, weaker];
  if (order.length > 0) return [order.at(-1), order[0]];
  if (weaker === 'higher') return [1, 2];
  if (weaker === 'lower') return [2, 1];
  if (weaker === 'more') return [['a'], ['a', 'b']];
  if (weaker === 'fewer') return [['a', 'b'], ['a']];
  if (key !== undefined) return [[{ [key]: 'one' }], [{ [key]: 'other' }]];
  return items === undefined ? ['one', 'other'] : [['one'], ['other']];
}

describe.each(resources)('%s', (name, { fields, resources: nested }) => {
  const effectsOn = openEffects({
    name: 'clients',
    noun: { one: 'client', many: 'clients' },
    fields,
    operations: {},
    resources: nested,
  });
  const effects = ({ itemWith, path }: Marked, before: unknown, after: unknown): Effect[] => {
    const [live, declared] = [itemWith(before), itemWith(after)];
    const action = { action: 'update', key: 'k', before: live, after: declared, changes: [{ field: path }] };
    return effectsOn?.({ liveOf: () => live })({ actions: [], losses: [] })(action as unknown as Action) ?? [];
  };
  const marked = markedIn(fields);

  test('has marks', () => {
    expect(marked.length, name).toBeGreaterThan(0);
  });

  test.each(marked.map((one) => [one.path, one] as const))('%s', (path, one) => {
    const { login, address, script, values } = one.field;
    expect(values ?? login?.order ?? []).toEqual(expect.arrayContaining([...(login?.order ?? [])]));
    const [strong, weak] = valuesOf(one.field);
    // A field can also stand for the access of a set.
    const codes = (before: unknown, after: unknown) =>
      effects(one, before, after).flatMap(({ code }) => (code.startsWith('ACCESS_') ? [] : [code]));
    const isDirected = login !== undefined && Object.keys(login).length > 0;
    const code = address ? 'HOST_ADDED' : script ? 'SCRIPT_CHANGED' : isDirected ? 'LOGIN_WEAKER' : 'LOGIN_CHANGED';
    expect(codes(strong, weak)[0]).toBe(code);
    expect(codes(weak, strong)).toHaveLength(isDirected ? 0 : codes(strong, weak).length);
    expect(codes(strong, strong)).toEqual([]);
    expect(effects(one, strong, weak)[0]?.message).toContain(path);
    expect(fieldChanges(fields, {}, one.itemWith(strong))).toHaveLength(1);
  });
});
