// A journal on disk: what is there when, who may read it, and what a failure leaves.
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { refuseShared } from '../../src/files/safe-file-access.ts';
import { folderStore, readJournalFile, replaceJournalFile, stateFiles } from '../../src/journal/folder-store.ts';
import { type ApplyState, openApplyState } from '../../src/journal/open-apply-state.ts';
import { chainLine, emptyChain, parseJournal } from '../../src/journal/parse-journal.ts';
import type { JournalFile } from '../../src/journal/write-journal.ts';
import { writeJournal } from '../../src/journal/write-journal.ts';
import type { JournalRecord } from '../../src/model/journal.generated.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { buildAction } from '../support/build-action.ts';
import { buildSummary } from '../support/build-plan.ts';
import { takenLock } from '../support/taken-lock.ts';
import { folder } from '../support/temp-folder.ts';

const baseUrl = 'https://login.acme.example/api/v2';
const digest = `sha256:${'cd'.repeat(32)}`;
const summary = buildSummary({ done: 1 });
const open = async (root: string, started = '2026-11-20T10:00:00.000Z') =>
  openApplyState({ store: folderStore(root), baseUrl, toolVersion: '0.1.0', started });

async function opened(root: string, started?: string): Promise<ApplyState> {
  const state = await open(root, started);
  if ('lock' in state) throw new Error('locked');
  return state;
}

/** A handle that is not closed makes Node print a warning when it is collected, at any time later. */
afterEach(async () => {
  if (process.platform !== 'linux') return;
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  expect(paths.filter((path) => path.endsWith('.journal'))).toEqual([]);
});

async function recordsIn(root: string): Promise<JournalRecord[]> {
  const text = await readFile(stateFiles(root, baseUrl).journal, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalRecord);
}

