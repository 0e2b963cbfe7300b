import type { Reader } from '../../src/model/reader.ts';
import type { Seed } from '../../src/model/seed.generated.ts';

/** Reads what a tenant with this seed would return, without a tenant: a thousand readings take no time. */
export function seedReader(seed: Seed): Reader {
  const lists: Readonly<Record<string, (id: string | undefined) => readonly object[] | undefined>> = {
    list_rate_limit_policies: () => seed.rate_limit_policies,
    list_roles: () => seed.roles,
    list_role_permissions: (id) => seed.roles?.find((role) => role.id === id)?.permissions,
    list_resource_servers: () => seed.resource_servers?.map((api, index) => ({ id: `api_${index}`, ...api })),
    list_event_streams: () => seed.event_streams,
  };
  const passes = (item: object, [filter, value]: readonly [string, unknown]) =>
    filter === 'name_filter'
      ? 'name' in item && String(item.name).includes(String(value))
      : (item as Readonly<Record<string, unknown>>)[filter] === value;
  return {
    list: async <Query extends object, Item>(
      { id }: { readonly id: string },
      { type: _type, ...filters }: Query & { readonly type?: string },
      params?: { readonly id?: string },
    ) => {
      const all = lists[id]?.(params?.id) ?? [];
      const items = all.filter((item) => Object.entries(filters).every((filter) => passes(item, filter)));
      return { ok: true as const, items: items as readonly object[] as readonly Item[] };
    },
    get: async <Returned>(_operation: unknown, { prompt = '' }: Readonly<Record<string, string>>) => ({
      ok: true as const,
      value: (seed.prompts?.[prompt]?.partials ?? {}) as Returned,
    }),
    count: async () => ({ ok: true as const, value: { items: 0, hasMore: false } }),
  };
}
