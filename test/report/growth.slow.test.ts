// No format takes more time than the size of a plan explains: twice the actions cost at most 2.5 times the time.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { joined, type ReportDocument } from '../../src/report/document.ts';
import { formatNames, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { growthOfWork, isLinear } from '../support/measure-growth.ts';
import { sized } from '../support/thorough.ts';

const context = { style: plainStyle, kinds, folder: 'tenant', version: '0.0.0' };
const origins = ['change', 'drift', 'both'] as const;

/** A refused plan of `size` actions with effects, findings and texts. Some have all in common, and some nothing. */
function planOf(size: number): Plan {
  const actions = Array.from({ length: size }, (_, index) => {
    const origin = origins[index % 3] ?? 'both';
    const source = { file: `files/${index % 50}.yaml`, line: index + 1, column: 1 };
    if (index % 40 === 0)
      return { ...putPartials(`prompt-${index}`, { login: { start: `<p>${index}</p>\n` } }), origin };
    if (index % 4 === 0) return { ...removePermissions(`role-${index}`, ['read:a', `read:${index}`]), origin, source };
    const policy = deletePolicy(`client_id:app-${index}`, `rlp_${index}`, {
      origin,
      ...(index % 2 === 0 && { source }),
    });
    const { kind, key } = policy;
    const message = `falls back to default: block above ${index % 7}/s (now: block above ${index}/s)`;
    return { ...policy, effects: [{ code: 'POLICY_FALLBACK', severity: 'warning', message, kind, key } as never] };
  });
  const items = actions.map(({ kind, key }, index) => `${kind}/${key}#rlp_${index}`);
  return buildPlan({
    actions,
    base: { ref: 'main', commit: 'a'.repeat(40), valid: true, header: [], sections: [] },
    findings: items.map((_, index) =>
      buildFinding(index % 2 === 0 ? 'LIVE_PROTECTED' : 'LIVE_MISSING', { key: `${index}` }),
    ),
    refusals: [buildRefusal(items)],
  });
}

const documents = (size: number): readonly ReportDocument[] => {
  const plan = planOf(size);
  const outcomes = plan.actions.map(({ id }, index) =>
    index % 3 === 0
      ? { id, outcome: 'conflict' as const, status: null, message: `changed ${index}` }
      : { id, outcome: 'done' as const, status: 200, message: null },
  );
  return [
    { type: 'plan', plan, diagnostics: [] },
    { type: 'drift', plan, diagnostics: [] },
    { type: 'outcomes', outcomes: buildOutcomes(plan, outcomes) },
  ];
};

describe('twice the actions cost at most 2.5 times the time', () => {
  const [once, twice] = [documents(sized(5_000)), documents(sized(10_000))];
  for (const [index, document] of once.entries())
    for (const name of formatNames)
      test(`${document.type} as ${name}`, async () => {
        const render = await formatRow(name).load();
        const work = (of: ReportDocument | undefined) => () => joined(render(of === undefined ? [] : [of], context));
        const growth = await growthOfWork({ once: work(document), twice: work(twice[index]) });
        expect(isLinear(growth), `${growth.once.toFixed(1)} ms, then ${growth.twice.toFixed(1)} ms`).toBe(true);
      });
});
