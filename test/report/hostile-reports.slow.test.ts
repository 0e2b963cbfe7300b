import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Format } from '../../src/report/document.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { propertyRuns } from '../support/thorough.ts';
import { hostileText } from './hostile-text.ts';
import { markdownOutsideCode } from './markdown-outside-code.ts';
import { renderOutcomes, renderPlan, renderProblems } from './render.ts';
import { runnerCommands } from './runner-commands.ts';

/** The same hostile texts through every report: whatever files and tenant say, a report stays what it is. */

const texts = fc.array(hostileText, { minLength: 4, maxLength: 4 });
const runs = propertyRuns(1000);
const context = { style: plainStyle, kinds: standInKinds, folder: 'tenants/acme' };

function hostilePlan([a = '', b = '', c = '', d = '']: readonly string[]): Plan {
  const source = { file: d, line: 1, column: 1 };
  return buildPlan({
    tenant: { name: a, base_url: b, api: 'documented' },
    selection: { only: [c], except: [d], rotate: [a] },
    complete: false,
    actions: [
      deletePolicy(a, b, { source, before: { id: c, [d]: a } }),
      removePermissions(b, [c, d]),
      putPartials(c, { [d]: { [a]: b } }),
    ],
    findings: [
      buildFinding('LIVE_DIFFERENT', {
        key: b,
        message: a,
        changes: [{ field: c, before: d, after: { [a]: b } }],
        source,
      }),
      buildFinding('LIVE_UNREADABLE', { kind: 'prompts', key: d, message: c }),
      buildFinding('LIVE_PROTECTED', { kind: 'event_streams', key: c, message: b, source }),
    ],
    left_out: [{ kind: 'event_streams', key: a, what: b }],
    refusals: [buildRefusal([c, d], { message: b, approve: a })],
    digest: c,
  });
}

function hostileOutcomes(parts: readonly string[]): OutcomesDocument {
  const [a = '', b = '', c = ''] = parts;
  const planned = hostilePlan(parts);
  const plan = { ...planned, actions: [...planned.actions, deletePolicy(`${c}?`)] };
  const [first = '', second = '', third = '', fourth = ''] = plan.actions.map(({ id }) => id);
  return buildOutcomes(plan, [
    { id: first, outcome: 'failed', status: 400, message: a },
    { id: second, outcome: 'unknown', status: null, message: b },
    { id: third, outcome: 'done', status: 200, message: null },
    { id: fourth, outcome: 'not_attempted', status: null, message: c },
  ]);
}

function hostileDiagnostics([a = '', b = '', c = '', d = '']: readonly string[]): Diagnostic[] {
  return [
    {
      code: 'CONFIG_UNKNOWN_FIELD',
      severity: 'error',
      message: a,
      hint: b,
      source: { file: c, line: 3, column: 2 },
      excerpt: { line: 3, column: 2, width: 3, text: d },
    },
    { code: 'ENV_INVALID', severity: 'warning', message: d },
  ];
}

function everyReport(parts: readonly string[], format: Format): string[] {
  return [
    renderPlan(hostilePlan(parts), 'plan', format, context),
    renderPlan(hostilePlan(parts), 'drift', format, context),
    renderOutcomes(hostileOutcomes(parts), format, context),
    renderProblems(hostileDiagnostics(parts), format, 2),
  ];
}

const unseen = /[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe('hostile text', () => {
  test.each(['text', 'markdown', 'json'] as const)(
    '%s shows what is not seen, and holds no workflow command',
    (format) => {
      fc.assert(
        fc.property(texts, (parts) => {
          for (const report of everyReport(parts, format)) {
            expect(report).not.toMatch(unseen);
            expect(runnerCommands(report)).toEqual([]);
          }
        }),
        runs,
      );
    },
  );

  test('github contains only the commands of the report, each on one line', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        for (const [index, report] of everyReport(parts, 'github').entries()) {
          const commands = runnerCommands(report);
          expect(report).not.toMatch(unseen);
          expect(commands).toHaveLength([6, 5, 4, 2][index] ?? 0);
          expect(
            commands.every(({ form, name }) => form === '::' && ['error', 'warning', 'notice'].includes(name)),
          ).toBe(true);
          expect(
            commands.every(({ properties }) =>
              Object.keys(properties).every((name) => ['file', 'line', 'col', 'title'].includes(name)),
            ),
          ).toBe(true);
        }
      }),
      runs,
    );
  });

  test('markdown keeps it in code, with folds and fences intact', () => {
    const ours = /<!-- tenant-sync (?:plan|drift|apply|validate) -->|<\/?details>|<\/?summary>/g;
    fc.assert(
      fc.property(texts, (parts) => {
        for (const report of everyReport(parts, 'markdown')) {
          const outside = markdownOutsideCode(report);
          expect(outside.replaceAll(ours, '')).toMatch(/^[A-Za-z0-9 \n#*|:;,.·…→()-]*$/);
          expect(outside).not.toMatch(/#\d/);
          expect(outside.split('<details>')).toHaveLength(outside.split('</details>').length);
        }
      }),
      runs,
    );
  });

  test('json restores the documents', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const [plan, , outcomes] = everyReport(parts, 'json').map((report) => JSON.parse(report));
        expect(plan).toEqual(JSON.parse(JSON.stringify(hostilePlan(parts))));
        expect(outcomes).toEqual(JSON.parse(JSON.stringify(hostileOutcomes(parts))));
      }),
      runs,
    );
  });
});
