// Real sessions of a real server.
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Session, withTls } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';

async function session(url: string, waitMs?: number): Promise<Session> {
  const opened = await connect(url, waitMs);
  onTestFinished(() => opened.end());
  return opened;
}

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'no error',
    (error) => error.diagnostic?.code ?? error,
  );
const versions = 'select version from tenant_sync.migrations';

test('migrations run once, also if several processes begin at the same time', async () => {
  const url = await newDatabase();
  const sessions = await Promise.all(Array.from({ length: 8 }, () => session(url)));
  await Promise.all(sessions.map(migrate));
  const first = await asAdmin(url, versions);
  await migrate(await session(url));
  expect(first.length).toBeGreaterThan(0);
  expect(await asAdmin(url, versions)).toEqual(first);
});

test('STATE_NEWER: tables that a newer version has changed', async () => {
  const url = await newDatabase();
  const one = await session(url);
  await migrate(one);
  await asAdmin(url, 'insert into tenant_sync.migrations (version) values (1000)');
  expect(await codeOf(migrate(one))).toBe('STATE_NEWER');
});

test('STATE_DENIED: a wrong password, a database that does not exist, a user without rights', async () => {
  const url = await newDatabase();
  const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
  await asAdmin(url, "create role powerless login password 'of-the-tests'");
  onTestFinished(() => asAdmin(url, 'drop role powerless').then(() => {}));
  const powerless = await session(changed({ username: 'powerless', password: 'of-the-tests' }));
  expect([
    await codeOf(connect(changed({ password: 'wrong' }))),
    await codeOf(connect(changed({ pathname: '/nowhere' }))),
    await codeOf(migrate(powerless)),
  ]).toEqual(['STATE_DENIED', 'STATE_DENIED', 'STATE_DENIED']);
  await migrate(await session(url));
  expect(await codeOf(migrate(powerless))).toBe('STATE_DENIED');
  const hint = await migrate(powerless).catch((error) => error.diagnostic.hint);
  for (const schema of ['tenant_sync,', 'tenant_sync_queue']) expect(hint).toContain(schema);
});

test('a server without TLS: the hint is how to do without', async () => {
  const trouble = await connect(`${await newDatabase()}?sslmode=verify-full`).catch((error) => error.diagnostic);
  expect(trouble).toMatchObject({ code: 'DATABASE_UNREACHABLE', hint: expect.stringContaining('sslmode=disable') });
});

test('DATABASE_UNREACHABLE: no server, no TLS on the server, and no response in time', async () => {
  const url = await newDatabase();
  const slow = await session(url, 300);
  expect([
    await codeOf(connect('postgres://user:secret-password@127.0.0.1:1/x')),
    await codeOf(connect(`${url}?sslmode=verify-full`)),
    await codeOf(slow.query('select pg_sleep(5)')),
    slow.ended.aborted,
    await codeOf(slow.query('select 1')),
  ]).toEqual(['DATABASE_UNREACHABLE', 'DATABASE_UNREACHABLE', 'DATABASE_UNREACHABLE', true, 'DATABASE_UNREACHABLE']);
});

test('certificates are checked, unless the URL has another mode or names this machine', () => {
  const modeOf = (url: string) => new URL(withTls(url)).searchParams.get('sslmode');
  expect({
    remote: modeOf('postgres://u:p@db.example/x'),
    byHost: modeOf('postgres://u:p@localhost/x?host=db.example'),
    asked: modeOf('postgresql://db.example/x?sslmode=require'),
    local: modeOf('postgres://localhost/x'),
    loopback: modeOf('postgres://127.0.0.1/x'),
    socket: modeOf('postgres://localhost/x?host=/var/run/postgresql'),
    socketAsHost: modeOf('postgres://u:p@%2Fvar%2Frun/x'),
    undecodable: modeOf('postgres://u:p@%zz/x'),
  }).toEqual({
    remote: 'verify-full',
    byHost: 'verify-full',
    asked: 'require',
    local: null,
    loopback: null,
    socket: null,
    socketAsHost: null,
    undecodable: 'verify-full',
  });
  for (const wrong of ['mysql://h/x', 'not a url', 'postgres:///x', ''])
    expect(() => withTls(wrong)).toThrow('TENANT_SYNC_STATE_URL');
});
