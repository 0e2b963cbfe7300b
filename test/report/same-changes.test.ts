// Reports of several tenants: what some of them have in common is one document.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problem } from '../../src/diagnostics/problem.ts';
import type { Outcome } from '../../src/model/outcomes.generated.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import {
  type FormatContext,
  isViewed,
  joined,
  type PlanDocument,
  planOf,
  type ReportDocument,
  type ViewedDocument,
} from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { ofTenants } from '../../src/report/of-tenants.ts';
import { renderDocument } from '../../src/report/render-report.ts';
import { sameChanges } from '../../src/report/same-changes.ts';
import { composeView } from '../../src/report/view/compose-view.ts';
import { buildAction, deletePolicy } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';
import { context as basic } from './sample-reports.ts';

const context: FormatContext = { ...basic, version: '1.2.3' };
const tenantOf = (name: string) => ({ name, base_url: `https://${name}.example/api/v2`, api: 'full' }) as const;

function planDocument(name: string, parts: Partial<Plan> = {}, type: PlanDocument['type'] = 'plan'): PlanDocument {
  return { type, plan: buildPlan({ tenant: tenantOf(name), ...parts }), diagnostics: [] };
}

async function text(documents: readonly ReportDocument[], format: FormatName = 'text'): Promise<string> {
  const render = await formatRow(format).load();
  return joined(render(sameChanges(documents), context));
}

/** The groups of a report, without its totals and the errors of other runs. */
function groupsOf(documents: readonly ReportDocument[]): ViewedDocument[] {
  return [...sameChanges(documents)].filter(isViewed).slice(1);
}

/** A change, a finding or a refusal with this number, on this tenant: with ids and places of its own. */
const elements: readonly ((number: number, tenant: string) => Partial<Plan>)[] = [
  (number, tenant) => ({
    actions: [
      deletePolicy(`client_id:${number}`, `rlp_${tenant}_${number}`, {
        effects:
          number % 2 === 0
            ? []
            : [{ code: 'POLICY_FALLBACK', severity: 'critical', message: `effect ${number}`, kind: 'roles', key: 'a' }],
      }),
    ],
  }),
  (number, tenant) => ({
    actions: ['add', 'remove'].map((part) =>
      buildAction({
        kind: 'event_streams',
        key: `stream-${number}`,
        part,
        action: 'update',
        reason: 'different',
        changes: [{ field: part, before: number, after: 0 }],
        source: { file: `${tenant}.yaml`, line: number + 1, column: 1 },
      }),
    ),
  }),
  (number) => ({ findings: [buildFinding('LIVE_PROTECTED', { key: `kept-${number}` })] }),
  (number) => ({ findings: [buildFinding('LIVE_MISSING', { key: `missing-${number}` })] }),
  (number) => ({ refusals: [buildRefusal([`event_streams/${number}`], { message: `would delete ${number}` })] }),
];

const anyElement = fc.tuple(fc.nat(elements.length - 1), fc.nat(3));
const anyFleet = fc.array(fc.uniqueArray(anyElement, { selector: String, maxLength: 6 }), {
  minLength: 2,
  maxLength: 6,
});

function fleetOf(tenants: readonly (readonly (readonly [number, number])[])[]): PlanDocument[] {
  return tenants.map((of, index) => {
    const name = `tenant-${index}`;
    const parts = of.map(([which, number]) => elements[which]?.(number, name) ?? {});
    return planDocument(name, {
      actions: parts.flatMap(({ actions = [] }) => actions),
      findings: parts.flatMap(({ findings = [] }) => findings),
      refusals: parts.flatMap(({ refusals = [] }) => refusals),
    });
  });
}

function isOf(group: ViewedDocument['group']): (name: string) => boolean {
  return (name) => group?.tenants.includes(name) === true;
}

/** What a plan has, without what differs by tenant. */
function contentOf({ actions, findings, refusals }: Plan): string[] {
  return [
    ...actions.map(({ kind, key, part }) => `${kind}/${key}#${part}`),
    ...findings.map(({ code, key }) => `${code} ${key}`),
    ...refusals.map(({ message }) => message),
  ].sort();
}

