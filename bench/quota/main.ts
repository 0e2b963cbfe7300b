import { applyRows } from './applies.ts';
import { realRow } from './real.ts';
import { playScript } from './scripted-service.ts';
import { quotaTable, type Row } from './table.ts';

const started = performance.now();
if (process.argv.includes('--applies')) print(await applyRows());
else if (process.argv.includes('--real')) print([await realRow()]);
else print([...(await quotaTable(5, 300)), await refusalsRow(), ...(await applyRows())]);
process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0)} s\n`);

function print(rows: readonly Row[]): void {
  const wide = Math.max(...rows.map(({ what }) => what.length));
  const middle = Math.max(...rows.map(({ got }) => got.length));
  for (const { what, got, target, ok } of rows) {
    const verdict = ok === null ? '' : ok ? 'YES' : 'NO';
    process.stdout.write(
      `${`${what.padEnd(wide)}  ${got.padEnd(middle)}  ${target.padEnd(18)}  ${verdict}`.trimEnd()}\n`,
    );
  }
}

async function refusalsRow(): Promise<Row> {
  const { requested } = await playScript({
    respond: () => ({ status: 429, headers: {} }),
    requests: 1000,
    workers: 16,
    forMs: 60_000,
  });
  const { length } = requested;
  return { what: '60 s of nothing but 429: requests', got: `${length}`, target: '<= 20', ok: length <= 20 };
}
