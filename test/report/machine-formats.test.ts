import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { PlanBase } from '../../src/model/plan.generated.ts';
import { type FormatContext, joined, type ReportDocument } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { explanations } from '../../src/sync/explain.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { hostilePlan } from './sample-reports.ts';

const published = join(import.meta.dirname, 'published');
const context: FormatContext = { style: plainStyle, kinds, folder: 'tenants/acme', version: '1.2.3', explanations };

async function render(format: FormatName, documents: readonly ReportDocument[], about: Partial<FormatContext> = {}) {
  return joined((await formatRow(format).load())(documents, { ...context, ...about }));
}

const at = (line: number, file = 'policies.yaml') => ({ file, line, column: 3 });
const effect = {
  code: 'EFFECT_EXAMPLE',
  severity: 'warning',
  message: 'It loses access.',
  kind: 'roles',
  key: 'Support',
};
const plan = buildPlan({
  complete: false,
  actions: [
    { ...deletePolicy('client_id:old'), effects: [effect as never] },
    { ...removePermissions('Support', ['delete:orders']), source: at(4, 'roles.yaml') },
    putPartials('login', { login: { 'form-content-start': '<b>x</b>' } }),
  ],
  findings: [
    buildFinding('LIVE_MISSING', { key: 'a/b/c', source: at(3) }),
    buildFinding('LIVE_DIFFERENT', { key: 'a/b/d', changes: [{ field: 'x', before: 1, after: 2 }], source: at(9) }),
    buildFinding('LIVE_PROTECTED', { key: 'a/b/e' }),
    buildFinding('LIVE_UNDECLARED', { key: 'a/b/f' }),
    buildFinding('LIVE_UNREADABLE', { kind: 'prompts', key: '*' }),
    {
      ...buildFinding('LIVE_NO_ROLE' as never, { kind: 'roles', key: 'None', source: at(7, 'roles.yaml') }),
      severity: 'error',
    },
  ],
  refusals: [buildRefusal(['a/b/c', 'a/b/d'])],
});
const refusal: Diagnostic = { code: 'PLAN_INCOMPLETE', severity: 'error', message: 'Live state is incomplete.' };
const invalid: readonly Diagnostic[] = [
  {
    code: 'CONFIG_UNKNOWN_FIELD',
    severity: 'error',
    message: '"limitt" is not a field.',
    hint: 'limit?',
    source: at(8),
  },
  { code: 'CONFIG_UNKNOWN_FIELD', severity: 'error', message: '"limitt" is not a field.', source: at(12) },
  { code: 'CONFIG_NOTHING_MANAGED', severity: 'warning', message: 'Nothing is managed.' },
  { code: 'ENV_MISSING', severity: 'error', message: 'TENANT_SYNC_BASE_URL is not set.' },
];

const documents: Readonly<Record<string, ReportDocument>> = {
  plan: { type: 'plan', plan, diagnostics: [refusal] },
  drift: { type: 'drift', plan, diagnostics: [] },
  'in sync': { type: 'drift', plan: buildPlan(), diagnostics: [] },
  hostile: { type: 'plan', plan: hostilePlan, diagnostics: [] },
  validate: { type: 'diagnostics', command: 'validate', diagnostics: invalid, files: 3 },
  valid: { type: 'diagnostics', command: 'validate', diagnostics: [], files: 3 },
  failed: { type: 'diagnostics', command: 'plan', diagnostics: [invalid[3] as Diagnostic], files: 0 },
};

