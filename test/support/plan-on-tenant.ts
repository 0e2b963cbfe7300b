import { openReadConnection } from '../../src/client/read-connection.ts';
import { systemClock } from '../../src/client/system-clock.ts';
import type { Session } from '../../src/engine/connected.ts';
import { planFor } from '../../src/engine/make-plan.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { everything } from '../../src/plan/selection.ts';
import { harbourFiles, type Written } from './harbour.ts';
import { snapshotOf } from './snapshot-of.ts';
import { testClient } from './start-tenant.ts';
import { tenantWith } from './tenant-with.ts';

type Sections = Readonly<Record<string, readonly Written[]>>;

interface OnTenant {
  readonly kinds: readonly AnyKind[];
  /** Sections of the seed, also of kinds that are not registered. */
  readonly seed: Readonly<Record<string, readonly object[]>>;
  /** Sections, as in the files. */
  readonly files: Sections | ((baseUrl: string) => Sections);
  readonly header?: TenantHeader;
  readonly rotate?: readonly string[];
}

/** The plan of these kinds, registered or not, on an embedded tenant. */
export async function planOnTenant({ kinds, seed, files, header = {}, rotate = [] }: OnTenant): Promise<Plan> {
  const { baseUrl } = await tenantWith(seed as Seed);
  const credentials = { clientId: testClient.client_id, clientSecret: testClient.client_secret };
  const connection = openReadConnection({ baseUrl, credentials, clock: systemClock });
  const canonical = Object.entries(typeof files === 'function' ? files(baseUrl) : files).map(([name, items]) => {
    const kind = kinds.find((one) => one.name === name);
    const form = ({ state = 'present', ...value }: Written) => ({
      ...(kind?.canonical?.(value).value ?? value),
      state,
    });
    return [name, items.map(form)] as const;
  });
  const options = { kinds, clock: systemClock, toolVersion: '0.0.0', tenant: { credentials, baseUrl } };
  const loaded = { desired: harbourFiles(Object.fromEntries(canonical), header, kinds) };
  try {
    return await planFor(
      { options, loaded, connection, baseUrl } as unknown as Session,
      { ...everything, rotate: [...rotate] },
      { snapshot: snapshotOf(connection.reader), guarded: true, inspects: true },
    );
  } finally {
    await connection.close();
  }
}

/** `CODE severity kind/key: message`, of every action. */
export function effectsIn({ actions }: Pick<Plan, 'actions'>): string[] {
  return actions.flatMap(({ effects }) =>
    effects.map(({ code, severity, kind, key, message }) => `${code} ${severity} ${kind}/${key}: ${message}`),
  );
}
