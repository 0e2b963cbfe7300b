// Roles that others delete and create while an apply reads and changes them, so that their number stays the same.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/model/clock.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { type RecordedRequest, type ScriptedAnswer, startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { openTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

type Role = NonNullable<Seed['roles']>[number];

const api = 'https://orders.example/';
const held = [{ resource_server_identifier: api, permission_name: 'read' }];
const pageLength = 3;
/** In the order of the list. The first role of a page is missed if one before it is gone when its page is read. */
const names = ['A1', 'A2', 'A3', 'Help', 'M1', 'M2', 'N1', 'Old', 'Z1'];
const seed: Seed = {
  resource_servers: [{ identifier: api, scopes: [{ value: 'read' }] }],
  roles: names.map((name) => ({ id: `rol_${name}`, name, description: `Is ${name}` })),
};
const renamed = '{ name: Support, renamed_from: Help, description: Is Help }';
const policy = `
rate_limit_policies:
  - { consumer_selector: default, configuration: { action: allow } }
`;
const files = (help: string) => `
tenant: { api: full }
roles:
  - ${help}
  - { name: M1, description: Is M1 }
  - { name: Old, absent: true }
  - { name: Billing, description: Bills, permissions: { "${api}": [read] } }
  - { name: Zones, description: Zoned, permissions: { "${api}": [read] } }
`;
const writesOfAll = [
  'DELETE /roles/Old',
  'PATCH /roles/Help Support',
  'POST /roles Billing',
  'POST /roles Zones',
  'POST /roles/Billing/permissions',
  'POST /roles/Zones/permissions',
];

/** What others delete and create at the same time. */
type Swap = readonly [gone: string | null, created: string | null];

interface Others {
  /** After the response to this page of this complete pass over the list; both count from 1. */
  listed?(pass: number, page: number): Swap | null;
  /** With the response to a write of the run. Passes count from the last one. */
  written?(write: string): Swap | null;
}

interface Scene extends Others {
  readonly help?: string;
  readonly clock?: Clock;
  /** A policy is created as well. Its response waits for this. */
  readonly slow?: Promise<void>;
}

