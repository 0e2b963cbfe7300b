// The file of --events: what is in it, what it never overwrites, and what becomes of it where there is no room.
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { chown, link, open, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { openEventFile } from '../../src/cli/event-file.ts';
import { runBuilt } from '../support/built-command.ts';
import { filesOfEveryKind, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

describe('the lines', () => {
  test('follow their schema and contain no secret', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const { code } = await runCommand(['apply', files, '--yes', '--events', 'events.ndjson'], {
      env: tenant.env,
      cwd: files,
    });
    const text = await readFile(join(files, 'events.ndjson'), 'utf8');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ajv = new Ajv2020.default({ discriminator: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(await readFile('schemas/events.schema.json', 'utf8')));
    for (const event of events) expect(validate(event), JSON.stringify([event, validate.errors])).toBe(true);
    expect(code).toBe(0);
    expect(events.map(({ event }) => event)).toEqual([
      'run_started',
      ...Array(5).fill('read'),
      'planned',
      ...Array(3).fill('action_ended'),
      // Everything that was written is verified.
      ...Array(3).fill('read'),
      'run_ended',
    ]);
    expect(events.at(-1)).toMatchObject({ exit_code: 0 });
    expect(text).not.toContain('planted');
  });

  test('end with the exit code of a failure', async () => {
    const files = await folder({ 'x.yaml': 'nonsense: 1\n' });
    const { code } = await runCommand(['plan', files, '--events', 'e'], { cwd: files });
    const lines = (await readFile(join(files, 'e'), 'utf8')).trimEnd().split('\n');
    expect([code, JSON.parse(lines.at(-1) ?? '')]).toMatchObject([3, { event: 'run_ended', exit_code: 3 }]);
  });

  test('a file that cannot be written is reported before anything is sent', async () => {
    const files = await folder(filesOfEveryKind);
    const { code, stderr } = await runCommand(['plan', files, '--events', 'no/such/folder'], { cwd: files });
    expect({ code, reported: stderr.includes('cannot be written: ENOENT') }).toEqual({ code: 3, reported: true });
  });

  test.each<[string, string, string]>([
    ['a tenant file', 'p.yaml', 'there is a file with other content than events'],
    ['a folder', 'below', 'there is a folder'],
    ['a link', 'link', 'there is a link'],
    ['a descriptor of this process', '/dev/fd/6', 'there is a link'],
    ['a log of another program', 'log', 'there is a file with other content than events'],
    ['a log whose lines look like events', 'similar', 'there is a file with other content than events'],
    ['a log of events without a first line', 'middle', 'there is a file with other content than events'],
    ['a file with several hard links', 'hard', 'there is a file with several hard links'],
  ])('%s is not overwritten', async (_name, name, why) => {
    const text = policiesYaml('default');
    const files = await folder({
      'p.yaml': text,
      'below/x': '',
      log: '{"time":"2026-11-21T00:00:00.000Z","level":"INFO"}\n',
      similar: '{"time":"2026-11-21T00:00:00.000Z","event":"login","user":"a"}\n',
      middle: '{"time":"2026-11-21T00:00:00.000Z","event":"run_ended","exit_code":0}\n',
    });
    await link(join(files, 'below/x'), join(files, 'hard'));
    await symlink(join(files, 'p.yaml'), join(files, 'link'));
    const { code, stderr } = await runCommand(['plan', files, '--events', name], { cwd: files });
    expect({ code, reported: stderr.includes(`cannot be written: ${why}`) }).toEqual({ code: 3, reported: true });
    expect(await readFile(join(files, 'p.yaml'), 'utf8')).toBe(text);
  });

  test.skipIf(process.getuid?.() !== 0)('a file of another user is not overwritten', async () => {
    const files = await folder({ 'x.yaml': 'nonsense: 1\n', e: '' });
    await chown(join(files, 'e'), 65_534, 65_534);
    const { code, stderr } = await runCommand(['plan', files, '--events', 'e'], { cwd: files });
    expect({ code, reported: stderr.includes('there is a file of another user') }).toEqual({ code: 3, reported: true });
  });

  test('a file of an earlier run is begun anew, and an empty one is used', async () => {
    const files = await folder({ 'x.yaml': 'nonsense: 1\n', empty: '' });
    for (const name of ['e', 'e', 'empty']) await runCommand(['plan', files, '--events', name], { cwd: files });
    for (const name of ['e', 'empty']) expect((await readFile(join(files, name), 'utf8')).split('\n')).toHaveLength(3);
  });

  test('they do not go into the file of the plan', async () => {
    const files = await folder(filesOfEveryKind);
    const { code, stderr } = await runCommand(['plan', files, '--events', 'one', '--out', './one'], { cwd: files });
    expect({ code, reported: stderr.includes('--events and --out name one file, one.') }).toEqual({
      code: 3,
      reported: true,
    });
  });

  describe.skipIf(process.platform !== 'linux')('where there is no room for them', () => {
    test('a full disk: reported once, and the exit code is that of the command', async () => {
      const tenant = await tenantWith(seedOf());
      const { code, stderr } = await runCommand(
        ['apply', await folder(filesOfEveryKind), '--yes', '--events', '/dev/full'],
        { env: tenant.env },
      );
      expect({ code, reported: stderr.match(/EVENTS_LOST/g)?.length }).toEqual({ code: 0, reported: 1 });
      expect(stderr).toContain('--events /dev/full can no longer be written: ENOSPC.');
    });

    test('a file that may not grow ends with a complete line', async () => {
      const tenant = await tenantWith(seedOf());
      const files = await folder(filesOfEveryKind);
      const state = join(files, '.state');
      const argv = ['plan', files, '--events', join(files, 'e')];
      const { code, stderr } = await runBuilt(argv, { ...tenant.env, TENANT_SYNC_STATE_DIR: state }, undefined, {
        fileBlocks: 1,
      });
      expect({ code, reported: stderr.includes('EVENTS_LOST') }).toEqual({ code: 0, reported: true });
      const lines = (await readFile(join(files, 'e'), 'utf8')).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line).event)[0]).toBe('run_started');
    });

    test('a pipe that nobody reads is refused', async () => {
      const files = await folder(filesOfEveryKind);
      execFileSync('mkfifo', [join(files, 'pipe')]);
      const { code, stderr } = await runCommand(['plan', files, '--events', 'pipe'], { cwd: files });
      expect({ code, reported: stderr.includes('cannot be written: no process reads this pipe') }).toEqual({
        code: 3,
        reported: true,
      });
    });

    test('a pipe whose reader reads has them all, and one whose reader stops holds nothing up', async () => {
      const root = await folder({});
      const pipe = join(root, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      const file = openEventFile(pipe);
      expect(file.append('{"time":"1"}\n')).toBeNull();
      expect((await reader.read()).buffer.toString('utf8', 0, 13)).toBe('{"time":"1"}\n');
      const line = `${'x'.repeat(1023)}\n`;
      const answers = Array.from({ length: 80 }, () => file.append(line)).filter((answer) => answer !== null);
      expect(answers).toEqual(['no process reads them']);
      await reader.close();
      file.close();
    });
  });
});