describe('laws', () => {
  test('everything of every tenant is in exactly one group that names it', () => {
    fc.assert(
      fc.property(anyFleet, (tenants) => {
        const fleet = fleetOf(tenants);
        const groups = groupsOf(fleet);
        for (const { plan } of fleet) {
          const own = groups.filter(({ group }) => group?.tenants.includes(plan.tenant.name));
          expect(own.flatMap((group) => contentOf(planOf(group))).sort()).toEqual(contentOf(plan));
          expect(own.length).toBeGreaterThan(0);
        }
        for (const { group } of groups) {
          const others = groups.filter((other) => other.group !== group && other.group?.tenants.some(isOf(group)));
          expect(group?.isPart).toBe(others.length > 0);
        }
        const sets = groups.map(({ group }) => group?.tenants.join());
        expect(new Set(sets).size).toBe(sets.length);
      }),
      propertyRuns(1_000),
    );
  });

  test('a group says of its tenants what the report of each of them says', () => {
    const rowsOf = (document: ViewedDocument) =>
      composeView(document, context).sections.flatMap(({ rows }) =>
        rows.map(
          ({ sign, kind, key, what, sentence }) =>
            `${sign} ${kind} ${key} ${what.replace(/id [\w-]+, /, '')} ${sentence}`,
        ),
      );
    fc.assert(
      fc.property(anyFleet, (tenants) => {
        const fleet = fleetOf(tenants);
        for (const group of groupsOf(fleet))
          for (const name of group.group?.tenants ?? []) {
            const own = fleet.find(({ plan }) => plan.tenant.name === name);
            expect(own && rowsOf(own)).toEqual(expect.arrayContaining(rowsOf(group)));
          }
      }),
      propertyRuns(1_000),
    );
  });

  test('every group with changes has a name of its own, and what a tenant refers to is the name of another group', () => {
    fc.assert(
      fc.property(anyFleet, (tenants) => {
        const groups = groupsOf(fleetOf(tenants));
        const names = groups.flatMap((one) => {
          const { tenant, actions } = planOf(one);
          return actions.length === 0 ? [] : tenant.name.toLowerCase();
        });
        expect(new Set(names).size).toBe(names.length);
        for (const { group } of groups) {
          const also = group?.also?.map((name) => name.toLowerCase()) ?? [];
          expect(also).toEqual([...new Set(also)]);
          expect(names).toEqual(expect.arrayContaining(also));
        }
      }),
      propertyRuns(1_000),
    );
  });

  test('the order of the documents changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFleet,
        fc.constantFrom<FormatName>('text', 'markdown', 'html', 'github'),
        async (tenants, format) => {
          const fleet = fleetOf(tenants);
          expect(await text(fleet.toReversed(), format)).toBe(await text(fleet, format));
        },
      ),
      propertyRuns(1_000),
    );
  });

  test('urgent groups come first, and then what more tenants share', () => {
    fc.assert(
      fc.property(anyFleet, (tenants) => {
        const ranks = groupsOf(fleetOf(tenants)).map((document) => {
          const { actions, refusals } = planOf(document);
          const isCritical = actions.some(({ effects }) => effects.length > 0);
          return [refusals.length > 0 ? 0 : isCritical ? 1 : 2, -(document.group?.tenants.length ?? 0)] as const;
        });
        const urgent = ranks.map(([rank]) => rank);
        expect(urgent).toEqual(urgent.toSorted());
        const critical = ranks.filter(([rank]) => rank === 1).map(([, size]) => size);
        expect(critical).toEqual(critical.toSorted((one, other) => one - other));
      }),
      propertyRuns(1_000),
    );
  });
});