/** Applies files to a tenant with small pages that others change meanwhile. */
async function apply({ help = renamed, clock = startFakeClock(Date.now()), listed, written, slow }: Scene) {
  const tenant = await openTenant(seed);
  const token = await tenant.token();
  const rolesNow = () => tenant.snapshot()['roles'] as readonly Role[];
  const nameOf = (id: string) => rolesNow().find((role) => role.id === id)?.name ?? id;
  const writes: string[] = [];
  const refused: string[] = [];
  let [pass, foreign] = [0, 0];
  const swap = async (one: Swap | null | undefined) => {
    if (!one) return;
    const [gone, created] = one;
    foreign += 1;
    const more = created === null ? [] : [{ id: `rol_f${foreign}`, name: created, description: 'Foreign' }];
    await tenant.change((state) => {
      state['roles'] = [...(state['roles'] as Role[]).filter(({ name }) => name !== gone), ...more];
    });
  };
  const respond = async ({ method, path, body }: RecordedRequest): Promise<ScriptedAnswer> => {
    const url = new URL(path, tenant.origin);
    const [, , , resource = '', id, part] = url.pathname.split('/');
    const isList = method === 'GET' && resource === 'roles' && id === undefined;
    if (isList) url.searchParams.set('per_page', `${pageLength}`);
    const page = Number(url.searchParams.get('page')) + 1;
    const isComplete = isList && !url.searchParams.has('name_filter');
    if (isComplete && page === 1) pass += 1;
    const named = resource === 'roles' && part === undefined && body !== '' ? ` ${JSON.parse(body).name}` : '';
    const line = `${method} ${['', resource, id && nameOf(id), part].filter((one) => one !== undefined).join('/')}${named}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await tenant.fetch(new Request(url, { method, headers, ...(body !== '' && { body }) }));
    if (method !== 'GET') {
      writes.push(line);
      if (response.status >= 400) refused.push(`${line}: ${response.status}`);
      const one = written?.(line);
      if (one) pass = 0;
      await swap(one);
    }
    const answer = { status: response.status, body: await response.text() };
    if (isComplete) await swap(listed?.(pass, page));
    return answer;
  };
  // Pages are requested together. They are read one after the other, in their order.
  let last: Promise<unknown> = Promise.resolve();
  const server = await startFaultServer(async (request) => {
    if (request.method === 'POST' && request.path.endsWith('/rate-limit-policies')) await slow;
    const answer = last.then(() => respond(request));
    last = answer.catch(() => {});
    return answer;
  });
  try {
    const argv = [
      'apply',
      await folder({ 'tenant.yaml': files(help) + (slow === undefined ? '' : policy) }),
      '--format',
      'json',
      '--yes',
    ];
    const { code, stdout } = await runCommand(argv, {
      clock,
      env: { TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: token },
    });
    const { plan, outcomes } = JSON.parse(stdout) as Partial<OutcomesDocument>;
    const errors = plan?.findings.filter(({ severity }) => severity !== 'note').map(({ code: one }) => one);
    return {
      code,
      // Items are written together.
      writes: writes.toSorted(),
      refused,
      open: outcomes?.filter(({ outcome }) => outcome !== 'done') ?? [],
      errors: errors ?? [],
      roles: rolesNow(),
    };
  } finally {
    await server.close();
  }
}

/** Of these names, each with its id or without one, and how often it is there. */
const there = (roles: readonly Role[], ...wanted: readonly string[]) =>
  wanted.map((name) =>
    roles
      .filter((role) => role.name === name)
      .map(({ id }) => (id.length > 9 ? 'new' : id))
      .join(),
  );

/** In the first two passes the first role of the second page is missed, and one is on two pages: others swap two roles twice. */
const twice =
  (first: string): NonNullable<Scene['listed']> =>
  (pass, page) => {
    if (pass > 2 || page > 2) return null;
    if (pass === 1) return page === 1 ? [first, 'Z2'] : ['Z2', 'A0'];
    return page === 1 ? ['A0', 'Z3'] : ['Z3', 'A4'];
  };

describe('a role that two passes miss, because others have moved it each time,', () => {
  const complete = { code: 0, refused: [], open: [], errors: [] };

  test('is renamed, and not created again', async () => {
    const { roles, writes, ...rest } = await apply({ listed: twice('A1') });
    expect({ writes, ...rest }).toEqual({ writes: writesOfAll, ...complete });
    expect(there(roles, 'Support', 'Help', 'M1', 'Old')).toEqual(['rol_Help', '', 'rol_M1', '']);
    expect(there(roles, 'Billing', 'Zones')).toEqual(['new', 'new']);
  });

  test('is not created again if it is declared as it is', async () => {
    const { roles, writes, ...rest } = await apply({
      listed: twice('A1'),
      help: '{ name: Help, description: Is Help }',
    });
    expect({ writes, ...rest }).toEqual({
      writes: writesOfAll.filter((line) => !line.startsWith('PATCH')),
      ...complete,
    });
    expect(there(roles, 'Help', 'M1')).toEqual(['rol_Help', 'rol_M1']);
  });

  test('is renamed while the run writes, and others delete as many roles as it creates', async () => {
    const clock = startFakeClock(Date.now());
    let respond = () => {};
    const slow = new Promise<void>((resolve) => {
      respond = resolve;
    });
    let isReadAgain = false;
    const { roles, writes, ...rest } = await apply({
      written: (line) => {
        if (line === 'POST /roles Billing') return ['A1', null];
        if (line === 'POST /roles Zones') return ['Z1', null];
        if (/^(PATCH|DELETE)/.test(line)) respond();
        if (line !== 'POST /roles/Zones/permissions') return null;
        // By then the role has to be read again.
        clock.advance(11_000);
        isReadAgain = true;
        return [null, null];
      },
      listed: (pass, page) => {
        if (isReadAgain && pass === 2 && page === 3) respond();
        return isReadAgain ? twice('A2')(pass, page) : null;
      },
      clock,
      slow,
    });
    expect({ writes, ...rest }).toEqual({
      writes: ['POST /rate-limit-policies', ...writesOfAll].toSorted(),
      ...complete,
    });
    expect(there(roles, 'Support', 'Help', 'Billing', 'Zones')).toEqual(['rol_Help', '', 'new', 'new']);
    expect(
      roles.filter(({ name }) => ['Billing', 'Zones'].includes(name)).map(({ permissions }) => permissions),
    ).toEqual([held, held]);
  });
});

test('roles that move in every pass are not known: that is said, and nothing is sent', async () => {
  let swaps = 0;
  const { code, writes, errors, roles } = await apply({
    listed: () => {
      swaps += 1;
      const [gone, created] = swaps % 2 === 1 ? ['A', 'Z'] : ['Z', 'A'];
      return [swaps === 1 ? 'A1' : `${gone}9`, `${created}9`];
    },
  });
  expect({ code, writes, errors }).toEqual({ code: 4, writes: [], errors: ['LIVE_LISTING_INCOMPLETE'] });
  expect(there(roles, 'Help', 'M1', 'Old')).toEqual(['rol_Help', 'rol_M1', 'rol_Old']);
});

test('a role that others create in place of one that is to be deleted is not deleted', async () => {
  const clock = startFakeClock(Date.now());
  const { code, writes, open, roles } = await apply({
    written: (line) => {
      if (line !== 'PATCH /roles/Help Support') return null;
      clock.advance(11_000);
      return ['Old', 'Old'];
    },
    clock,
  });
  expect({ code, open, writes }).toMatchObject({
    code: 4,
    open: [{ id: 'roles/Old', outcome: 'conflict' }],
    writes: writesOfAll.filter((line) => !line.startsWith('DELETE')),
  });
  expect(there(roles, 'Old')).toEqual(['rol_f1']);
});
