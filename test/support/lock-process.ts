/** Takes and releases a lock repeatedly, for tests with several processes. Arguments: the lock, a log, the number of times. */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { takeLock } from '../../src/journal/lock.ts';

const [lock = '', log = '', times = '0'] = process.argv.slice(2);
let taken = 0;
while (taken < Number(times)) {
  const result = takeLock(lock, { started: new Date().toISOString(), toolVersion: '0' });
  if (result.ok) {
    taken += 1;
    appendFileSync(log, `in ${process.pid}\n`);
    await setTimeout(1);
    appendFileSync(log, `out ${process.pid}\n`);
    // Every other lock is left behind, as by a kill: the last one a process takes, when it ends.
    if (taken < Number(times)) result.release();
  } else await setTimeout(1);
}