describe('documents stay as they are', () => {
  const one = planDocument('acme', { actions: [deletePolicy('a')] });
  const again = planDocument('acme', { actions: [deletePolicy('b')] });
  const errors = { type: 'diagnostics', command: 'plan', diagnostics: [], files: 0 } as const;

  test.each([
    ['one', [one]],
    ['one with errors of another run', [one, errors]],
    ['several of one tenant', [one, again]],
    ['several of one tenant among others', [one, planDocument('globex'), again]],
    ['errors', [errors, errors]],
  ])('%s', (_, documents) => {
    expect(sameChanges(documents)).toBe(documents);
  });

  test('what is of one tenant alone is printed as its report, with its digest', async () => {
    const printed = await text([one, planDocument('globex')]);
    expect(printed).toContain(renderDocument(one, 'text', context));
  });
});

describe('the same', () => {
  const change = (tenant: string, parts: Partial<Action> = {}) =>
    planDocument(tenant, { actions: [deletePolicy('a', `rlp_${tenant}`, parts)] });
  const titles = (documents: readonly ReportDocument[]) => groupsOf(documents).map((one) => planOf(one).tenant.name);

  test('without ids, places and requests', () => {
    const other = change('b', { needs: ['x'], precondition: 'absent' });
    expect(titles([change('a'), other])).toEqual(['The same change on 2 tenants']);
  });

  test('without the ids and times of an item that stays', () => {
    const updated = (tenant: string, parts: object = {}) =>
      planDocument(tenant, {
        actions: [
          buildAction({
            key: 'a',
            action: 'update',
            before: { id: `rol_${tenant}`, updated_at: tenant, name: 'a', description: 'old' },
            after: { id: `rol_${tenant}`, updated_at: tenant, name: 'a', description: 'new', ...parts },
          }),
        ],
      });
    const documents = [updated('a'), updated('b'), updated('c', { description: 'newer' })];
    expect(titles(documents)).toEqual(['The same change on 2 tenants', 'c']);
    expect(JSON.stringify(groupsOf(documents)[0])).not.toContain('rol_');
  });

  const loss = { code: 'ACCESS_LOST', severity: 'warning', message: 'loses a', kind: 'roles', key: 'a' } as const;

  test.each<[string, readonly object[], string]>([
    ['equal ones', [{ users: 3 }, { users: 3 }], 'assigned to 3 users'],
    ['users', [{ users: 1200 }, { users: 3 }, { users: 30 }], 'assigned to 3 to 1,200 users'],
    ['no users', [{ users: 0 }, { users: 1 }], 'assigned to 0 to 1 user'],
    [
      'groups',
      [
        { users: 2, groups: 0 },
        { users: 2, groups: 5 },
      ],
      'assigned to 2 users and 0 to 5 groups',
    ],
    [
      'groups of which some were not counted',
      [{ groups: 9, more_groups: true }, { groups: 1 }],
      'at least 1 to 9 groups',
    ],
  ])('with a range for counts: %s', async (_, counts, words) => {
    const documents = counts.map((count, index) => change(`tenant-${index}`, { effects: [{ ...loss, ...count }] }));
    expect(titles(documents)).toEqual([`The same change on ${counts.length} tenants`]);
    for (const format of ['text', 'markdown', 'html', 'github'] as const)
      expect(await text(documents, format)).toContain(words);
  });

  test('with a range for the counts of a refusal that one review covers, and with another one by its names', async () => {
    const refused = (tenant: string, message: string, review = 'c0de') =>
      planDocument(tenant, { refusals: [buildRefusal(['rate_limit_policies/x'], { message })], review });
    const [one, two] = ['would delete 5 of 40 items; the limit is 4', 'would delete 5 of 120 items; the limit is 4'];
    const shared = [refused('a', one), refused('b', two)];
    expect(groupsOf(shared)).toHaveLength(1);
    expect(await text(shared)).toContain('would delete 5 of 40 to 120 items; the limit is 4');
    expect(groupsOf([refused('a', one), refused('b', two, 'other')])).toHaveLength(2);
    expect(groupsOf([refused('a', one), refused('b', 'would empty 1 item')])).toHaveLength(2);
  });

  test.each<[string, Partial<Action>]>([
    ['the value before', { before: { id: 'rlp_b', limit: 2 } }],
    ['the value after', { after: { limit: 2 } }],
    ['the reason', { reason: 'absent' }],
    ['the origin', { origin: 'drift' }],
    ['whether the files have it', { source: { file: 'a.yaml', line: 1, column: 1 } }],
    ['what is lost', { effects: [{ ...loss, users: 3 }] }],
  ])('is another one by %s', (_, parts) => {
    expect(titles([change('a'), change('b', parts)])).toEqual(['a', 'b']);
  });

  test('is another one where users were not counted', () => {
    const counted = change('a', { effects: [{ ...loss, users: 3 }] });
    expect(titles([counted, change('b', { effects: [loss] })])).toEqual(['a', 'b']);
  });

  test('is another one if a tenant has it twice', () => {
    const duplicate = (id: string) => deletePolicy('a', id, { id: `rate_limit_policies/a#${id}`, reason: 'duplicate' });
    const documents = [
      planDocument('a', { actions: [duplicate('1'), duplicate('2')] }),
      planDocument('b', { actions: [duplicate('3')] }),
    ];
    expect(titles(documents)).toEqual(['a', 'b']);
  });

  test('is another one on an incomplete plan, or with another level of the API', () => {
    const { plan } = change('b');
    expect(titles([change('a'), { ...change('b'), plan: { ...plan, complete: false } }])).toEqual(['b', 'a']);
    const documented = { ...plan, tenant: { ...plan.tenant, api: 'documented' as const } };
    expect(titles([change('a'), { ...change('b'), plan: documented }])).toEqual(['a', 'b']);
  });

  test('refusals of a project share a code, which no group prints with the name of one tenant', async () => {
    const refused = (tenant: string, review?: string) =>
      planDocument(tenant, {
        refusals: [buildRefusal([`rate_limit_policies/x#rlp_${tenant}`], { approve: review ?? `code of ${tenant}` })],
        actions: [deletePolicy('x', `rlp_${tenant}`, { key: 'x' })],
        ...(review !== undefined && { review }),
      });
    const shared = [refused('a', 'c0de'), refused('b', 'c0de')];
    expect(titles(shared)).toEqual(['The same change on 2 tenants']);
    for (const format of ['text', 'markdown', 'html', 'github'] as const) {
      const printed = await text(shared, format);
      expect(printed).toContain('GUARD_TOO_MANY_DELETES');
      expect(printed).not.toMatch(/c0de|rlp_a/);
    }
    expect(titles([refused('a'), refused('b')])).toEqual(['a', 'b', 'The same change on 2 tenants']);
  });

  test('outcomes are the same if all of one apply are', () => {
    const applied = (tenant: string, message: string | null): ReportDocument => {
      const { plan } = change(tenant);
      const outcome = message === null ? 'done' : 'failed';
      const outcomes = plan.actions.map(({ id }) => ({ id, outcome, status: 204, message }) as const);
      return { type: 'outcomes', outcomes: buildOutcomes(plan, outcomes) };
    };
    const nothing: ReportDocument = { type: 'outcomes', outcomes: buildOutcomes(planDocument('d').plan, []) };
    const documents = [applied('a', null), applied('b', 'why'), applied('c', null), nothing];
    expect(titles(documents)).toEqual(['b', 'The same change on 2 tenants', 'd']);
  });
});

