// The edit that approves a refused plan, in files of any size.
import { expect, test } from 'vitest';
import { approvalEdit } from '../../src/edit/header-edits.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { sized, thorough } from '../support/thorough.ts';

const code = 'a'.repeat(24);
const edit = (text: string) => approvalEdit({ at: '', header: 'a.yaml', yaml: new Map([['a.yaml', text]]) }, code);
const sections = 'rate_limit_policies: []\n# the end\n';

test.each<[string, string, number, readonly string[]]>([
  ['between sections', `prompts: {}\n\ntenant: # ours\n  name: a\n\n${sections}`, 5, [`  approvals: [${code}]`]],
  ['at the end', `${sections}tenant:\n  name: a\n`, 5, [`  approvals: [${code}]`]],
  ['without a line end', `${sections}tenant:\n  name: a`, 5, [`  approvals: [${code}]`]],
  ['in brackets over lines', `tenant: {\n  name: a,\n}\n${sections}`, 3, [`  approvals: [${code}],`]],
  [
    'in a document in brackets',
    `{ tenant: { name: a }, prompts: {} }\n`,
    1,
    [`{ tenant: { name: a, approvals: [${code}] }, prompts: {} }`],
  ],
  [
    'with approvals',
    `tenant:\n  approvals: [${'b'.repeat(24)}]\n${sections}`,
    2,
    [`  approvals: [${'b'.repeat(24)}, ${code}]`],
  ],
  ['with approvals in lines', `tenant:\n  approvals:\n    - ${'b'.repeat(24)}\n${sections}`, 4, [`    - ${code}`]],
  [
    'with a null in another section',
    `tenant:\n  name: a\nclients: [{ name: A, description: null }]\n`,
    3,
    [`  approvals: [${code}]`],
  ],
  ['in quotes', `"tenant":\n  name: a\n${sections}`, 3, [`  approvals: [${code}]`]],
  [
    'with an anchor of another section',
    `prompts: &p {}\ntenant:\n  protect: *p\n  name: a\n`,
    5,
    [`  approvals: [${code}]`],
  ],
])('a header %s', (_name, text, line, lines) => {
  expect(edit(text)).toMatchObject({ file: 'a.yaml', line, lines });
});

test('files without a header get one, in a file of its own or in the file of that name', () => {
  const lines = ['tenant:', `  approvals: [${code}]`];
  const created = approvalEdit({ at: '', header: null, yaml: new Map([['a.yaml', sections]]) }, code);
  expect(created).toEqual({ file: 'tenant.yaml', line: 1, change: 'create', replaces: 0, lines });
  const added = approvalEdit({ at: '', header: null, yaml: new Map([['tenant.yaml', 'prompts: {}\n']]) }, code);
  expect(added).toMatchObject({ file: 'tenant.yaml', change: 'insert', replaces: 0 });
  expect(added.lines.join('\n')).toContain(lines.join('\n'));
});

test('a code that YAML may read as a number is quoted', () => {
  for (const digits of ['1'.repeat(24), `${'1'.repeat(20)}e123`, `0${'1'.repeat(23)}`]) {
    const { lines } = approvalEdit({ at: '', header: null, yaml: new Map() }, digits);
    expect(lines.join('\n')).toContain(`"${digits}"`);
  }
});

test('takes seconds at most for a large file', () => {
  const items = Array.from(
    { length: sized(20_000) },
    (_none, index) => `  - { consumer_selector: "client_id:${index}" }\n`,
  );
  const spent = startProcessorTime();
  expect(edit(`tenant:\n  name: a\nrate_limit_policies:\n${items.join('')}`).line).toBe(3);
  expect(spent()).toBeLessThan(thorough ? 5_000 : 2_500);
});
