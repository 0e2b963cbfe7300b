// Which roles have a scope that is removed: roles and permissions are lists of several pages that others change.
import { describe, expect, test } from 'vitest';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { runCommand } from '../support/run-command.ts';
import { fixedClock, type StartedTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const orders = 'https://orders.example/';
const scopes = ['keep', 'refund'];

type Role = NonNullable<Seed['roles']>[number];

/** The role at this position, from 0; the first one of the second page has the scope that is removed. */
const roleAt = (index: number, holder = 100): Role => ({
  id: `rol_${String(index).padStart(3, '0')}`,
  name: index === holder ? 'r-100 Payment Ops' : `r-${String(index).padStart(3, '0')}`,
  permissions: [pair('keep'), ...(index === holder ? [pair('refund')] : [])],
});

interface Case {
  readonly roles?: readonly Role[];
  readonly header?: string;
  /** More of the files. */
  readonly more?: string;
  /** Other clients: called after each response to a listing of roles or permissions, with its number from 1. */
  readonly change?: (roles: Role[], listing: string, responses: number) => void;
}

async function scene({ roles = [], header = '', more = '', change = () => {} }: Case) {
  let responses = 0;
  let changed = Promise.resolve();
  const values = scopes.map((value) => ({ value }));
  const tenant: StartedTenant = await tenantWith(
    { resource_servers: [{ id: '5f0000000000000000000001', identifier: orders, scopes: values }], roles: [...roles] },
    {
      // A request is handled when what others changed before it is stored.
      latencyMs: 1,
      clock: { ...fixedClock, sleep: () => changed },
      onRequest: ({ operation, path, query }) => {
        if (operation !== 'list_roles' && operation !== 'list_role_permissions') return;
        responses += 1;
        const listing = `${path.replace('/api/v2', '')}${/[?&]page=(\d+)/.exec(query)?.[1] ?? 0}`;
        changed = tenant.tenant.change((state) => change(state.roles ?? [], listing, responses));
      },
    },
  );
  const api = `resource_servers:\n  - { identifier: ${orders}, scopes: [{ value: keep }] }\n`;
  const cwd = await folder({ 'a.yaml': `tenant: { name: acme${header} }\n${api}${more}` });
  const run = async (command: string, ...options: readonly string[]) => {
    const confirm = command === 'apply' && !options.includes('--yes') ? { confirm: () => true } : {};
    const all = [command, cwd, '--format', 'json', ...options];
    const { code, stdout } = await runCommand(all, { env: tenant.env, ...confirm });
    return { code, document: JSON.parse(stdout) };
  };
  return {
    run,
    requests: () => tenant.tenant.requests.flatMap(({ operation }) => operation ?? []),
    live: () => tenant.tenant.snapshot().resource_servers?.[0]?.scopes?.map(({ value }) => value),
  };
}

const many = Array.from({ length: 130 }, (_, index) => roleAt(index));
const protects = ', protect: { roles: ["r-100 Payment Ops"] }';
const count = (all: readonly string[], name: string) => all.filter((one) => one === name).length;

let created = 0;
const empty = (name: string): Role => {
  created += 1;
  return { id: `rol_new_${created}`, name: `${name}-${created}`, permissions: [] };
};

/** Another client deletes the first role and creates one on the last page, so that the total stays the same. */
function slip(roles: Role[]): void {
  roles.shift();
  roles.push(empty('z'));
}

describe('a role that moves to a page of the listing that was read before', () => {
  const onceMoved = () => {
    let moved = false;
    return (roles: Role[], listing: string) => {
      if (moved || listing !== '/roles0') return;
      moved = true;
      slip(roles);
    };
  };

  test('keeps a scope that it has if it is protected', async () => {
    const { run, live } = await scene({ roles: many, header: protects, change: onceMoved() });
    const { code, document } = await run('apply', '--yes');
    expect({ code, live: live() }).toEqual({ code: 0, live: scopes });
    expect((document as OutcomesDocument).plan.findings).toMatchObject([{ code: 'LIVE_PROTECTED', key: orders }]);
  });

  test('is a loss and an effect', async () => {
    const { run } = await scene({ roles: many, change: onceMoved() });
    const { document } = await run('plan');
    expect(document.actions[0].effects).toMatchObject([
      { code: 'SCOPE_REMOVED' },
      { code: 'ACCESS_LOST', key: 'r-100 Payment Ops', permissions: ['refund'] },
    ]);
  });

  test('again and again: roles are not known, and nothing is removed', async () => {
    let readings = 0;
    const change = (roles: Role[], listing: string) => {
      if (listing === '/roles0') {
        readings += 1;
        if (readings % 2 === 1) slip(roles);
      } else if (listing === '/roles1' && readings % 2 === 1) {
        // Back to the beginning of the second page. Roles are listed by their names.
        roles.pop();
        roles.unshift(empty('a'));
      }
    };
    const { run, live } = await scene({ roles: many, change });
    const { code, document } = await run('plan');
    expect({ code, actions: document.actions, live: live() }).toEqual({ code: 4, actions: [], live: scopes });
    expect(document.findings).toMatchObject([{ code: 'LIVE_LISTING_INCOMPLETE' }]);
  });
});

test('a permission that moves between two pages of those of a role is a loss', async () => {
  // Permissions are listed by their names.
  const others = (letter: string) => Array.from({ length: 100 }, (_, index) => pair(`${letter}-${index}`));
  const permissions = [...others('a'), pair('refund'), ...others('z').slice(1)];
  let moved = false;
  const { run, requests } = await scene({
    roles: [{ id: 'rol_1', name: 'Payment Ops', permissions }, roleAt(1), roleAt(2)],
    change: (roles, listing) => {
      if (moved || listing !== '/roles/rol_1/permissions0') return;
      moved = true;
      const role = roles.find(({ id }) => id === 'rol_1');
      const [, ...rest] = role?.permissions ?? [];
      Object.assign(role ?? {}, { permissions: [...rest, pair('z-0')] });
    },
  });
  const { document } = await run('plan');
  expect(document.actions[0].effects).toMatchObject([{ code: 'SCOPE_REMOVED' }, { code: 'ACCESS_LOST' }]);
  // It is not there in the first reading; the second and the third agree. Lists of one page are read once.
  expect([count(requests(), 'list_roles'), count(requests(), 'list_role_permissions')]).toEqual([1, 3 * 2 + 2]);
});

describe('what is read before a scope is removed', () => {
  test('the listing of roles once more where it has several pages', async () => {
    const { run, requests } = await scene({ roles: many });
    await run('plan');
    expect([count(requests(), 'list_roles'), count(requests(), 'list_role_permissions')]).toEqual([4, 130]);
    expect(count(requests(), 'list_resource_servers')).toBe(1);
  });

  test('all of it once more right before the request, also within --max-staleness', async () => {
    const granted = (roles: Role[], _listing: string, responses: number) => {
      // The last response of the plan.
      if (responses === 3) roles[1]?.permissions?.push(pair('refund'));
    };
    const roles = [roleAt(0, 0), roleAt(1, 0)];
    const { run, live, requests } = await scene({ roles, change: granted });
    const { code, document } = await run('apply', '--yes');
    expect({ code, live: live() }).toEqual({ code: 4, live: scopes });
    expect(document.outcomes).toMatchObject([{ outcome: 'conflict', message: expect.stringContaining('roles/r-001') }]);
    const sent = requests().filter((one) => one !== 'token');
    const reading = ['list_resource_servers', 'list_roles', 'list_role_permissions', 'list_role_permissions'];
    // Requests that do not wait for each other arrive in any order.
    expect([sent.slice(0, 4), sent.slice(4, 6), sent.slice(6)].map((some) => some.toSorted())).toEqual([
      reading.toSorted(),
      ['list_role_groups', 'list_role_users'],
      reading.toSorted(),
    ]);
  });

  test.each([['--yes'], ['--max-staleness=0', '--yes'], []])(
    'shows no loss by the scope where the files take it from the role first: %s',
    async (...options) => {
      const more = `roles:\n  - { name: r-100 Payment Ops, permissions: { ${orders}: [keep] } }\n`;
      const { run, live } = await scene({ roles: [roleAt(100), roleAt(101)], more });
      const { code, document } = await run('apply', ...options);
      expect({ code, live: live() }).toEqual({ code: 0, live: ['keep'] });
      expect(document.outcomes).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
    },
  );
});
