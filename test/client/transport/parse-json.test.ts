import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/client/transport/parse-json.ts';
import { startProcessorTime } from '../../support/processor-time.ts';
import { propertyRuns } from '../../support/thorough.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('what is too much is refused before it is parsed', () => {
  const MB = 1_000_000;
  const bodies: readonly (readonly [string, string, string])[] = [
    ['brackets', '['.repeat(4 * MB), 'the body is nested deeper than 64 levels'],
    ['objects in objects', '{"a":'.repeat(MB), 'the body is nested deeper than 64 levels'],
    ['empty objects', `[${'{},'.repeat(2 * MB)}{}]`, 'the body has more than 100000 values'],
    ['names', `{${Array.from({ length: MB }, (_none, index) => `"${index}":1`).join(',')}}`, 'more than 100000 values'],
    ['a quote without an end', `["${'\\"'.repeat(2 * MB)}`, 'the body is not JSON'],
    ['digits', '1'.repeat(MB), ''],
    ['one text', JSON.stringify('\n'.repeat(2 * MB)), ''],
  ];
  test.each(bodies)('%s', (_name, text, why) => {
    const bytes = Buffer.from(text);
    const times = Array.from({ length: 3 }, () => {
      const spent = startProcessorTime();
      const parsed = parseJson(bytes);
      expect(parsed.ok ? '' : parsed.why).toContain(why);
      return spent();
    });
    expect(Math.min(...times)).toBeLessThan(200);
  });
});

test('law: everything else is what the JSON parser makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
    propertyRuns(200),
  );
  expect(parse(`[${'1,'.repeat(99_990)}1]`)).toMatchObject({ ok: true });
  expect(parse(`"${'[{,'.repeat(100_000)}"`)).toMatchObject({ ok: true });
});