describe('errors', () => {
  const failed = (tenant: string, ...messages: readonly string[]): ReportDocument => ({
    type: 'diagnostics',
    command: 'plan',
    tenant,
    files: 0,
    diagnostics: messages.map((message) => problem('SERVICE_UNREACHABLE', `${tenant}: ${message}`, 'check the proxy')),
  });
  const down = 'The proxy p:1 cannot be used: ECONNREFUSED.';

  test('of all tenants are written once, below the totals', async () => {
    const fleet = [failed('a', down), failed('b', down), failed('c', down)];
    expect(await text(fleet)).toBe(
      `3 tenants   3 failed\n\nerror  SERVICE_UNREACHABLE\n  ${down} Affects all 3 tenants.\n  hint: check the proxy\n\n1 error\n`,
    );
    for (const format of ['markdown', 'html', 'github'] as const) {
      const printed = await text(fleet, format);
      expect(printed).toContain('3 tenants · 3 failed');
      expect(printed.match(/Affects all 3 tenants/g)).toHaveLength(1);
    }
  });

  test('of some tenants are written once, and those of one stay as they are', async () => {
    const fleet = [failed('a', down), failed('b', down, 'no b.'), failed('c', 'no c.'), planDocument('d')];
    const printed = await text(fleet);
    expect(printed).toMatch(/^4 tenants {3}3 failed {3}1 without changes\n/);
    expect([...printed.matchAll(/^ {2}(\S.*\.)$/gm)].map(([, line]) => line)).toEqual([
      `${down} Affects a, b.`,
      'b: no b.',
      'c: no c.',
    ]);
  });

  test('of all that began are those of some if the run did not begin others', () => {
    expect(sameChanges([failed('a', down), failed('b', down)], 3)).toMatchObject([
      { totals: ['5 tenants', '2 failed', '3 not begun'], diagnostics: [{ message: `${down} Affects a, b.` }] },
    ]);
  });

  test('that differ have totals as well', async () => {
    expect(await text([failed('a', 'no a.'), failed('b', 'no b.')])).toMatch(/^2 tenants {3}2 failed\n\nerror /);
  });
});

