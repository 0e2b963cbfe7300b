import { expect, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { startFatalDatabase } from '../support/fatal-database.ts';

const trouble = { diagnostic: { code: 'DATABASE_UNREACHABLE', message: expect.stringContaining('terminating') } };

test('a fatal error in place of a session closes the connection, which the server keeps open', async () => {
  const { url, closed } = await startFatalDatabase('connecting');
  await expect(connect(url)).rejects.toMatchObject(trouble);
  await closed;
});

test.each([
  ['statement', 'FATAL', '58030'],
  ['statement', 'PANIC', '58030'],
  // The language of the server.
  ['statement', 'KATASTROFALNY', '57P01'],
  ['idle', 'FATAL', '57P01'],
] as const)(
  'in a session, as the response to a %s or without one, it ends the session: %s %s',
  async (moment, severity, code) => {
    const { url, closed } = await startFatalDatabase(moment, severity, code);
    const session = await connect(url);
    const first = session.query('select 1');
    const waiting = session.query('select 2');
    if (moment === 'statement') await expect(first).rejects.toMatchObject(trouble);
    await expect(waiting).rejects.toMatchObject(trouble);
    expect(session.ended.reason).toMatchObject(trouble);
    await closed;
  },
);
