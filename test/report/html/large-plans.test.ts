import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { joined } from '../../../src/report/document.ts';
import { jsonText } from '../../../src/report/escape.ts';
import { htmlOf } from '../../../src/report/html/render-html.ts';
import { plainStyle } from '../../../src/report/terminal.ts';
import { deletePolicy, putPartials } from '../../support/build-action.ts';
import { buildPlan } from '../../support/build-plan.ts';
import { startProcessorTime } from '../../support/processor-time.ts';

const context = { style: plainStyle, kinds, folder: '', version: '0.0.0', explanations: async () => [] };
const text = (word: string) => Array.from({ length: 30 }, (_empty, index) => `<p>${word} ${index}</p>`).join('\n');

test('10,000 actions are a page in 1.5 times their JSON and a second', async () => {
  const actions = Array.from({ length: 10_000 }, (_empty, index) =>
    index % 100 === 0
      ? { ...putPartials(`prompt-${index}`, { login: { start: text('b') } }), before: { login: { start: text('a') } } }
      : deletePolicy(`oauth_authentication_api/client/client_id:app-${index}`, `rlp_${index}`),
  );
  const plan = buildPlan({ actions });
  const time = async (use: () => unknown) => {
    const spent = startProcessorTime();
    await use();
    return spent();
  };
  const json = await time(() => jsonText(plan));
  // Of two times, the first has the compilation of the code.
  const times: number[] = [];
  for (const _round of [1, 2])
    times.push(await time(() => joined(htmlOf([{ type: 'plan', plan, diagnostics: [] }], context))));
  expect(Math.min(...times)).toBeLessThan(1.5 * json + 1_000);
});
