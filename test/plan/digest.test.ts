// What the digest, the checksum and the approval code of a plan cover.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Finding, Plan } from '../../src/model/plan.generated.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { planChecksum, planDigest, sealPlan, signPlan } from '../../src/plan/digest.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { fingerprint, startFingerprint } from '../../src/values/fingerprint.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision } from '../support/build-decision.ts';
import { buildFinding, buildRefusal } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';

const action = buildAction({
  action: 'update',
  request: {
    operation: 'o',
    method: 'PATCH',
    path: '/x/1',
    body: { limit: 5, list: ['a', { b: null }] },
    live: ['/secret'],
  },
  changes: [{ field: 'limit', before: 4, after: 5 }],
  notes: ['a note'],
  source: { file: 'a.yaml', line: 1, column: 1 },
});
const finding = buildFinding('LIVE_MISSING', { source: { file: 'a.yaml', line: 9, column: 3 } });
const plan: Plan = {
  ...sealPlan(
    assemblePlan(
      buildAssembleInput([
        buildDecision(0, 10, { actions: [action, buildAction({ key: 'two' })], findings: [finding] }),
      ]),
    ),
  ),
  refusals: [buildRefusal(['rate_limit_policies/two'])],
};
const firstRefusal = buildRefusal(['rate_limit_policies/two']);
const elsewhere = { file: 'b.yaml', line: 7, column: 2 };

const withAction = (parts: Partial<Action>): Plan => ({
  ...plan,
  actions: [{ ...action, ...parts }, ...plan.actions.slice(1)],
});
const withFinding = (parts: Partial<Finding>): Plan => ({ ...plan, findings: [{ ...finding, ...parts }] });

describe('the digest', () => {
  const first = withAction({});

  test('is SHA-256 over canonical JSON of what is sent and on which live state', () => {
    const covered = {
      tenant: plan.tenant,
      actions: plan.actions.map(({ request, precondition }) => ({ request, precondition })),
      findings: [{ code: 'LIVE_MISSING', kind: finding.kind, key: finding.key }],
      refusals: plan.refusals.map(({ approved_by: _by, approve_in: _in, ...refusal }) => refusal),
    };
    expect(planDigest(plan)).toBe(`sha256:${createHash('sha256').update(canonicalJson(covered)).digest('hex')}`);
  });

  test.each<[string, Plan]>([
    ['a line that moved', withAction({ source: elsewhere, sources: [{ pointer: '/a', source: elsewhere }] })],
    ['a note', withAction({ notes: ['another'] })],
    ['a reason', withAction({ reason: 'rotated' })],
    ['where a difference comes from', withAction({ origin: 'drift' })],
    [
      'an effect',
      withAction({ effects: [{ code: 'ROLE_CREATED', severity: 'note', message: 'm', kind: 'roles', key: 'r' }] }),
    ],
    [
      'an approval',
      { ...first, refusals: [{ ...firstRefusal, approved_by: { by: 'tenant.approvals', source: elsewhere } }] },
    ],
    [
      'where an approval belongs',
      {
        ...first,
        refusals: [
          { ...firstRefusal, approve_in: { file: 'a.yaml', line: 2, change: 'insert', replaces: 0, lines: ['  x'] } },
        ],
      },
    ],
    ['the time', { ...first, generated_at: '2027-01-01T00:00:00Z' }],
    ['the version of the tool', { ...first, tool: { ...plan.tool, version: '9.9.9' } }],
    [
      'the place and the words of a finding',
      { ...withFinding({ source: elsewhere, message: 'in other words' }), actions: first.actions },
    ],
  ])('does not change with %s', (_name, other) => {
    expect(planDigest(other)).toBe(planDigest(first));
    expect(planChecksum(other)).not.toBe(planChecksum(first));
  });

  test.each<[string, Plan]>([
    ['the path of a request', withAction({ request: { ...action.request, path: '/x/2' } })],
    ['a body', withAction({ request: { ...action.request, body: { limit: 6 } } })],
    [
      'the variable of a secret',
      withAction({ request: { ...action.request, secrets: [{ pointer: '/limit', env: 'A' }] } }),
    ],
    ['a precondition', withAction({ precondition: fingerprint('another state') })],
    ['an action less', { ...plan, actions: plan.actions.slice(1) }],
    ['the order of actions', { ...first, actions: first.actions.toReversed() }],
    ['a refusal less', { ...first, refusals: [] }],
    ['the items of a refusal', { ...first, refusals: [buildRefusal(['rate_limit_policies/x'])] }],
    ['a finding less', { ...first, findings: [] }],
    ['the code of a finding', withFinding({ code: 'LIVE_DIFFERENT' })],
    ['the item of a finding', withFinding({ key: 'x' })],
    ['the tenant', { ...first, tenant: { ...plan.tenant, base_url: 'https://other.example/api/v2' } }],
  ])('changes with %s', (_name, other) => {
    expect(planDigest(other)).not.toBe(planDigest(first));
  });

  test('does not depend on when the plan was made', () => {
    const decisions = [buildDecision(2, 10)];
    const later = assemblePlan(buildAssembleInput(decisions, { generatedAt: '2027-01-01T00:00:00Z' }));
    expect(later.digest).toBe(assemblePlan(buildAssembleInput(decisions)).digest);
  });
});