describe('sarif', () => {
  const {
    $schema: _draft,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync(join(published, 'sarif-2.1.0.schema.json'), 'utf8'));
  // The schema is of draft 4, in which nothing that it uses has another meaning.
  const isValid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  const sarif = async (document: ReportDocument, about: Partial<FormatContext> = {}) =>
    JSON.parse(await render('sarif', [document], about)).runs[0];

  test.each(Object.entries(documents))('%s is valid against the published schema', async (_name, document) => {
    isValid(JSON.parse(await render('sarif', [document])));
    expect(isValid.errors ?? []).toEqual([]);
  });

  test('several documents are several runs', async () => {
    const text = await render('sarif', Object.values(documents));
    expect(JSON.parse(text).runs).toHaveLength(Object.keys(documents).length);
    expect(isValid(JSON.parse(text))).toBe(true);
  });

  test('every result has a place in the repository, a rule with its help, and a level', async () => {
    const { results, tool } = await sarif(documents['plan'] as ReportDocument);
    expect(results.map(({ level }: { readonly level: string }) => level)).toEqual(
      results.map(({ level }: { readonly level: string }) => level).sort(byLevel),
    );
    for (const result of results) {
      const rule = tool.driver.rules.find(({ id }: { readonly id: string }) => id === result.ruleId);
      expect(rule.help.text).not.toBe('');
      const { artifactLocation, region } = result.locations[0].physicalLocation;
      expect(artifactLocation.uri).toMatch(/^(policies|roles|prompts)\.yaml$/);
      expect(artifactLocation.uriBaseId).toBe('%SRCROOT%');
      expect(region.startLine).toBeGreaterThan(0);
    }
    const missing = results.find(({ ruleId }: { readonly ruleId: string }) => ruleId === 'LIVE_MISSING');
    expect(missing.locations[0].physicalLocation.region).toEqual({ startLine: 3, startColumn: 3 });
    const rule = tool.driver.rules.find(({ id }: { readonly id: string }) => id === 'LIVE_MISSING');
    expect(rule.help.text).toContain('Create it by other means');
  });

  test('an effect of another item has the sentence of its annotation, and its rule what it is', async () => {
    const lost = { code: 'ACCESS_LOST', severity: 'warning', message: 'loses read:a of x', kind: 'roles', key: 'B' };
    const gained = { ...lost, code: 'ACCESS_GAINED', message: 'gains read:b of x' };
    const actions = [{ ...removePermissions('A', ['read:a']), effects: [lost, gained] as never }];
    const { results, tool } = await sarif({ type: 'plan', plan: buildPlan({ actions }), diagnostics: [] });
    const texts = results.map(({ message }: { readonly message: { readonly text: string } }) => message.text);
    expect(texts.slice(0, 2)).toEqual(['role B loses read:a of x', 'role B gains read:b of x']);
    expect(texts[2]).toMatch(/^role A will be changed: loses read:a of /);
    const rules = tool.driver.rules.map((rule: { readonly shortDescription: object }) => rule.shortDescription);
    expect(rules.slice(0, 2)).toEqual([
      { text: expect.stringMatching(/^A role gets these permissions/) },
      { text: expect.stringMatching(/^A role has these permissions and does not have them after the plan: /) },
    ]);
  });

  test('no code has a description of one or two words', async () => {
    const codes = (await explanations()).filter(({ code }) =>
      /^(?:ACCESS|ROLE|SCOPE|POLICY|STREAM|PARTIAL)_/.test(code),
    );
    const effects = codes.map(({ code }) => ({ code, severity: 'warning', message: 'is so', kind: 'roles', key: 'B' }));
    const actions = [{ ...removePermissions('A', ['read:a']), effects: effects as never }];
    const { tool } = await sarif({ type: 'plan', plan: buildPlan({ actions }), diagnostics: [] });
    expect(tool.driver.rules.length).toBe(codes.length + 1);
    for (const { shortDescription } of tool.driver.rules)
      expect(shortDescription.text.split(' ').length).toBeGreaterThan(3);
  });

  test('what is about the run is a notification', async () => {
    const { results, invocations } = await sarif(documents['failed'] as ReportDocument);
    expect(results).toEqual([]);
    expect(invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ descriptor: { id: 'ENV_MISSING' }, level: 'error' }],
    });
    expect((await sarif(documents['in sync'] as ReportDocument)).invocations[0].executionSuccessful).toBe(true);
  });

  test('fingerprints differ within a run, and stay when lines move', async () => {
    const moved = { ...plan, findings: plan.findings.map((finding) => ({ ...finding, source: at(99, 'other.yaml') })) };
    const of = async (document: ReportDocument) =>
      (await sarif(document)).results.map(
        ({ partialFingerprints }: { readonly partialFingerprints: object }) => Object.values(partialFingerprints)[0],
      );
    const before = await of({ type: 'plan', plan, diagnostics: [] });
    expect(new Set(before).size).toBe(before.length);
    expect((await of({ type: 'plan', plan: moved, diagnostics: [] })).sort()).toEqual(before.sort());
    const shifted = invalid.map((one) => ({ ...one, ...(one.source && { source: { ...one.source, line: 50 } }) }));
    const document = documents['validate'] as ReportDocument;
    expect(await of({ ...document, diagnostics: shifted } as ReportDocument)).toEqual(await of(document));
  });

  test.each([
    ['policies.yaml', 'policies.yaml', '%SRCROOT%'],
    ['a b/c#d/policies.yaml', 'a%20b/c%23d/policies.yaml', '%SRCROOT%'],
    ['../other/policies.yaml', '../other/policies.yaml', undefined],
  ])('the path %j', async (file, uri, base) => {
    const diagnostics = invalid.map((one) => ({ ...one, source: at(3, file) }));
    const { results } = await sarif({ ...documents['validate'], diagnostics } as ReportDocument);
    expect(results[0].locations[0].physicalLocation.artifactLocation).toEqual({
      uri,
      ...(base && { uriBaseId: base }),
    });
  });

  test('a tenant without any declared item is at its folder', async () => {
    const alone = buildPlan({ findings: [buildFinding('LIVE_MISSING', { source: null })] });
    const { results } = await sarif({ type: 'plan', plan: alone, diagnostics: [] });
    expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('tenants/acme');
  });

  test('has at most 25,000 results, the most severe first, and counts the others', async () => {
    const findings = Array.from({ length: 25_010 }, (_, index) =>
      buildFinding('LIVE_MISSING', { key: `${index}`, severity: 'note' }),
    );
    findings.push(buildFinding('LIVE_DIFFERENT', { key: 'last' }));
    const { results, invocations } = await sarif({ type: 'plan', plan: buildPlan({ findings }), diagnostics: [] });
    expect(results).toHaveLength(25_000);
    expect(results[0].ruleId).toBe('LIVE_DIFFERENT');
    expect(invocations[0].toolExecutionNotifications[0].message.text).toContain('11 more results omitted');
  });

  test('an origin is a property, and a part of the text', async () => {
    const findings = [buildFinding('LIVE_MISSING', { key: 'a', origin: 'drift' })];
    const { results } = await sarif({ type: 'plan', plan: buildPlan({ findings }), diagnostics: [] });
    expect(results[0].properties).toEqual({ kind: 'rate_limit_policies', key: 'a', origin: 'drift' });
    expect(results[0].message.text).toMatch(/ \(drift\)$/);
  });

  test('an effect has the origin of its action', async () => {
    const actions = [{ ...deletePolicy('client_id:old'), origin: 'drift' as const, effects: [effect as never] }];
    const { results } = await sarif({ type: 'plan', plan: buildPlan({ actions }), diagnostics: [] });
    expect(results.map(({ properties }: { readonly properties: object }) => properties)).toMatchObject([
      { kind: 'roles', key: 'Support', origin: 'drift' },
      { kind: 'rate_limit_policies', origin: 'drift' },
    ]);
  });

  test('what has no place is at the first line of the first file that declares items', async () => {
    const texts = { 'form-content-start': '<b>x</b>' };
    const inFile = { file: 'partials/a.liquid', line: 1, column: 1 };
    const actions = [
      { ...deletePolicy('client_id:late'), reason: 'absent' as const, source: at(3, 'z.yaml') },
      deletePolicy('client_id:old'),
      { ...deletePolicy('client_id:early'), reason: 'absent' as const, source: at(9, 'b.yaml') },
      { ...putPartials('login', { login: texts }), source: at(5, 'prompts.yaml'), text: inFile },
    ];
    const findings = [buildFinding('LIVE_UNREADABLE', { kind: 'prompts', key: '*' })];
    const { results } = await sarif({ type: 'plan', plan: buildPlan({ actions, findings }), diagnostics: [] });
    const places = results.map(({ properties, locations }: Result) => {
      const { artifactLocation, region } = locations[0]?.physicalLocation ?? {};
      return [properties?.key, `${artifactLocation?.uri}:${region?.startLine}`];
    });
    expect(Object.fromEntries(places)).toMatchObject({
      'oauth_authentication_api/client/client_id:old': 'b.yaml:1',
      '*': 'b.yaml:1',
    });
  });

  test('a refusal is no failed run', async () => {
    const { invocations } = await sarif(documents['plan'] as ReportDocument);
    expect(invocations[0]).toMatchObject({
      executionSuccessful: true,
      toolExecutionNotifications: [{ descriptor: { id: 'PLAN_INCOMPLETE' } }],
    });
  });

  test('no text is a link of a viewer', async () => {
    const key = '[a](https://evil.example) \\';
    const { results } = await sarif({
      type: 'plan',
      plan: buildPlan({ findings: [buildFinding('LIVE_MISSING', { key })] }),
      diagnostics: [],
    });
    expect(results[0].message.text).toContain('\\[a\\](https://evil.example) \\\\');
    expect(results[0].properties.key).toBe(key);
  });
});

