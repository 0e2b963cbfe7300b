/**
 * Takes a lock as a process of another machine does, and logs `sent` each time that it may send a request, until it has
 * lost the lock. Arguments: the lock, a log, the interval of the heartbeat in milliseconds.
 */
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { JournalTrouble } from '../../src/journal/journal-trouble.ts';
import { takeLock } from '../../src/journal/lock.ts';

os.hostname = () => 'elsewhere';
syncBuiltinESMExports();

const [path = '', log = '', heartbeatMs = ''] = process.argv.slice(2);
const lock = takeLock(path, { started: new Date().toISOString(), toolVersion: '0' }, Number(heartbeatMs));
if (!lock.ok) throw new Error('locked');
for (;;) {
  try {
    await lock.verify();
  } catch (error) {
    appendFileSync(log, `lost ${error instanceof JournalTrouble ? error.diagnostic.code : error}\n`);
    process.exit(0);
  }
  appendFileSync(log, 'sent\n');
  await setTimeout(5);
}
