import { realRow } from './real.ts';
import { weather } from './storm.ts';
import { quotaTable, type Row } from './table.ts';

const started = performance.now();
const rows: Row[] = process.argv.includes('--real')
  ? [await realRow()]
  : [...(await quotaTable(5, 300)), await stormRow()];
const wide = Math.max(...rows.map(({ what }) => what.length));
const middle = Math.max(...rows.map(({ got }) => got.length));
for (const { what, got, target, ok } of rows) {
  const verdict = ok === null ? '' : ok ? 'YES' : 'NO';
  process.stdout.write(
    `${`${what.padEnd(wide)}  ${got.padEnd(middle)}  ${target.padEnd(18)}  ${verdict}`.trimEnd()}\n`,
  );
}
process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0)} s\n`);

async function stormRow(): Promise<Row> {
  const { asked } = await weather({
    answer: () => ({ status: 429, headers: {} }),
    requests: 1000,
    workers: 16,
    forMs: 60_000,
  });
  return { what: '60 s of nothing but 429: requests', got: `${asked.length}`, target: '<= 20', ok: asked.length <= 20 };
}
