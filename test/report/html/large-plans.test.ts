import { expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.generated.ts';
import { joined } from '../../../src/report/document.ts';
import { jsonText } from '../../../src/report/escape.ts';
import { htmlOf } from '../../../src/report/html/render-html.ts';
import { plainStyle } from '../../../src/report/terminal.ts';
import { kinds } from '../../support/all-kinds.ts';
import { deletePolicy, putPartials } from '../../support/build-action.ts';
import { buildPlan } from '../../support/build-plan.ts';
import { growthOfWork, isLinear } from '../../support/measure-growth.ts';
import { startProcessorTime } from '../../support/processor-time.ts';
import { thorough } from '../../support/thorough.ts';

const context = { style: plainStyle, kinds, folder: '', version: '0.0.0' };
const text = (word: string) => Array.from({ length: 30 }, (_empty, index) => `<p>${word} ${index}</p>`).join('\n');

function planOf(size: number): Plan {
  const actions = Array.from({ length: size }, (_empty, index) =>
    index % 100 === 0
      ? { ...putPartials(`prompt-${index}`, { login: { start: text('b') } }), before: { login: { start: text('a') } } }
      : deletePolicy(`oauth_authentication_api/client/client_id:app-${index}`, `rlp_${index}`),
  );
  return buildPlan({ actions });
}

const pageOf = (plan: Plan) => joined(htmlOf([{ type: 'plan', plan, diagnostics: [] }], context));

test('the time of a page grows with its actions', async () => {
  const [once, twice] = [planOf(2_000), planOf(4_000)];
  const growth = await growthOfWork({ once: async () => pageOf(once), twice: async () => pageOf(twice) });
  expect(growth).toSatisfy(isLinear);
});

test.runIf(thorough)('10,000 actions are a page in 1.5 times their JSON and a second', async () => {
  const plan = planOf(10_000);
  const time = async (use: () => unknown) => {
    const spent = startProcessorTime();
    await use();
    return spent();
  };
  const json = await time(() => jsonText(plan));
  // Of two times, the first has the compilation of the code.
  const times: number[] = [];
  for (const _round of [1, 2]) times.push(await time(() => pageOf(plan)));
  expect(Math.min(...times)).toBeLessThan(1.5 * json + 1_000);
});
