// Whatever a service does to line ends, a text that was applied is in sync; any other change of a text is a difference.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prompts } from '../../src/kinds/prompts/index.ts';
import type { DesiredPrompt } from '../../src/kinds/prompts/partials.ts';
import type { Partials } from '../../src/service/prompts/types.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { seedOf } from '../support/files-and-tenant.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const point = 'form-content-start';

function putFor(declared: string, live: string) {
  const desired: [string, DesiredPrompt][] = [['login', { partials: { login: { [point]: declared } } }]];
  const { actions } = prompts.decide({
    desired: desiredSection(desired),
    live: {
      readable: true,
      items: [{ prompt: 'login', partials: { login: { [point]: live } } }],
      filtered: false,
    },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
  });
  return actions[0];
}

const lines = fc
  .array(fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', '\r', '\n\n', '{% x %}'), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** What services do to texts. */
const services = {
  'keeps texts': (text: string) => text,
  'stores CRLF': (text: string) => text.replaceAll('\n', '\r\n'),
  'removes final line ends': (text: string) => text.replace(/\n+$/, ''),
  'adds a final line end': (text: string) => (text.endsWith('\n') ? text : `${text}\n`),
  'ends texts with one CRLF': (text: string) => `${text.replace(/\n+$/, '').replaceAll('\n', '\r\n')}\r\n`,
};

describe.each(Object.entries(services))('a service that %s', (_name, stored) => {
  test('has no difference after an apply', () => {
    fc.assert(
      fc.property(lines, (text) => {
        const sent = putFor(text, `other${text}`)?.request.body as Partials;
        const body = sent['login']?.[point] ?? '';
        expect(body).not.toContain('\r');
        expect(putFor(text, stored(body))).toBeUndefined();
      }),
    );
  });
});

test('texts that differ in anything but line ends are a difference', () => {
  const bare = (text: string) => text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
  fc.assert(
    fc.property(lines, lines, (declared, live) => {
      expect(putFor(declared, live) === undefined).toBe(bare(declared) === bare(live));
    }),
  );
});

test('a text that differs in line ends alone is not shown as changed beside one that differs', () => {
  const partials = { login: { [point]: 'a\r\nb', 'form-content-end': 'new' } };
  const live = { login: { [point]: 'a\nb\n', 'form-content-end': 'old' } };
  const [action] = prompts.decide({
    desired: desiredSection([['login', { partials }]]),
    live: { readable: true, items: [{ prompt: 'login', partials: live }], filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
  }).actions;
  if (action === undefined) throw new Error('no action');
  expect(prompts.describe(action).parts).toEqual([{ does: 'changes', parts: [{ name: 'form-content-end' }] }]);
  expect(action.request.body).toEqual({ login: { [point]: 'a\nb', 'form-content-end': 'new' } });
});

test('a CRLF file and an LF file make the same plan, and what the tenant stores stays in sync', async () => {
  const tenant = await tenantWith(seedOf());
  const yaml = `prompts:\n  login:\n    partials: { login: { ${point}: { file: start.liquid } } }\n`;
  const dos = await folder({ 'p.yaml': yaml.replaceAll('\n', '\r\n'), 'start.liquid': '<b>\r\n  Hello\r\n</b>\r\n' });
  const unix = await folder({ 'p.yaml': yaml, 'start.liquid': '<b>\n  Hello\n</b>\n' });
  const digestOf = async (files: string) =>
    JSON.parse((await runCommand(['plan', files, '--format', 'json'], { env: tenant.env })).stdout).digest;
  expect(await digestOf(dos)).toBe(await digestOf(unix));
  expect((await runCommand(['apply', dos, '--yes'], { env: tenant.env })).code).toBe(0);
  for (const stored of Object.values(services)) {
    await tenant.tenant.change((seed) => {
      const texts = seed.prompts?.['login']?.partials['login'];
      if (texts !== undefined) texts[point] = stored('<b>\n  Hello\n</b>\n');
    });
    for (const files of [dos, unix]) expect((await runCommand(['drift', files], { env: tenant.env })).code).toBe(0);
  }
});

test('the limit counts characters as they are sent', async () => {
  const text = 'x\r\n'.repeat(5000);
  const files = await folder({
    'p.yaml': `prompts:\n  login:\n    partials: { login: { ${point}: { file: a.liquid } } }\n`,
    'a.liquid': text,
  });
  expect((await runCommand(['validate', files])).code).toBe(0);
});
