// A folder with many large plans is shown in bounded time and memory.
import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planChecksum, planDigest } from '../../src/plan/digest.ts';
import { deletePolicy } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { runMeasured } from '../support/measure-growth.ts';
import { folder } from '../support/temp-folder.ts';
import { sized } from '../support/thorough.ts';

const files = 31;

test(`${files} plans of thousands of deletions`, async () => {
  const plans = await folder({});
  const actions = Array.from({ length: sized(5_000) }, (_, index) =>
    deletePolicy(`client_id:${index}`, `rlp_${index}`),
  );
  const plan = buildPlan({ actions });
  const signed = { ...plan, digest: planDigest(plan) };
  await writeFile(join(plans, '0.json'), JSON.stringify({ ...signed, checksum: planChecksum(signed) }));
  for (let index = 1; index < files; index += 1) cpSync(join(plans, '0.json'), join(plans, `${index}.json`));
  const { code, seconds, megabytes } = await runMeasured('show', plans);
  expect(code).toBe(0);
  expect(megabytes).toBeLessThan(500);
  // The aim is 5 s at full size on an idle machine. Processor time is counted, but a machine that is shared is slower.
  expect(seconds).toBeLessThan(10);
});