describe('every format names all tenants', () => {
  const names = Array.from({ length: 198 }, (_, index) => `customer-${index}`);
  const fleet = names.map((name) => planDocument(name, { actions: [deletePolicy('a', `rlp_${name}`)] }));

  test.each<FormatName>(['text', 'markdown', 'html', 'github'])('%s', async (format) => {
    const printed = await text(fleet, format);
    for (const name of names) expect(printed).toContain(name);
    expect(printed.match(/rlp_/g)).toBe(null);
    expect(printed.length).toBeLessThan(65_536);
  });

  test('as one annotation', async () => {
    expect((await text(fleet, 'github')).match(/^::.*$/gm)).toHaveLength(1);
  });
});

test.each([
  ['plan', 'changes', 'In sync.'],
  ['drift', 'differences', 'No drift.'],
] as const)('a %s of several tenants has no conclusion that is about some of them', async (type, noun, conclusion) => {
  const kept = buildFinding('LIVE_PROTECTED');
  const actions = [deletePolicy('x')];
  const fleet = [planDocument('a', { actions, findings: [kept] }, type), planDocument('b', { actions }, type)];
  const printed = await text(fleet);
  expect(printed).toMatch(/^a {2}https:\/\/a.example {3}notes\n.*also: the same/m);
  expect(printed).not.toContain(`no ${noun}`);
  expect(printed).not.toContain(conclusion);
  const agreeing = await text([planDocument('a', { findings: [kept] }, type), planDocument('b', {}, type)]);
  expect(agreeing).toContain(`2 without ${noun}`);
  expect(agreeing).not.toContain(conclusion);
  expect(await text([planDocument('a', {}, type)])).toContain(conclusion);
  const unread = { findings: [buildFinding('LIVE_NOT_CHECKED')] };
  const exceptions = await text([planDocument('a', unread, type), planDocument('b', unread, type)]);
  expect(exceptions).toContain(`${conclusion.slice(0, -1)}, except for what cannot be read`);
});

