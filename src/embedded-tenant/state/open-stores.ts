/** One store per resource, opened from one state. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { RouteContext, Stores, TenantResource, TenantStore } from '../../model/tenant-resource.ts';
import type { TenantSnapshot } from './seed.ts';

export interface OpenStores extends Stores {
  /** What the routes of a resource get: its own store, and the stores of the resources that it uses. */
  contextOf(resource: TenantResource): RouteContext;
  snapshot(): TenantSnapshot;
}

export function openStores(resources: readonly TenantResource[], state: TenantSnapshot, clock: Clock): OpenStores {
  const stores = new Map(resources.map((resource) => [resource.section, resource.openStore(state[resource.section])]));
  const now = () => new Date(clock.now());
  const contexts = new Map(resources.map((resource) => [resource.section, contextOf(resource)]));

  function contextOf({ section, uses = [] }: TenantResource): RouteContext {
    const allowed = new Set([section, ...uses.map((used) => used.section)]);
    return {
      store: found(stores, section),
      stores: {
        get(resource) {
          if (!allowed.has(resource.section))
            throw new InternalError(`${section} uses the store of ${resource.section} without listing it in "uses"`);
          return get(resource);
        },
      },
      newId: (prefix, version) => newId(prefix, version, now()),
      now,
    };
  }

  // A section has one resource, so its store has the type that the resource opens.
  function get<Store extends TenantStore>({ section }: Parameters<Stores['get']>[0]): Store {
    return found(stores, section) as Store;
  }

  return {
    get,
    contextOf: ({ section }) => found(contexts, section),
    snapshot() {
      const sections = [...stores].map(([section, store]) => [section, store.snapshot()] as const);
      return Object.fromEntries(sections.filter(([, section]) => section !== undefined));
    },
  };
}

function found<Value>(values: ReadonlyMap<string, Value>, section: string): Value {
  const value = values.get(section);
  if (value === undefined) throw new InternalError(`the embedded tenant has no resource ${section}`);
  return value;
}

const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * A prefix and a UUID in base 58, in the service's own alphabet (public facts 1.4, 4.3). Version 7 contains the time in
 * milliseconds, version 4 is random. Short numbers are padded, so that all ids of a prefix have one length.
 */
function newId(prefix: string, version: 4 | 7, now: Date): string {
  const bytes = randomBytes(16);
  if (version === 7) bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const length = version === 7 ? 21 : 22;
  return `${prefix}_${base58(BigInt(`0x${bytes.toString('hex')}`)).padStart(length, digits[0])}`;
}

function base58(number: bigint): string {
  return number === 0n ? '' : `${base58(number / 58n)}${digits[Number(number % 58n)]}`;
}
