import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openBar } from '../../src/cli/process-io.ts';

test('a bar shows how much of how much is done and what it is at, can be taken away and can begin again', async () => {
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 120,
    rows: 40,
    cursorTo: () => {},
    clearLine: () => {},
    moveCursor: () => {},
  });
  const written: string[] = [];
  terminal.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const bar = await openBar(terminal);
  bar.update(0, 4, 'reading the tenant');
  bar.update(4, 4, 'reading the tenant: list_event_streams, 3 items');
  bar.stop();
  bar.update(0, 2, 'applying');
  bar.stop();
  const text = written.join('');
  for (const shown of ['0/4 reading the tenant', '4/4 reading the tenant: list_event_streams, 3 items', '0/2 applying'])
    expect(text).toContain(shown);
});
