import { expect, test } from 'vitest';
import { openBar } from '../../src/cli/process-io.ts';
import { displayWidth } from '../../src/report/terminal.ts';

function terminal(columns: number) {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  return { columns, write, written };
}

test('a bar shows how much of how much is done and what it is at, can be taken away and can begin again', () => {
  const stream = terminal(120);
  const bar = openBar(stream);
  bar.stop();
  bar.update(0, 4, 'reading the tenant');
  bar.update(3, 4, 'reading the tenant: list_event_streams, 3 items');
  bar.stop();
  bar.stop();
  bar.update(0, 0, 'applying');
  bar.stop();
  expect(stream.written).toEqual([
    `\r${'░'.repeat(24)} 0/4 reading the tenant\x1b[K`,
    `\r${'█'.repeat(18)}${'░'.repeat(6)} 3/4 reading the tenant: list_event_streams, 3 items\x1b[K`,
    '\r\x1b[K',
    `\r${'░'.repeat(24)} 0/0 applying\x1b[K`,
    '\r\x1b[K',
  ]);
});

test('a bar stays within its line', () => {
  for (const [columns, most] of [
    [0, 79],
    [1, 1],
    [20, 19],
    [40, 39],
  ] as const) {
    const stream = terminal(columns);
    openBar(stream).update(5, 4, 'applying: create 日本語の役割 👩‍🚀 and more of this');
    const [shown = ''] = stream.written;
    expect(displayWidth(shown.slice(1, -3))).toBeLessThanOrEqual(most);
  }
});
