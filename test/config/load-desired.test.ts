import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProblemList } from '../../src/config/errors/problem-list.ts';
import { folderSource } from '../../src/config/files/folder-source.ts';
import { textOf } from '../../src/config/files/read-source.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import { kinds } from '../support/all-kinds.ts';
import { diagnosticsOf, loadFiles, loadFolder, problemsIn, summaryOf } from '../support/load-files.ts';
import { folder } from '../support/temp-folder.ts';
import { loginFile, policiesFile, policyItem } from './file-texts.ts';

type Files = Parameters<typeof folder>[0];

async function load(files: Files): Promise<Desired> {
  const { desired, diagnostics } = await loadFiles(files);
  // Names of screens and insertion points that nobody knows are warnings, and beside the point here.
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(summaryOf)).toEqual([]);
  if (desired === null) throw new Error('no desired state');
  return desired;
}

function itemsOf(desired: Desired, kind: AnyKind['name']) {
  return (desired.sections.get(kind)?.items ?? []).map(({ key, value }) => ({ key, value }));
}

describe('the files of a folder are one desired state', () => {
  const files = {
    'b/roles.yml':
      'roles:\n  - id: rol_1\n    absent_permissions: [{ resource_server_identifier: a, permission_name: b }]\n',
    'a.yaml': `\ufefftenant: { name: acme, guards: { max_delete_count: 7 } }\n${policiesFile('default')}`,
    'b/a.yaml': `${policiesFile('third_party_clients')}prompts: { login: { partials: {} } }\r\n`,
    'c.yaml': 'prompts:\n  signup: {}\nevent_streams: []\n',
  };

  test('sections are joined in the order of the files', async () => {
    const desired = await load(files);
    expect([...desired.sections.keys()]).toEqual(['rate_limit_policies', 'roles', 'prompts', 'event_streams']);
    expect(itemsOf(desired, 'rate_limit_policies').map(({ key }) => key)).toEqual([
      'oauth_authentication_api/client/default',
      'oauth_authentication_api/client/third_party_clients',
    ]);
    expect(itemsOf(desired, 'prompts')).toEqual([
      { key: 'login', value: { partials: {} } },
      { key: 'signup', value: {} },
    ]);
    expect(desired.sections.get('prompts')?.source).toEqual({ file: 'b/a.yaml', line: 6, column: 1 });
    expect(desired.sections.get('event_streams')?.items).toEqual([]);
    expect(desired.tenant).toEqual({ name: 'acme', guards: { max_delete_count: 7 } });
  });

  test('every value keeps its place', async () => {
    const desired = await load(files);
    const at = (kind: AnyKind['name'], index: number, pointer: string) => {
      const source = desired.sections.get(kind)?.items[index]?.at(pointer);
      return `${source?.file}:${source?.line}:${source?.column}`;
    };
    expect(at('rate_limit_policies', 1, '')).toBe('b/a.yaml:2:5');
    expect(at('rate_limit_policies', 1, '/consumer_selector')).toBe('b/a.yaml:4:24');
    expect(at('rate_limit_policies', 1, '/configuration/action')).toBe('b/a.yaml:5:30');
    expect(at('rate_limit_policies', 1, '/configuration/limit')).toBe('b/a.yaml:5:20');
    expect(at('roles', 0, '/absent_permissions/0/permission_name')).toBe('b/roles.yml:3:76');
    expect(at('roles', 0, '/absent_permissions/9')).toBe('b/roles.yml:3:25');
    expect(at('prompts', 0, '')).toBe('b/a.yaml:6:12');
    expect(at('prompts', 1, '')).toBe('c.yaml:2:3');
    expect(desired.tenantAt('')).toEqual({ file: 'a.yaml', line: 1, column: 1 });
    expect(desired.tenantAt('/guards/max_delete_count')).toEqual({ file: 'a.yaml', line: 1, column: 51 });
  });

  test('without a header the tenant is empty and nowhere', async () => {
    const desired = await load({ 'a.yaml': 'roles: []\n' });
    expect(desired.tenant).toEqual({});
    expect(desired.tenantAt('')).toBeUndefined();
    expect([...desired.sections.keys()]).toEqual(['roles']);
  });

  test('the number of files is reported', async () => {
    expect(await loadFiles({ ...files, 'broken.yaml': '"' })).toMatchObject({
      files: 5,
      desired: null,
    });
  });

  test('a warning alone leaves the desired state', async () => {
    const { desired, diagnostics } = await loadFiles({ 'a.yaml': 'tenant: { name: a }\n' });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['CONFIG_NOTHING_MANAGED', 'warning']]);
    expect(desired?.tenant).toEqual({ name: 'a' });
  });

  test('aliases are values of their own', async () => {
    const permission = '{ resource_server_identifier: a, permission_name: b }';
    const desired = await load({
      'a.yaml': `roles:\n  - id: x\n    permissions: &all [${permission}]\n  - id: r2\n    permissions: *all\n`,
    });
    const [first, second] = itemsOf(desired, 'roles') as { value: { permissions: unknown[] } }[];
    expect(second?.value.permissions).toEqual([{ resource_server_identifier: 'a', permission_name: 'b' }]);
    expect(second?.value.permissions).not.toBe(first?.value.permissions);
    expect(desired.sections.get('roles')?.items[1]?.at('/permissions')).toEqual({
      file: 'a.yaml',
      line: 5,
      column: 18,
    });
    expect(desired.sections.get('roles')?.items[1]?.at('/permissions/0')).toEqual({
      file: 'a.yaml',
      line: 3,
      column: 24,
    });
  });

  test('an anchor counts from where it stands, also inside what an alias repeats', async () => {
    const desired = await load({
      'a.yaml':
        'roles:\n  - { id: &a x, permissions: &p [{ resource_server_identifier: *a, permission_name: b }] }\n  - { id: &a r2, permissions: *p }\n',
    });
    expect(itemsOf(desired, 'roles')[1]?.value).toEqual({
      id: 'r2',
      permissions: [{ resource_server_identifier: 'x', permission_name: 'b' }],
    });
  });

  test('the same folder read twice gives the same result', async () => {
    const root = await folder({ 'a.yaml': `${policiesFile('a', 'b')}x: 1\n`, 'b.yaml': '"' });
    const { diagnostics, files } = await loadFolder(root);
    expect(await loadFolder(root)).toMatchObject({ desired: null, diagnostics, files });
  });
});