test('what is only a note states nothing about the changes of its tenants, and those without any are named once', async () => {
  const kept = buildFinding('LIVE_PROTECTED');
  const actions = [deletePolicy('x')];
  const refusals = [buildRefusal(['rate_limit_policies/x'])];
  const refused = [planDocument('a', { actions, refusals }), planDocument('b', { actions })];
  expect(await text(refused)).toMatch(/^a {2}https:\/\/a.example {3}REFUSED by 1 guard\n/m);
  expect(await text(refused)).not.toMatch(/notes|more than one group/);
  const unchanged = [
    planDocument('a', { findings: [kept, buildFinding('LIVE_UNMANAGED')] }),
    planDocument('b', { findings: [kept] }),
  ];
  const headings = async (documents: readonly ReportDocument[]) => (await text(documents)).match(/^\S.* {3}\S.*$/gm);
  expect(await headings(unchanged)).toEqual([
    '2 tenants   2 without changes',
    '2 tenants   no changes',
    'a  https://a.example   notes',
  ]);
  const approved = { approved_by: { by: 'tenant.approvals', source: null } } as const;
  const overruled = { refusals: [buildRefusal(['rate_limit_policies/x'], approved)] };
  const secret = buildFinding('LIVE_SECRET_NOT_COMPARED');
  const unmatched = buildFinding('RULE_UNMATCHED', { kind: 'tenant' });
  const fleet = [
    planDocument('a', { actions, findings: [secret], ...overruled }),
    planDocument('b', { actions, findings: [secret, kept] }),
    planDocument('c', { actions, findings: [secret], ...overruled }),
    planDocument('d', { findings: [secret, unmatched] }),
    planDocument('e', { scopes: { plan: ['read:roles'], apply: [] } }),
  ];
  expect(await headings(fleet)).toEqual([
    '5 tenants   3 with changes   2 without changes',
    'The same change on 3 tenants   1 change: 1 to delete',
    '4 tenants   notes',
    '2 tenants   1 guard overruled by tenant.approvals',
    'b  https://b.example   notes',
    '2 tenants   no changes',
    'd  https://d.example   notes',
  ]);
  expect(await text(fleet)).not.toContain('more than one group');
  const divided = [...fleet, planDocument('f', { actions: [...actions, deletePolicy('y')] })];
  expect(await text(divided)).toContain('A tenant can appear in more than one group.\n');
});

describe('tenants that need something', () => {
  const applied = (tenant: string, ...outcomes: readonly Partial<Outcome>[]): ReportDocument => {
    const actions = outcomes.map((_, index) => deletePolicy(`${index}`));
    const { plan } = planDocument(tenant, { actions });
    const all = actions.map(
      ({ id }, index) => ({ id, outcome: 'done', status: 204, message: null, ...outcomes[index] }) as const,
    );
    return { type: 'outcomes', outcomes: buildOutcomes(plan, all) };
  };
  const skipped = { outcome: 'not_attempted', message: 'not sent: what it needs is not done' } as const;
  const conflict = { outcome: 'conflict', message: 'it changed' } as const;
  const titles = (documents: readonly ReportDocument[]) => groupsOf(documents).map((one) => planOf(one).tenant.name);

  test.each<[string, readonly Partial<Outcome>[], string]>([
    ['a failure', [{ outcome: 'failed' }, conflict], '1 failed'],
    ['an unknown outcome', [{ outcome: 'unknown' }], '1 failed'],
    ['a change that was not sent', [{}, skipped], '1 failed'],
    [
      'an interruption before the first change',
      [{ outcome: 'not_attempted', message: 'not sent: SIGTERM' }],
      '1 failed',
    ],
    ['a conflict', [conflict, {}], '1 in conflict'],
    ['a conflict on which others depend', [conflict, skipped], '1 in conflict'],
    ['a refused apply', [{ outcome: 'not_attempted', message: 'GUARD_REFUSED, PLAN_STALE' }], '1 refused'],
  ])('%s is counted as what it is, and comes first', async (_, outcomes, words) => {
    const documents = [applied('a', {}), applied('b', {}, {}), applied('c', ...outcomes)];
    expect(await text(documents)).toMatch(new RegExp(`^3 tenants   ${words}   3 with changes$`, 'm'));
    expect(titles(documents)[0]).toBe('c');
  });

  test('come before critical changes of others: failed, then refused or incomplete', () => {
    const effect = { code: 'POLICY_FALLBACK', severity: 'critical', message: 'm', kind: 'x', key: 'x' } as const;
    const documents = [
      planDocument('a', { actions: [deletePolicy('a', 'a', { effects: [effect] })] }),
      planDocument('b', { actions: [deletePolicy('b')] }),
      planDocument('c', { actions: [deletePolicy('c')], complete: false }),
      planDocument('d', { actions: [deletePolicy('d')], refusals: [buildRefusal(['rate_limit_policies/d'])] }),
      planDocument('e', { findings: [buildFinding('LIVE_AMBIGUOUS', { severity: 'error' })] }),
    ];
    expect(titles(documents)).toEqual(['e', 'c', 'd', 'a', 'b']);
  });
});

