/**
 * npm run chaos:kill -- --points N   kills so many applies, two at a time, and says what came of it
 *                       --database   with their state in PostgreSQL
 */
import { parseArgs } from 'node:util';
import { databaseIn, startPostgres } from '../support/start-postgres.ts';
import { killPoints, moments, type PlayedPoint, playPoint } from './kill-points.ts';

const { values } = parseArgs({
  options: { points: { type: 'string', default: '60' }, database: { type: 'boolean', default: false } },
});
const started = performance.now();
const played: PlayedPoint[] = [];
const points = killPoints(Number(values.points));
const server = values.database ? await startPostgres() : null;

await Promise.all([playAll(), playAll()]);
for (const moment of moments) {
  const some = played.filter(({ point }) => point.moment === moment);
  console.log(
    `${moment.padEnd(12)}${String(some.length).padStart(6)} points, ${some.filter(({ reached }) => reached).length} reached`,
  );
}
const violations = played.reduce((sum, point) => sum + point.violations.length, 0);
console.log(`${played.length} points, ${violations} violations, ${Math.round((performance.now() - started) / 1000)} s`);
await server?.end();
process.exitCode = violations > 0 ? 1 : 0;

async function playAll(): Promise<void> {
  for (let next = await points.next(); !next.done; next = await points.next()) {
    const { point, target } = next.value;
    const database = server && (await databaseIn(server.url));
    const result = await playPoint(point, target, database);
    played.push(result);
    for (const { invariant, message } of result.violations)
      console.log(`seed ${point.seed}, write ${point.write}, ${point.moment}: ${invariant}: ${message}`);
  }
}
