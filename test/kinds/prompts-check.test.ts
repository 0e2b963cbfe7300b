// Places need real files, so these go through the loader.
import { expect, describe as group, test } from 'vitest';
import { prompts } from '../../src/kinds/prompts/index.ts';
import type { DesiredPrompt, LivePrompt } from '../../src/kinds/prompts/partials.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { DesiredItem, DesiredSection } from '../../src/model/kind.ts';
import type { LiveState } from '../../src/model/reader.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { loadFiles } from '../support/load-files.ts';

/** As `validate` shows them. */
async function diagnosticsOf(files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
  const { diagnostics, desired } = await loadFiles(files, [prompts]);
  const items = (desired?.sections.get('prompts')?.items ?? []) as readonly DesiredItem<DesiredPrompt>[];
  return [...diagnostics, ...(prompts.checkTogether?.(items, () => []) ?? [])];
}

const places = (found: readonly Diagnostic[]) =>
  found.map(({ severity, code, source }) => `${severity} ${code} ${source?.file}:${source?.line}:${source?.column}`);
const prompt = (name: string, screen: string, point = 'form-content') =>
  `prompts:\n  ${name}:\n    partials:\n      ${screen}:\n        ${point}: text\n`;
const points =
  'form-content, form-content-start, form-content-end, form-footer-start, form-footer-end, secondary-actions-start, secondary-actions-end';

group('screens', () => {
  test.each([
    ['login', ['login']],
    ['login-id', ['login-id']],
    ['login-password', ['login-password']],
    ['login-passwordless', ['login-passwordless-email-code', 'login-passwordless-sms-otp']],
    ['signup', ['signup']],
    ['signup-id', ['signup-id']],
    ['signup-password', ['signup-password']],
    ['customized-consent', ['customized-consent']],
    ['passkeys', ['passkey-enrollment', 'passkey-enrollment-local']],
    ['confirmation', ['confirmation', 'anything']],
  ])('of %s are known: %j', async (name, screens) => {
    for (const screen of screens) expect(await diagnosticsOf({ 'a.yaml': prompt(name, screen) })).toEqual([]);
  });

  test('another one is a warning with the ones that are known', async () => {
    expect(await diagnosticsOf({ 'a.yaml': prompt('login-passwordless', 'login') })).toMatchObject([
      {
        code: 'CONFIG_UNKNOWN_SCREEN',
        severity: 'warning',
        message:
          'Unknown screen "login" in the prompt "login-passwordless"; known screens: login-passwordless-email-code, login-passwordless-sms-otp. The tenant may reject or ignore it.',
        hint: 'use one of the known names',
        source: { file: 'a.yaml', line: 4, column: 7 },
      },
    ]);
  });

  test.each([
    ['passkeys-enrollment', 'did you mean "passkey-enrollment"?'],
    ['passkeys-enrollment-local', 'did you mean "passkey-enrollment-local"?'],
  ])('%s of passkeys is the spelling of other tools', async (screen, hint) => {
    expect(await diagnosticsOf({ 'a.yaml': prompt('passkeys', screen) })).toMatchObject([
      { code: 'CONFIG_UNKNOWN_SCREEN', severity: 'warning', hint },
    ]);
  });
});