/** What a reader of a saved plan compares: both together cover every document that the schema accepts. */
function sealOf(document: Plan): string {
  const { actions, findings, left_out } = document;
  if (![actions, findings, left_out].every(Array.isArray) || actions.some((each) => typeof each !== 'object')) {
    return 'refused by the schema';
  }
  return `${planDigest(document)} ${planChecksum(document)} ${document.digest} ${document.checksum}`;
}

describe('digest and checksum', () => {
  test('of an assembled plan fit it, and survive a copy through JSON', () => {
    const assembled = sealPlan(assemblePlan(buildAssembleInput([buildDecision(2, 10)])));
    const copy: Plan = JSON.parse(JSON.stringify(assembled));
    expect([planDigest(copy), planChecksum(copy)]).toEqual([assembled.digest, assembled.checksum]);
  });

  test('do not fit when any leaf of the plan has changed', () => {
    const { checksum: _checksum, ...unsealed } = { ...plan, digest: planDigest(plan) };
    const sealed: Plan = { ...unsealed, checksum: planChecksum(unsealed) };
    const expected = sealOf(sealed);
    const leaves = leavesOf(sealed);
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.jsonValue(), (path, value) => {
        const changed = structuredClone(sealed);
        const before = replaceAt(changed, path, value);
        fc.pre(canonicalJson(before) !== canonicalJson(value));
        expect(sealOf(changed), path.join('/')).not.toBe(expected);
      }),
      propertyRuns(500),
    );
    for (const path of leaves) {
      const changed = structuredClone(sealed);
      replaceAt(changed, path, undefined);
      expect(sealOf(changed), `without ${path.join('/')}`).not.toBe(expected);
    }
  });
});

type Path = readonly (string | number)[];

/** Paths of everything in a document that holds nothing else. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

/** Puts another value at a path, or removes it; returns the value before. */
function replaceAt(document: object, path: Path, value: unknown): unknown {
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce((at: object, key) => Reflect.get(at, key), document);
  const before: unknown = Reflect.get(parent, last);
  if (value !== undefined) Reflect.set(parent, last, value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return before;
}

describe('fingerprints', () => {
  test('a text in pieces has the fingerprint of the value', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (list) => {
        const pieces = startFingerprint();
        pieces.add('{"list":');
        pieces.addList(list, canonicalJson);
        pieces.add(',"same":');
        pieces.addJson(list);
        pieces.add('}');
        expect(pieces.end()).toBe(fingerprint({ same: list, list }));
      }),
      propertyRuns(100),
    );
  });

  test('an approval code has 24 digits and covers identity, request, live state and tenant', () => {
    const codeOf = (parts: Partial<Action> = {}, base_url = 'https://a.example', isRefused = true) => {
      const refused = { ...action, ...parts };
      const { approve: _approve, approved_by: _by, approve_in: _in, ...refusal } = buildRefusal(['x']);
      const tenant = { ...plan.tenant, base_url };
      const rest = { findings: () => [], approvalOf: () => null };
      const unsigned = { tenant, actions: [refused], refusals: [refusal], ...rest };
      const ids = new Set(isRefused ? [refused.id] : []);
      return signPlan({ ...unsigned, refused: ids }).refusals[0]?.approve;
    };
    const code = codeOf();
    expect(code).toMatch(/^[0-9a-f]{24}$/);
    expect(codeOf({ source: elsewhere, notes: [], origin: 'change' })).toBe(code);
    const others = [
      codeOf({}, 'https://b.example'),
      codeOf({}, 'https://a.example', false),
      codeOf({ id: 'x' }),
      codeOf({ precondition: null }),
      codeOf({ request: { ...action.request, path: '/y' } }),
    ];
    expect(new Set([code, ...others]).size).toBe(6);
  });

  test('canonical JSON reads back, and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const normal = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(normal))).toEqual(normal);
        expect(canonicalJson(reversed(normal))).toBe(canonicalJson(normal));
      }),
      propertyRuns(100),
    );
    expect(canonicalJson({ b: 1, a: [true, null], c: undefined })).toBe('{"a":[true,null],"b":1}');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  );
}