describe('all problems of all files are reported at once, in order', () => {
  test('broken files do not hide those of others', async () => {
    expect(
      await problemsIn({
        'b.yaml': 'tenant: { nam: a }\n',
        'a.yaml': 'roles: [\n',
        '\u{1f600}.yaml': `${policiesFile('defaults')}tenant: { api: x }\n`,
        '\uff5e.yaml': '\t- a\n',
      }),
    ).toEqual([
      'CONFIG_YAML_SYNTAX a.yaml:1:8 "["',
      'CONFIG_UNKNOWN_FIELD b.yaml:1:11 "nam"',
      'CONFIG_UNKNOWN_VALUE \u{1f600}.yaml:4:24 "defaults"',
      'CONFIG_DUPLICATE_IDENTITY \u{1f600}.yaml:6:1 "tenant"',
      'CONFIG_UNKNOWN_VALUE \u{1f600}.yaml:6:16 "x"',
      'CONFIG_TAB_INDENT \uff5e.yaml:1:1 "\\t"',
    ]);
  });

  test('an invalid item does not hide what its neighbours share', async () => {
    const text = `rate_limit_policies:\n${policyItem('wrong')}${policyItem('default')}${policyItem('default')}prompts: { logn: {}, login: { partials: { login: { start: { file: gone } } } } }\n`;
    expect(await problemsIn({ 'a.yaml': text })).toEqual([
      'CONFIG_UNKNOWN_VALUE a.yaml:4:24 "wrong"',
      'CONFIG_DUPLICATE_IDENTITY a.yaml:12:24 "default"',
      'CONFIG_UNKNOWN_VALUE a.yaml:14:12 "logn"',
      'CONFIG_REFERENCE_MISSING a.yaml:14:67 "gone"',
    ]);
  });

  test('a problem in what aliases repeat is reported once', async () => {
    const text =
      'roles:\n  - { id: x, permissions: &p [{ resource_server_identifier: 1e3, permission_name: b }] }\n  - { id: r2, permissions: *p }\n';
    expect(await problemsIn({ 'a.yaml': text })).toEqual(['CONFIG_NUMBER_FORM a.yaml:2:61 "1e3"']);
  });

  test('repeated identities across files name both places', async () => {
    const [policyTwice, roleTwice, promptTwice] = await diagnosticsOf({
      'a.yaml': `${policiesFile('default')}roles: [{ id: x, permissions: [] }]\nprompts:\n  login: {}\n`,
      'b/b.yaml': `${policiesFile('default')}roles: [{ id: x, permissions: [] }]\nprompts:\n  login: {}\n`,
    });
    expect(policyTwice).toMatchObject({
      code: 'CONFIG_DUPLICATE_IDENTITY',
      source: { file: 'b/b.yaml', line: 4, column: 24 },
    });
    expect(policyTwice?.message).toContain('a.yaml:4:24 and at b/b.yaml:4:24');
    expect(roleTwice).toMatchObject({
      code: 'CONFIG_DUPLICATE_IDENTITY',
      source: { file: 'b/b.yaml', line: 6, column: 15 },
    });
    expect(promptTwice).toMatchObject({
      code: 'CONFIG_DUPLICATE_IDENTITY',
      source: { file: 'b/b.yaml', line: 8, column: 3 },
    });
    expect(promptTwice?.message).toContain('a.yaml:8:3');
  });

  test('what kinds report has an excerpt', async () => {
    const kind: AnyKind = {
      ...(kinds[1] as AnyKind),
      check: (item, report) =>
        report({ code: 'CONFIG_CONTRADICTION', severity: 'error', message: 'm', source: item.at('/id') }),
    };
    const { diagnostics } = await loadFiles({ 'a.yaml': "roles:\n  - id: 'a-b'\n" }, [kind]);
    expect(diagnostics).toEqual([
      {
        code: 'CONFIG_CONTRADICTION',
        severity: 'error',
        message: 'm',
        source: { file: 'a.yaml', line: 2, column: 9 },
        excerpt: { line: 2, column: 9, width: 5, text: "  - id: 'a-b'" },
      },
    ]);
  });

  test('a diagnostic of a kind without a location stays as it is', async () => {
    const said = { code: 'CONFIG_CONTRADICTION', severity: 'error', message: 'm' } as const;
    const kind: AnyKind = { ...(kinds[1] as AnyKind), check: (_item, report) => report(said) };
    expect((await loadFiles({ 'a.yaml': 'roles: [{ id: a }]\n' }, [kind])).diagnostics).toEqual([said]);
  });

  test('nesting that no stack could follow is refused where it passes the limit', async () => {
    const deep = Array.from({ length: 2500 }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
    expect(
      await problemsIn({
        'a.yaml': `${deep}${' '.repeat(2500)}b: 1\nc: 2\n`,
        'b.yaml': '- '.repeat(100_000),
        'c.yaml': `a: ${'['.repeat(100_000)}`,
        'd.yaml': '{a: '.repeat(100_000),
        'e.yaml': '? '.repeat(100_000),
        'f.yaml': 'a:\n- b:\n  - c: [[]]\nd: 1\n',
      }),
    ).toEqual([
      expect.stringMatching(/^CONFIG_TOO_DEEP a.yaml:33:33 "a"/),
      expect.stringMatching(/^CONFIG_TOO_DEEP b.yaml:1:65 /),
      expect.stringMatching(/^CONFIG_TOO_DEEP c.yaml:1:35 /),
      expect.stringMatching(/^CONFIG_TOO_DEEP d.yaml:1:129 /),
      expect.stringMatching(/^CONFIG_TOO_DEEP e.yaml:1:65 /),
      expect.stringMatching(/^CONFIG_UNKNOWN_FIELD f.yaml:1:1 /),
      expect.stringMatching(/^CONFIG_UNKNOWN_FIELD f.yaml:4:1 /),
    ]);
  });
});

describe('messages', () => {
  const message = async (text: string) => {
    const [first] = await diagnosticsOf({ 'a.yaml': text });
    return `${first?.message} | ${first?.hint}`;
  };

  test('a misspelt field names the form that it is in and the nearest field', async () => {
    expect(
      await message(`rate_limit_policies:\n${policyItem('default', '{ action: block, limit: 1, limitt: 3 }')}`),
    ).toBe(
      '"limitt" is not a field of a "block" configuration. Valid fields are action and limit. | did you mean "limit"?',
    );
  });

  test('a value in none of the valid formats gets the description of the format', async () => {
    expect(
      await message(
        'event_streams:\n  - name: a\n    subscriptions: [{ event_type: b }]\n    destination: { type: webhook, configuration: { webhook_endpoint: "http://a.example" } }\n',
      ),
    ).toBe(
      '"http://a.example" is not a valid value of "webhook_endpoint". Expected: an address that starts with https://, with a host and without credentials; every other character is escaped, as in %C3%A9. | write an https:// address, such as https://crm.example.com/hook; credentials belong to webhook_authorization',
    );
  });

  test('the rule of the base URL is reported', async () => {
    expect(await message('tenant: { base_url: "https://a.example/x/api/v2" }\n')).toContain('its path must be /api/v2');
  });

  test('a missing file names the nearest one', async () => {
    const [first] = await diagnosticsOf({
      'a.yaml': loginFile('{ file: partials/strat.liquid }'),
      'partials/start.liquid': '',
    });
    expect(first).toMatchObject({ code: 'CONFIG_REFERENCE_MISSING', hint: 'did you mean "start.liquid"?' });
  });

  test('a selector that is too long is reported once', async () => {
    expect(await message(policiesFile(`client_id:${'x'.repeat(246)}`))).toContain(
      'has 256 characters; the maximum is 255',
    );
  });

  test('a selector of 255 is accepted', async () => {
    expect(await problemsIn({ 'a.yaml': policiesFile(`client_id:${'x'.repeat(245)}`) })).toEqual([]);
  });
});

describe('references to files', () => {
  test('the text takes the place of the mapping, byte order mark removed and line ends kept', async () => {
    const desired = await load({
      'sub/a.yaml': loginFile('{ file: ../partials/start.liquid }'),
      'partials/start.liquid': '\ufeff{% if a %}\r\n{% endif %}\r\n',
    });
    expect(itemsOf(desired, 'prompts')).toEqual([
      { key: 'login', value: { partials: { login: { start: '{% if a %}\r\n{% endif %}\r\n' } } } },
    ]);
    const item = desired.sections.get('prompts')?.items[0];
    expect(item?.at('/partials/login/start')).toEqual({ file: 'partials/start.liquid', line: 1, column: 1 });
    expect(item?.at('/partials/login')).toEqual({ file: 'sub/a.yaml', line: 4, column: 7 });
  });

  test('names with a slash or a tilde are followed', async () => {
    const desired = await load({
      'a.yaml': 'prompts:\n  login:\n    partials:\n      a/b:\n        c~d: { file: x }\n        e: inline\n',
      x: 'text',
    });
    expect(itemsOf(desired, 'prompts')[0]?.value).toEqual({
      partials: { 'a/b': { 'c~d': 'text', e: 'inline' } },
    });
  });

  test('an unusual name is just a name', async () => {
    const desired = await load({ 'a.yaml': loginFile('{ file: "%2e%2e%2fx" }'), '%2e%2e%2fx': 'text' });
    expect(itemsOf(desired, 'prompts')[0]?.value).toEqual({ partials: { login: { start: 'text' } } });
  });

  for (const path of [
    '/etc/hostname',
    '~/x',
    '~root/x',
    '..',
    '../x',
    'a/../../x',
    'C:/x',
    'c:x',
    '..\\\\x',
    'a\\\\b',
    '\\\\\\\\server\\\\share',
    'x\\0',
  ]) {
    test(`${path} is refused`, async () => {
      expect(await problemsIn({ 'a.yaml': loginFile(`{ file: "${path}" }`) })).toEqual([
        `CONFIG_REFERENCE_OUTSIDE a.yaml:5:24 ${JSON.stringify(`"${path}"`)}`,
      ]);
    });
  }

  test('a link out of the folder is refused, one that stays inside is followed', async () => {
    const outside = await folder({ 'secret.txt': 'hunter2', 'sub/x': 'hunter2' });
    const root = await folder({
      'a.yaml': `${loginFile('{ file: link }')}        end: { file: sub/x }\n        more: { file: good }\n`,
      real: 'text',
    });
    await symlink(join(outside, 'secret.txt'), join(root, 'link'));
    await symlink(join(outside, 'sub'), join(root, 'sub'));
    await symlink('real', join(root, 'good'));
    const { diagnostics } = await loadFolder(root);
    expect(diagnostics.map(summaryOf)).toEqual([
      'CONFIG_REFERENCE_OUTSIDE a.yaml:5:24 "link"',
      'CONFIG_REFERENCE_OUTSIDE a.yaml:6:22 "sub/x"',
      'CONFIG_REFERENCE_OUTSIDE sub:1:1',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
    await rm(join(root, 'sub'));
    await writeFile(join(root, 'a.yaml'), loginFile('{ file: good }'));
    expect(
      (await loadFolder(root)).desired?.sections.get('prompts')?.items[0]?.at('/partials/login/start'),
    ).toMatchObject({ file: 'real' });
  });

  test('a folder, a pipe, a loop, a large and an unreadable file are refused', async () => {
    const points = ['folder', 'pipe', 'loop', 'large', 'file/x', 'folder/']
      .map((name) => `        ${name.replace('/', '')}: { file: ${name} }\n`)
      .join('');
    const root = await folder({
      'a.yaml': `prompts:\n  login:\n    partials:\n      login:\n${points}`,
      large: 'x'.repeat(5_000_001),
      file: '',
    });
    await mkdir(join(root, 'folder'));
    await symlink('loop', join(root, 'loop'));
    await makePipe(join(root, 'pipe'));
    expect((await loadFolder(root)).diagnostics.map(summaryOf)).toEqual([
      'CONFIG_REFERENCE_NOT_A_FILE a.yaml:5:25 "folder"',
      'CONFIG_REFERENCE_NOT_A_FILE a.yaml:6:23 "pipe"',
      'CONFIG_FILE_UNREADABLE a.yaml:7:23 "loop"',
      'CONFIG_FILE_TOO_LARGE a.yaml:8:24 "large"',
      'CONFIG_REFERENCE_MISSING a.yaml:9:24 "file/x"',
      'CONFIG_DUPLICATE_KEY a.yaml:10:9 "folder"',
    ]);
  });

  test('bad bytes are reported in the text, once, however often it is named', async () => {
    expect(
      await problemsIn({
        'a.yaml': `${loginFile('{ file: x.liquid }')}        end: { file: x.liquid }\n`,
        'x.liquid': Buffer.concat([Buffer.from('one\ntwo '), Buffer.from([0xff])]),
      }),
    ).toEqual(['CONFIG_BAD_ENCODING x.liquid:2:5 "\ufffd"']);
  });
});

describe('finding files', () => {
  test('a folder that is missing, or a file, is reported', async () => {
    const root = await folder({ 'a.yaml': 'roles: []\n' });
    for (const path of [join(root, 'gone'), join(root, 'a.yaml')]) {
      expect((await loadFolder(path)).diagnostics.map(summaryOf)).toEqual(['CONFIG_FOLDER_MISSING']);
    }
  });

  test('links inside the folder add what is not read anyway, links out of it are refused', async () => {
    const outside = await folder({ 'x.yaml': policiesFile('default'), 'sub/y.yaml': policiesFile('default') });
    const root = await folder({
      'a.yaml': policiesFile('default'),
      'sub/b.yaml': 'roles: []\n',
      '.shared/c.yaml': 'event_streams: []\n',
      'note.txt': '',
    });
    await symlink('a.yaml', join(root, 'again.yaml'));
    await symlink('sub', join(root, 'same'));
    await symlink('.', join(root, 'loop'));
    await symlink('.shared/c.yaml', join(root, 'shared.yaml'));
    await symlink('note.txt', join(root, 'note'));
    await symlink('gone', join(root, 'gone'));
    const good = await loadFolder(root);
    expect(good.diagnostics).toEqual([]);
    expect(good.files).toBe(3);
    expect(good.desired?.sections.get('event_streams')?.source.file).toBe('shared.yaml');
    await symlink(join(outside, 'x.yaml'), join(root, 'x.yaml'));
    await symlink(join(outside, 'sub'), join(root, 'y'));
    await symlink('gone', join(root, 'z.yaml'));
    await symlink('.shared', join(root, 'shared'));
    await makePipe(join(root, 'pipe.yaml'));
    expect((await loadFolder(root)).diagnostics.map(summaryOf)).toEqual([
      'CONFIG_FILE_UNREADABLE pipe.yaml:1:1',
      'CONFIG_REFERENCE_HIDDEN shared:1:1',
      'CONFIG_REFERENCE_OUTSIDE x.yaml:1:1',
      'CONFIG_REFERENCE_OUTSIDE y:1:1',
      'CONFIG_FILE_UNREADABLE z.yaml:1:1',
    ]);
  });

  test('a folder that goes away while it is searched is reported', async () => {
    const path = await folder({});
    const source = folderSource(path);
    await source.list();
    await rm(path, { recursive: true });
    expect(await source.list()).toEqual({
      files: [],
      problems: [{ path: '.', reason: 'unreadable', detail: 'ENOENT' }],
    });
  });

  test('a file that goes away after it was found is reported', async () => {
    const { report, finish } = openProblemList();
    expect(textOf('a.yaml', await folderSource(await folder({})).read('a.yaml'), report)).toBeNull();
    expect(finish(new Map()).map(({ code }) => code)).toEqual(['CONFIG_FILE_UNREADABLE']);
  });
});

async function makePipe(path: string): Promise<void> {
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve, reject) =>
    execFile('mkfifo', [path], (error) => (error === null ? resolve() : reject(error))),
  );
}