test('an intent, its outcome and the end, for the owner only', async () => {
  const root = join(await folder({}), 'state', 'tenant-sync');
  const state = await opened(root);
  const journal = await state.begin(digest);
  const action = buildAction({
    key: 'stale',
    request: { operation: 'o', method: 'PUT', path: '/p', body: { text: 'never written down' } },
  });
  await journal.intend(action);
  await journal.outcome({ id: action.id, outcome: 'done', status: 200, message: 'never written down' });
  await journal.end(summary);
  await journal.close();
  await state.release();
  const records = await recordsIn(root);
  expect(records.map(({ prev: _prev, ...record }) => record)).toEqual([
    {
      seq: 0,
      record: 'start',
      format_version: '2.0',
      base_url: baseUrl,
      plan: digest,
      tool_version: '0.1.0',
      started: '2026-11-20T10:00:00.000Z',
    },
    {
      seq: 1,
      record: 'intent',
      id: action.id,
      kind: action.kind,
      key: action.key,
      operation: 'o',
      method: 'PUT',
      path: '/p',
      request: fingerprint(action.request),
    },
    { seq: 2, record: 'outcome', id: action.id, outcome: 'done', status: 200 },
    { seq: 3, record: 'end', summary },
  ]);
  expect(JSON.stringify(records)).not.toContain('never written down');
  expect(await readdir(root)).toEqual([stateFiles(root, baseUrl).journal.slice(root.length + 1)]);
  expect([(await stat(root)).mode & 0o777, (await stat(stateFiles(root, baseUrl).journal)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

describe('several actions at once', () => {
  /** A file whose syncs end one by one, when they are told to. */
  function slowFile(failsAt = 99) {
    const seen: string[] = [];
    const syncs: (() => void)[] = [];
    const file: JournalFile = {
      append: async (text) => {
        if (seen.filter((call) => call !== 'sync').length + 1 >= failsAt) throw new Error('no space left');
        seen.push(
          text.split('\n').length > 2
            ? `${text.split('\n').length - 1} lines`
            : (JSON.parse(text) as JournalRecord).record,
        );
      },
      sync: () =>
        new Promise((resolve) => {
          seen.push('sync');
          syncs.push(resolve);
        }),
      close: async () => {},
    };
    return { seen, syncs, journal: writeJournal(file, { path: 'j', chain: emptyChain, lock: takenLock }) };
  }
  const turn = () => new Promise(setImmediate);

  test('what comes while one is written is written together, behind it', async () => {
    const { seen, syncs, journal } = slowFile();
    const ended: string[] = [];
    const intend = (key: string) => journal.intend(buildAction({ key })).then(() => ended.push(key));
    const all = [intend('a')];
    await turn();
    all.push(
      intend('b'),
      journal.outcome({ id: 'a', outcome: 'done', status: 204, message: null }).then(() => ended.push('a done')),
      intend('c'),
    );
    await turn();
    expect({ seen, ended }).toEqual({ seen: ['intent', 'sync'], ended: [] });
    syncs[0]?.();
    await turn();
    expect({ seen, ended }).toEqual({ seen: ['intent', 'sync', '3 lines', 'sync'], ended: ['a'] });
    syncs[1]?.();
    await Promise.all(all);
    expect(new Set(ended)).toEqual(new Set(['a', 'b', 'a done', 'c']));
  });

  test('lines follow from one another in whatever order they are asked for', async () => {
    const root = await folder({});
    const state = await opened(root);
    const journal = await state.begin(digest);
    const keys = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const record = async (key: string) => {
      await journal.intend(buildAction({ key }));
      await journal.outcome({ id: buildAction({ key }).id, outcome: 'done', status: 204, message: null });
    };
    await Promise.all(keys.map(record));
    await journal.end(summary);
    await journal.close();
    await state.release();
    const parsed = parseJournal(await readFile(stateFiles(root, baseUrl).journal, 'utf8'));
    expect(parsed).toMatchObject({ apply: { summary } });
    expect(await recordsIn(root)).toHaveLength(102);
    expect('broken' in parsed ? [] : parsed.apply?.actions.map(({ outcome }) => outcome)).toEqual(
      keys.map(() => 'done'),
    );
  });

  test('when the disk is full, all that were waiting are refused', async () => {
    const { seen, journal } = slowFile(1);
    const results = await Promise.allSettled([
      ...['a', 'b', 'c'].map((key) => journal.intend(buildAction({ key }))),
      journal.end(summary),
    ]);
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await expect(journal.intend(buildAction())).rejects.toBe(journal.failure);
    expect(seen).toEqual([]);
  });
});

test('one tenant has one name, however its URL is spelt, and no name leads out of the folder', () => {
  const name = (url: string) => stateFiles('', url).journal;
  expect(name('https://Login.Acme.example:443/api/v2/')).toBe(name('https://login.acme.example/api/v2'));
  expect(name('https://login.acme.example/api/v2')).toMatch(/^login\.acme\.example-[0-9a-f]{8}\.journal$/);
  expect(name('https://[2001:db8::1]:4010/api/v2')).toMatch(/^_2001_db8__1__4010-[0-9a-f]{8}\.journal$/);
  expect(name('http://127.0.0.1:4010/api/v2')).not.toBe(name('http://127.0.0.1:4011/api/v2'));
  expect(name('https://login.acme.example./api/v2')).toBe(name('https://login.acme.example/api/v2'));
});

test.each(['127.0.0.1', '[::1]', 'LOCALHOST', 'localhost.', '[0:0:0:0:0:0:0:1]', '127.1', '[::ffff:127.0.0.1]'])(
  'localhost and %s are one tenant',
  (host) => {
    const names = (url: string) => stateFiles('', url);
    expect(names(`http://${host}:4010/api/v2`)).toEqual(names('http://localhost:4010/api/v2'));
    expect(names(`http://${host}:4010/api/v2`)).not.toEqual(names('http://localhost:4011/api/v2'));
    expect(names(`http://${host}:4010/api/v2`)).not.toEqual(names('http://127.0.0.2:4010/api/v2'));
  },
);

test('an apply whose lock was deleted records nothing more, and the journal is the one of the next apply', async () => {
  const root = await folder({});
  const first = await opened(root);
  const journal = await first.begin(digest);
  await journal.intend(buildAction({ key: 'a' }));
  expect(journal.lostLock()).toBeNull();
  expect(await open(root)).toHaveProperty('lock');
  await rm(stateFiles(root, baseUrl).lock);
  const terms = {
    store: folderStore(root),
    baseUrl,
    toolVersion: '0.1.0',
    started: '2026-11-20T11:00:00.000Z',
  };
  const second = await openApplyState(terms);
  if ('lock' in second) throw new Error('locked');
  const before = await recordsIn(root);
  const lost = { diagnostic: { code: 'APPLY_LOCK_LOST' } };
  expect(journal.lostLock()).toMatchObject(lost);
  await expect(journal.outcome({ id: 'a', outcome: 'done', status: 204, message: null })).rejects.toMatchObject(lost);
  await expect(journal.intend(buildAction({ key: 'b' }))).rejects.toMatchObject(lost);
  await expect(journal.end(summary)).rejects.toMatchObject(lost);
  await expect(first.begin(digest)).rejects.toMatchObject(lost);
  expect(journal.failure).toMatchObject(lost);
  await journal.close();
  await first.release();
  expect(await recordsIn(root)).toEqual(before);
  expect(await open(root)).toMatchObject({ lock: { holder: { since: terms.started } } });
  await (await second.begin(digest)).close();
  await second.release();
});

describe('what other users may write is refused', () => {
  const codeOf = (root: string) =>
    open(root).then(
      () => 'opened',
      (error: { diagnostic?: { code: string } }) => error.diagnostic?.code,
    );

  test.each([0o777, 0o775, 0o722, 0o1777])('a folder of mode %o', async (mode) => {
    const root = await folder({});
    await chmod(root, mode);
    expect(await codeOf(root)).toBe('STATE_SHARED');
    expect(await readdir(root)).toEqual([]);
    await chmod(root, mode & ~0o022);
    expect(await codeOf(root)).toBe('opened');
  });

  test.each(['lock', 'journal'] as const)('a %s', async (name) => {
    const root = await folder({});
    const file = stateFiles(root, baseUrl)[name];
    await writeFile(file, '');
    await chmod(file, 0o620);
    expect(await codeOf(root)).toBe('STATE_SHARED');
    await chmod(file, 0o644);
    expect(await codeOf(root)).toBe('opened');
  });

  test('what belongs to another user, except for the superuser', () => {
    const me = process.geteuid?.() ?? 0;
    const refused = (uid: number, mode: number) => expect(() => refuseShared({ uid, mode }));
    refused(me + 1, 0o600).toThrow(`user ${me + 1} owns it, and this process runs as user ${me}`);
    refused(me, 0o40775).toThrow('other users may write to it (mode 0775)');
    refused(me, 0o755).not.toThrow();
    refused(0, 0o755).not.toThrow();
    refused(0, 0o757).toThrow('mode 0757');
  });
});

test('a torn line is as if it were not there, and the next apply starts a new journal', async () => {
  const root = await folder({});
  const first = await opened(root);
  const journal = await first.begin(digest);
  await journal.intend(buildAction());
  await journal.close();
  await first.release();
  await writeFile(stateFiles(root, baseUrl).journal, '{"seq":2,"pre', { flag: 'a' });

  const second = await opened(root, '2026-11-20T11:00:00.000Z');
  expect(second.last).toMatchObject({
    plan: digest,
    summary: null,
    actions: [{ id: buildAction().id, outcome: null }],
  });
  const more = await second.begin(digest);
  await more.end(summary);
  await more.close();
  await second.release();
  expect((await recordsIn(root)).map(({ seq, record }) => `${seq} ${record}`)).toEqual(['0 start', '1 end']);
  const third = await opened(root);
  expect(third.last).toMatchObject({ started: '2026-11-20T11:00:00.000Z', summary });
  await third.release();
});

test('a new journal takes the place of the old one whole', async () => {
  const root = await folder({});
  for (const _time of [1, 2]) {
    const state = await opened(root);
    await (await state.begin(digest)).close();
    await state.release();
  }
  expect(await recordsIn(root)).toHaveLength(1);
});

test('while one apply holds the lock another is told who', async () => {
  const root = await folder({});
  const state = await opened(root);
  expect(await open(root)).toMatchObject({
    lock: { holder: { pid: process.pid, since: '2026-11-20T10:00:00.000Z' } },
  });
  await state.release();
});

describe('what cannot be used is told, and the lock is given back', () => {
  const trouble = async (root: string) =>
    open(root).then(
      () => 'opened',
      (error: { diagnostic?: { code: string; message: string } }) =>
        `${error.diagnostic?.code} ${error.diagnostic?.message}`.replaceAll(root, 'DIR'),
    );
  const journalName = stateFiles('', baseUrl).journal;

  test('a file in the place of the folder', async () => {
    const root = await folder({ state: '' });
    expect(await trouble(join(root, 'state'))).toBe(
      'JOURNAL_UNWRITABLE Cannot use DIR: part of the path is not a folder. No request is sent without a journal.',
    );
  });

  test('a link in the place of the folder', async () => {
    const root = await folder({ 'real/x': '' });
    await symlink(join(root, 'real'), join(root, 'state'));
    expect(await trouble(join(root, 'state'))).toBe(
      'JOURNAL_UNWRITABLE Cannot use DIR: it is a symbolic link. No request is sent without a journal.',
    );
    expect(await readdir(join(root, 'real'))).toEqual(['x']);
  });

  test('a link, or anything else that is no file, in the place of the journal', async () => {
    const linked = await folder({ elsewhere: '' });
    await symlink(join(linked, 'elsewhere'), join(linked, journalName));
    expect(await trouble(linked)).toBe(
      `JOURNAL_UNWRITABLE Cannot use DIR/${journalName}: it is a symbolic link. No request is sent without a journal.`,
    );
    const occupied = await folder({});
    await mkdir(join(occupied, journalName));
    expect(await trouble(occupied)).toContain('it is not a regular file. No request');
    expect([await readdir(linked), await readdir(occupied)].flat().filter((name) => name.endsWith('.lock'))).toEqual(
      [],
    );
  });

  test('a journal that was changed, or is about another tenant', async () => {
    const root = await folder({ [journalName]: 'nonsense\n{}\n' });
    expect(await trouble(root)).toBe(
      `JOURNAL_BROKEN The journal DIR/${journalName} cannot be used: line 1: it is not JSON.`,
    );
    const other = await folder({});
    const elsewhere = 'https://other.example/api/v2';
    const state = await openApplyState({
      store: folderStore(other),
      baseUrl: elsewhere,
      toolVersion: '0.1.0',
      started: '',
    });
    if ('lock' in state) throw new Error('locked');
    await (await state.begin(digest)).close();
    await state.release();
    await writeFile(join(other, journalName), await readFile(stateFiles(other, elsewhere).journal));
    expect(await trouble(other)).toContain('cannot be used: it belongs to https://other.example/api/v2.');
  });

  test('a journal of this tenant in another spelling of its URL is its journal', async () => {
    const root = await folder({});
    const state = await opened(root);
    await (await state.begin(digest)).close();
    await state.release();
    const spelt = await openApplyState({
      store: folderStore(root),
      baseUrl: 'HTTPS://Login.acme.example:443/api/v2/',
      toolVersion: '0.1.0',
      started: '',
    });
    expect('lock' in spelt ? 'locked' : spelt.last?.plan).toBe(digest);
    if (!('lock' in spelt)) await spelt.release();
  });

  test('a folder that is gone when the journal begins', async () => {
    const root = await folder({});
    const state = await opened(root);
    await mkdir(`${stateFiles(root, baseUrl).journal}.new/full`, { recursive: true });
    await expect(state.begin(digest)).rejects.toMatchObject({ diagnostic: { code: 'JOURNAL_UNWRITABLE' } });
    await state.release();
  });
});

test('a link that comes later is not written through, and what failed leaves nothing', async () => {
  const root = await folder({ elsewhere: 'untouched' });
  await symlink(join(root, 'elsewhere'), join(root, 'j'));
  await mkdir(join(root, 'd/full'), { recursive: true });
  await expect(replaceJournalFile(join(root, 'd'), 'x')).rejects.toThrow();
  await (await replaceJournalFile(join(root, 'j'), 'text')).close();
  expect((await lstat(join(root, 'j'))).isFile()).toBe(true);
  expect(await readJournalFile(join(root, 'j'))).toBe('text');
  expect([await readFile(join(root, 'elsewhere'), 'utf8'), (await readdir(root)).sort()]).toEqual([
    'untouched',
    ['d', 'elsewhere', 'j'],
  ]);
});

describe('the n-th call to the file system fails', () => {
  const beginning = {
    record: 'start',
    format_version: '2.0',
    base_url: baseUrl,
    plan: digest,
    tool_version: '0.1.0',
    started: '',
  } as const;
  const { line, end: chain } = chainLine(emptyChain, beginning);

  /** Keeps what is appended and what is on disk, and fails from one call on. */
  function failingFile(at: number) {
    let calls = 0;
    const state = { text: line, synced: line };
    const call = async (act: () => void) => {
      calls += 1;
      if (calls >= at) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      act();
    };
    const file: JournalFile = {
      append: (text) =>
        call(() => {
          state.text += text;
        }),
      sync: () =>
        call(() => {
          state.synced = state.text;
        }),
      close: () => call(() => {}),
    };
    return { file, state };
  }

  test.each(Array.from({ length: 9 }, (_none, index) => index + 1))('call %i', async (at) => {
    const { file, state } = failingFile(at);
    const journal = writeJournal(file, { path: 'the journal', chain, lock: takenLock });
    const intended: string[] = [];
    const rejected: unknown[] = [];
    for (const key of ['a', 'b']) {
      const action = buildAction({ key });
      await journal.intend(action).then(
        () => intended.push(action.id),
        (error: unknown) => rejected.push(error),
      );
      await journal
        .outcome({ id: action.id, outcome: 'done', status: 204, message: null })
        .catch((error: unknown) => rejected.push(error));
    }
    await journal.end(summary).catch((error: unknown) => rejected.push(error));
    await journal.close();
    // What was told as intended is on disk; after the first failure there is no further word.
    for (const id of intended) expect(state.synced).toContain(`"id":"${id}"`);
    expect(rejected.every((error) => error === journal.failure)).toBe(true);
    expect(journal.failure === null).toBe(at >= 9);
    if (journal.failure !== null)
      expect(journal.failure.diagnostic.message).toBe(
        'Cannot use the journal: ENOSPC. No request is sent without a journal.',
      );
    const parsed = parseJournal(state.text);
    expect('broken' in parsed ? parsed.broken : parsed.apply?.actions.map(({ id }) => id)).toEqual(
      expect.arrayContaining(intended),
    );
  });
});