test('an error names its only tenant once', () => {
  const differs = { code: 'APPLY_WAVE', severity: 'error', message: 'a: it differs from the files again.' } as const;
  const messages = ofTenants([['a', differs]], 2).map(({ message }) => message);
  expect(messages).toEqual(['a: it differs from the files again.']);
});

test('requests are counted once, for all tenants', async () => {
  const printed = await text(['a', 'b', 'c'].map((name) => planDocument(name, { actions: [deletePolicy('x', name)] })));
  expect(printed.match(/Apply sends .*/g)).toEqual(['Apply sends 3 requests in total.']);
  const refused = planDocument('d', {
    actions: [deletePolicy('y')],
    refusals: [buildRefusal(['rate_limit_policies/y'])],
  });
  const incomplete = planDocument('e', { actions: [deletePolicy('z')], complete: false });
  expect(await text([refused, incomplete])).not.toContain('Apply sends');
  expect(renderDocument(refused, 'text', context)).not.toContain('Apply sends');
  expect(await text([refused, incomplete, planDocument('a', { actions: [deletePolicy('x')] })])).toContain(
    'Apply sends 1 request in total.',
  );
});

test('tenants that the run did not begin are in the totals, and what is not known is not without changes', async () => {
  const render = await formatRow('text').load();
  const textOf = async (documents: readonly ReportDocument[], notBegun: number) =>
    (await joined(render(sameChanges(documents, notBegun), context))).split('\n')[0];
  const documents = [planDocument('a', { actions: [deletePolicy('x')] }), planDocument('b')];
  expect(await textOf(documents, 3)).toBe('5 tenants   1 with changes   1 without changes   3 not begun');
  expect(await textOf(documents.slice(0, 1), 1)).toBe('2 tenants   1 with changes   1 not begun');
  const unknown = [
    planDocument('c', { complete: false }),
    planDocument('d', { findings: [buildFinding('LIVE_AMBIGUOUS', { severity: 'error' })] }),
  ];
  const unread = buildFinding('LIVE_FORBIDDEN', { kind: 'roles', key: '*' });
  const applied = [planDocument('a', { complete: false, findings: [unread] }), planDocument('b')].map(
    ({ plan }): ReportDocument => ({ type: 'outcomes', outcomes: buildOutcomes(plan, []) }),
  );
  expect(await text(applied)).toMatch(/^2 tenants {3}1 incomplete {3}1 without changes\n.*INCOMPLETE.*LIVE_FORBIDDEN/s);
  expect(await textOf([...documents, ...unknown], 0)).toBe(
    '4 tenants   1 failed   1 incomplete   1 with changes   1 without changes',
  );
});

test('a comment cuts what is critical, and never leaves it out', async () => {
  const actions = Array.from({ length: 1_000 }, (_, index) =>
    deletePolicy(`client_id:${index}`, `rlp_${index}`, {
      effects: [
        { code: 'POLICY_FALLBACK', severity: 'critical', message: `effect ${index}`, kind: 'roles', key: `${index}` },
      ],
    }),
  );
  const printed = await text(
    [planDocument('a', { actions }), planDocument('b', { actions }), planDocument('c')],
    'markdown',
  );
  expect(printed.length).toBeLessThan(65_536);
  expect(printed).toContain('### Check first');
  expect(printed).toContain('`c`');
});