interface Result {
  readonly properties?: { readonly key: string };
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number };
    };
  }[];
}

describe('the first line of a text is the sentence of the annotation', () => {
  const base: PlanBase = {
    ref: 'main',
    commit: 'a'.repeat(40),
    valid: true,
    header: [{ field: 'guards.max_delete_count', before: 3, after: 99, source: at(2, 'tenant.yaml') }],
    sections: [{ kind: 'roles', change: 'removed' }],
  };
  const edit = { file: 'tenant.yaml', line: 5, change: 'insert', replaces: 0, lines: ['  approvals:', '    - c0de'] };
  const reviewed = {
    ...plan,
    base,
    refusals: plan.refusals.map((refusal) => ({ ...refusal, approve_in: edit as never })),
  };

  test.each(['plan', 'drift'] as const)('of a %s', async (type) => {
    const [document] = [{ type, plan: reviewed, diagnostics: [] }] as const;
    const { results } = JSON.parse(await render('sarif', [document])).runs[0] as { readonly results: Result[] };
    const annotations = (await render('github', [document])).split('\n').filter((line) => line.startsWith('::'));
    const sentences = annotations.map((line) => decode(line.replace(/^::.*?::/, '')).split('\n')[0]);
    for (const { message } of results) expect(sentences).toContain(message.text.split('\n')[0]);
  });

  test('changed rules are results on their lines, with the origin', async () => {
    const document: ReportDocument = { type: 'plan', plan: reviewed, diagnostics: [] };
    const { results } = JSON.parse(await render('sarif', [document])).runs[0];
    const [field, gone] = results.filter(({ ruleId }: { readonly ruleId: string }) => /header|section/.test(ruleId));
    expect(field).toMatchObject({
      ruleId: 'plan/header',
      level: 'warning',
      message: { text: expect.stringMatching(/^header guards.max_delete_count changes: 3 → 99$/) },
      properties: { kind: 'tenant', key: 'guards.max_delete_count', origin: 'change' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'tenant.yaml' } } }],
    });
    expect(gone).toMatchObject({ ruleId: 'plan/section', properties: { kind: 'roles', key: '*' } });
  });

  test('a refusal has its kind, its items with their ids, its place and the lines to add', async () => {
    const items = plan.actions
      .filter(({ action }) => action === 'delete')
      .map(({ kind, key, request: { path } }) => `${kind}/${key}#${path.split('/').at(-1)}`);
    const refusals = [buildRefusal(items, { approve_in: edit as never })];
    const document: ReportDocument = { type: 'plan', plan: { ...plan, refusals }, diagnostics: [] };
    const lines = ['To approve, add these 2 lines at tenant.yaml:5:', ...edit.lines];
    const name = items[0]?.replace(/^.*(?=client_id:)/, '');
    const annotation = (await render('github', [document])).split('\n').find((line) => line.includes('title=GUARD_'));
    expect(annotation).toMatch(/^::error file=tenant.yaml,line=4,col=1,/);
    const [sentence, ...others] = decode(annotation?.replace(/^::.*?::/, '') ?? '').split('\n');
    expect(sentence).toBe(`policy ${name}: would delete 1 of 40 live items; the limit is 12`);
    expect(others).toEqual(lines);
    const { results } = JSON.parse(await render('sarif', [document])).runs[0];
    const found = results.find(({ ruleId }: { readonly ruleId: string }) => ruleId.startsWith('GUARD_'));
    expect(found.message.text.split('\n')).toEqual([sentence, name, ...lines]);
    expect(found.locations[0].physicalLocation.region.startLine).toBe(4);
  });

  test('a guard is one result, also where the run ends with its refusal', async () => {
    const refused: Diagnostic = { code: 'GUARD_REFUSED', severity: 'error', message: 'the plan would …' };
    const document: ReportDocument = { type: 'plan', plan, diagnostics: [refused] };
    const { results, invocations } = JSON.parse(await render('sarif', [document])).runs[0];
    const codes = results.map(({ ruleId }: { readonly ruleId: string }) => ruleId);
    expect(codes.filter((code: string) => code.startsWith('GUARD_'))).toEqual(['GUARD_TOO_MANY_DELETES']);
    expect(invocations[0].toolExecutionNotifications).toEqual([]);
  });

  test('what is approved is a note, and shows by what', async () => {
    const approved_by = { by: 'tenant.approvals', source: { file: 'tenant.yaml', line: 7, column: 5 } } as const;
    const approved = { ...plan, refusals: plan.refusals.map((refusal) => ({ ...refusal, approved_by })) };
    const document: ReportDocument = { type: 'plan', plan: approved, diagnostics: [] };
    const results = JSON.parse(await render('sarif', [document])).runs[0].results as object[];
    const [result] = results.filter((one) => JSON.stringify(one).includes('GUARD_'));
    expect(result).toMatchObject({ level: 'note' });
    expect(JSON.stringify(result)).toContain('approved by tenant.approvals (tenant.yaml:7)');
  });
});

/** The message of a workflow command. */
function decode(message: string): string {
  return message.replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function byLevel(left: string, right: string): number {
  const order = ['error', 'warning', 'note'];
  return order.indexOf(left) - order.indexOf(right);
}
