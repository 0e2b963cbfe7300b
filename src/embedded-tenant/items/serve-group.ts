/** A kind that is a group of objects which every tenant has once: one route for each operation of the description. */
import type { Operation } from '../../model/operation.ts';
import type { Resource } from '../../model/resource.ts';
import type { SeedSection, TenantResource, TenantRoute, TenantStore } from '../../model/tenant-resource.ts';
import type { SingleBehavior } from './behavior.ts';
import type { Item } from './item-store.ts';
import { merged } from './item-values.ts';
import { shuffler } from './shuffle.ts';

/** Objects by name, or parts of them; null for one that the tenant does not have the feature for. */
type Group = Readonly<Record<string, Item | null>>;

export interface GroupStore extends TenantStore {
  find(name: string): Item | null;
  put(name: string, item: Item): void;
  /** Counts a response about the kind. */
  countResponse(): number;
}

interface GroupKind {
  readonly name: string;
  readonly resources: Readonly<Record<string, Pick<Resource, 'fields' | 'operations'>>>;
}

/** One behavior for each object of the group. */
export function servedGroup<Names extends string>(
  { name: section, resources }: GroupKind & { readonly resources: Readonly<Record<Names, unknown>> },
  behaviors: Readonly<Record<Names, SingleBehavior>>,
  seed: SeedSection<Group>,
): TenantResource<Group, GroupStore> {
  const singles = Object.entries<SingleBehavior>(behaviors);
  return {
    section,
    seed,
    openStore: (seeded) => openGroup(Object.fromEntries(singles.map(([name, { initial }]) => [name, initial])), seeded),
    routes: singles.flatMap(([name, behavior]) => {
      const resource = resources[name];
      return resource === undefined ? [] : routesOf(name, resource, behavior);
    }),
  };
}

/** Without a section in the seed, a snapshot has none until something is changed. */
function openGroup(initial: Readonly<Record<string, Item>>, seeded: Group | undefined): GroupStore {
  const items = new Map<string, Item | null>(Object.entries(initial));
  for (const [name, item] of Object.entries(seeded ?? {}))
    items.set(name, item === null ? null : merged(initial[name] ?? {}, item));
  let isKept = seeded !== undefined;
  let responses = 0;
  return {
    find: (name) => items.get(name) ?? null,
    put(name, item) {
      isKept = true;
      items.set(name, item);
    },
    countResponse: () => ++responses,
    snapshot: () => (isKept ? Object.fromEntries(items) : undefined),
  };
}

function routesOf(name: string, { fields, operations }: GroupKind['resources'][string], behavior: SingleBehavior) {
  const { lacking = { status: 404, message: 'Not Found' }, refuse = () => null, show = (item) => item } = behavior;
  const { update = merged } = behavior;
  const shuffle = shuffler(fields);
  const route = (row: Operation | undefined, change: SingleBehavior['update']): TenantRoute<GroupStore>[] =>
    row === undefined
      ? []
      : [
          {
            operation: row,
            respond({ body }, { store }) {
              const item = store.find(name);
              if (item === null) return lacking;
              const sent = body as Item; // an object, by the schema of the operation
              const refusal = change === undefined ? null : refuse(sent);
              if (refusal !== null) return refusal;
              const changed = change?.(item, sent) ?? item;
              if (change !== undefined) store.put(name, changed);
              return { status: row.success, body: shuffle(show(changed), store.countResponse()) };
            },
          },
        ];
  return [
    ...route(operations.get, undefined),
    ...route(operations.update, update),
    ...route(operations.put, (_item, body) => body),
  ];
}
