import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShort, printYaml } from '../../src/edit/print-yaml.ts';
import { readWritten } from '../../src/edit/source-tree.ts';
import { envReference, ReferenceText, type WrittenValue, whyUnwritable } from '../../src/edit/written-value.ts';
import { propertyRuns } from '../support/thorough.ts';
import { anyWritten } from './written-values.ts';

describe('printYaml', () => {
  test('prints a file as people write it', () => {
    const text = printYaml({
      tenant: { base_url: 'https://acme.example/api/v2', protect: { roles: ['*'] } },
      rate_limit_policies: [
        { consumer_selector: 'third_party_clients', configuration: { action: 'block', limit: 100 } },
        { consumer_selector: 'on', configuration: { action: 'allow' } },
      ],
      roles: [
        { name: 'Support', permissions: { 'https://orders.example/': ['read:orders', 'update:orders', 'a', 'b'] } },
      ],
      prompts: { login: { partials: { login: { 'form-content-start': { file: 'partials/login.liquid' } } } } },
      event_streams: [
        {
          name: 'users',
          subscriptions: [{ event_type: 'user.created' }, { event_type: 'user.deleted' }],
          destination: { configuration: { token: envReference('TENANT_VAR_TOKEN') } },
        },
      ],
    });
    expect(text).toBe(`tenant:
  base_url: https://acme.example/api/v2
  protect:
    roles: ["*"]
rate_limit_policies:
  - consumer_selector: third_party_clients
    configuration: { action: block, limit: 100 }
  - consumer_selector: "on"
    configuration: { action: allow }
roles:
  - name: Support
    permissions:
      https://orders.example/:
        - read:orders
        - update:orders
        - a
        - b
prompts:
  login:
    partials:
      login:
        form-content-start: { file: partials/login.liquid }
event_streams:
  - name: users
    subscriptions:
      - { event_type: user.created }
      - { event_type: user.deleted }
    destination:
      configuration:
        token: \${env:TENANT_VAR_TOKEN}
`);
  });

  const scalars: readonly (readonly [value: WrittenValue, text: string])[] = [
    ['plain', 'plain'],
    ['two words', 'two words'],
    ['read:orders', 'read:orders'],
    ['https://a.example/?b=c#d', 'https://a.example/?b=c#d'],
    ['', '""'],
    ['true', '"true"'],
    ['Yes', '"Yes"'],
    ['on', '"on"'],
    ['~', '"~"'],
    ['null', '"null"'],
    ['12', '"12"'],
    ['1e3', '"1e3"'],
    ['1.5', '"1.5"'],
    ['.5', '".5"'],
    ['+.5', '"+.5"'],
    ['0x1F', '"0x1F"'],
    ['0o17', '"0o17"'],
    ['1_000', '"1_000"'],
    ['1,000', '"1,000"'],
    ['12:30:45', '"12:30:45"'],
    ['2024-01-31', '"2024-01-31"'],
    ['2024-01-31T10:00:00Z', '"2024-01-31T10:00:00Z"'],
    ['.inf', '".inf"'],
    ['<<', '"<<"'],
    ['=', '"="'],
    ['1.2.3', '1.2.3'],
    ['*', '"*"'],
    ['- a', '"- a"'],
    ['a: b', '"a: b"'],
    ['a:', '"a:"'],
    ['a #b', '"a #b"'],
    ['a#b', 'a#b'],
    ['---', '"---"'],
    ['...', '"..."'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['a\tb', '"a\\tb"'],
    ['say "hi"', 'say "hi"'],
    ['"hi"', '\'"hi"\''],
    ["'hi'", '"\'hi\'"'],
    ['a\\b', 'a\\b'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['a \nb', '"a \\nb"'],
    ['\u001b[0m', '"\\u001b[0m"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['\u00a0', '"\\u00a0"'],
    ['${env:A}', '$${env:A}'],
    ['a ${ b', 'a $${ b'],
    ['$${', '$$${'],
    [new ReferenceText('${var:A}'), '${var:A}'],
    [new ReferenceText('a ${var:A}'), 'a ${var:A}'],
    [new ReferenceText('${var:A}${var:B}'), '${var:A}${var:B}'],
    [7, '7'],
    [-7, '-7'],
    [false, 'false'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n  b\n\n\n', '"a\\n\\n  b\\n\\n\\n"'],
    ['\na', '"\\na"'],
    ['a\n\tb\n', '"a\\n\\tb\\n"'],
    ['a\n', '|\n  a'],
    ['\n', '"\\n"'],
  ];
  test.each(scalars)('%j', (value, text) => {
    const printed = printYaml({ key: value });
    expect(printed).toBe(`key: ${text}\n`);
    expect(readWritten(printed)).toEqual({ key: value });
  });

  test('between brackets, texts with brackets or commas are in quotes', () => {
    const value = { a: ['b, c', 'd', '[', 'e: {f}'] };
    const printed = printYaml(value, { flow: (_value, path) => path.length > 0 });
    expect(printed).toBe('a: ["b, c", d, "[", "e: {f}"]\n');
    expect(readWritten(printed)).toEqual(value);
  });

  test('a reference is in quotes between brackets', () => {
    const printed = printYaml({ a: { b: [new ReferenceText('${var:A}')] } }, { flow: () => true });
    expect(printed).toBe('a: { b: ["${var:A}"] }\n');
  });

  test('lists in lists, empty collections and long keys', () => {
    const key = 'k'.repeat(1025);
    const value = { a: [[1, [2, { b: [], c: {} }]], { [key]: [{ d: 'e\nf' }] }] };
    const printed = printYaml(value, { flow: () => false, listIndent: 0, indent: 4 });
    expect(printed).toBe(
      `a:\n- - 1\n  - - 2\n    - b: []\n      c: {}\n- ? ${key}\n  :\n  - d: |-\n        e\n        f\n`,
    );
    expect(readWritten(printed)).toEqual(value);
  });

  test('every value reads back as itself, in every layout', () => {
    const layouts = fc.record({
      indent: fc.integer({ min: 1, max: 5 }),
      listIndent: fc.integer({ min: 0, max: 5 }),
      flow: fc.constantFrom(
        () => true,
        () => false,
        isShort,
      ),
      width: fc.constantFrom(20, 80, 10_000),
    });
    fc.assert(
      fc.property(anyWritten, layouts, (value, layout) => {
        expect(readWritten(printYaml({ root: value }, layout))).toEqual({ root: value });
      }),
      propertyRuns(3000, 100),
    );
  });
});

describe('whyUnwritable', () => {
  test.each([
    [{ a: [undefined] }, 'a value is not JSON'],
    [{ a: 1.5 }, 'the number 1.5 is not an integer that is exact'],
    [{ 'a${b': 1 }, 'a key contains "${"'],
    [{ a: { constructor: 1 } }, 'the key "constructor" is not allowed'],
  ])('%j', (value, reason) => {
    expect(whyUnwritable(value)).toBe(reason);
  });

  test('a value that is nested too deep', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 40; depth++) value = [value];
    expect(whyUnwritable(value)).toBe('values are nested deeper than 32 levels');
  });

  test('everything else can be written', () => {
    fc.assert(
      fc.property(anyWritten, (value) => whyUnwritable(value) === null),
      propertyRuns(500),
    );
  });
});