group('insertion points', () => {
  test.each(points.split(', '))('%s is known', async (point) => {
    expect(await diagnosticsOf({ 'a.yaml': prompt('login', 'login', point) })).toEqual([]);
  });

  test('another one is a warning with a near word', async () => {
    expect(await diagnosticsOf({ 'a.yaml': prompt('login', 'login', 'form-content-stat') })).toMatchObject([
      {
        code: 'CONFIG_UNKNOWN_INSERTION_POINT',
        severity: 'warning',
        message: `Unknown insertion point "form-content-stat" in the screen "login"; known insertion points: ${points}. The tenant may reject or ignore it.`,
        hint: 'did you mean "form-content-start"?',
        source: { file: 'a.yaml', line: 5, column: 28 },
      },
    ]);
  });

  test('the place is in the YAML file also where the text is in a file of its own', async () => {
    const files = {
      'a.yaml': prompt('confirmation', 'a/b', 'c~d').replace('text', '{ file: c.liquid }'),
      'c.liquid': 'text',
    };
    expect(places(await diagnosticsOf(files))).toEqual(['warning CONFIG_UNKNOWN_INSERTION_POINT a.yaml:5:22']);
  });

  test('a warning does not keep the files from being used', async () => {
    const loaded = await loadFiles({ 'a.yaml': prompt('login', 'other', 'x') }, [prompts]);
    expect(loaded.desired?.sections.get('prompts')?.items.map(({ key }) => key)).toEqual(['login']);
    expect(places(loaded.diagnostics)).toEqual(['warning CONFIG_UNKNOWN_INSERTION_POINT a.yaml:5:12']);
  });

  test.each<readonly [string, LivePrompt['partials'], number]>([
    ['has a text on it', { 'passkeys-enrollment': { x: 'y' } }, 0],
    ['has only an empty screen', { 'passkeys-enrollment': {} }, 1],
    ['has other screens', { 'passkey-enrollment': { x: 'y' } }, 1],
  ])('a plan names an unknown screen unless the tenant %s', async (_case, partials, count) => {
    const loaded = await loadFiles({ 'a.yaml': prompt('passkeys', 'passkeys-enrollment') }, [prompts]);
    const desired = loaded.desired?.sections.get('prompts') as DesiredSection<DesiredPrompt>;
    const live = { readable: true, filtered: false, items: [{ prompt: 'passkeys', partials }] } as const;
    const { findings } = prompts.decide({ desired, live, keep: keepNothing, api: 'full', rotate: new Set() });
    const finding = {
      code: 'LIVE_UNKNOWN_SCREEN',
      message:
        '"passkeys-enrollment" is not a known screen of this prompt, and the tenant has no text on it; did you mean "passkey-enrollment"?',
      source: { file: 'a.yaml', line: 4, column: 7 },
    };
    expect(findings).toMatchObject(Array(count).fill(finding));
  });
});

group('lengths', () => {
  const smile = '\u{1f600}';
  const with2 = (text: string) => prompt('login', 'login', 'form-footer-end').replace('text', text);

  test('10,000 code points are allowed, inline and from a file', async () => {
    expect(await diagnosticsOf({ 'a.yaml': with2(smile.repeat(10_000)) })).toEqual([]);
    expect(await diagnosticsOf({ 'a.yaml': with2('{ file: c.liquid }'), 'c.liquid': smile.repeat(10_000) })).toEqual(
      [],
    );
  });

  test('one more is an error at the text', async () => {
    expect(await diagnosticsOf({ 'a.yaml': with2(smile.repeat(10_001)) })).toMatchObject([
      {
        code: 'CONFIG_TOO_LONG',
        severity: 'error',
        message: 'The text of login/form-footer-end has 10001 characters; the limit is 10000.',
        hint: 'shorten it to at most 10000 characters',
        source: { file: 'a.yaml', line: 5, column: 26 },
      },
    ]);
  });

  test('the place of a text in a file of its own is that file, where it is shortened', async () => {
    const files = { 'a.yaml': with2('{ file: c.liquid }'), 'c.liquid': `${'x'.repeat(10_000)}\n` };
    expect(places(await diagnosticsOf(files))).toEqual(['error CONFIG_TOO_LONG c.liquid:1:1']);
  });
});

group('the prompt that the service specification does not list', () => {
  const files = (api: string) => ({ 'a.yaml': `tenant: { api: ${api} }\nprompts:\n  confirmation: {}\n` });

  test('is refused with api: documented, at its name', async () => {
    expect(await diagnosticsOf(files('documented'))).toMatchObject([
      {
        code: 'CONFIG_UNKNOWN_VALUE',
        severity: 'error',
        message: '"confirmation" is not a prompt that api: documented supports.',
        hint: 'remove it or set api: full in the header',
        source: { file: 'a.yaml', line: 3, column: 3 },
      },
    ]);
  });

  test('is accepted with api: full', async () => {
    expect(await diagnosticsOf(files('full'))).toEqual([]);
  });
});

test('a put points into the file of each text', async () => {
  const yaml =
    'prompts:\n  login:\n    partials:\n      login:\n        form-content: inline\n        form-footer-end: { file: c.liquid }\n';
  const section = (await loadFiles({ 'a.yaml': yaml, 'c.liquid': 'text' }, [prompts])).desired?.sections.get('prompts');
  const live: LiveState<LivePrompt> = { readable: true, items: [{ prompt: 'login', partials: {} }], filtered: false };
  const desired = section as DesiredSection<DesiredPrompt>;
  const { actions } = prompts.decide({ desired, live, keep: keepNothing, api: 'full', rotate: new Set() });
  expect(actions).toMatchObject([
    {
      source: { file: 'a.yaml', line: 2, column: 3 },
      sources: [
        { pointer: '/login/form-content', source: { file: 'a.yaml', line: 5, column: 23 } },
        { pointer: '/login/form-footer-end', source: { file: 'c.liquid', line: 1, column: 1 } },
      ],
    },
  ]);
});
