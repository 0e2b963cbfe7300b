// Writes of this run wait while a list that they change is read.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openOwnChanges } from '../../src/client/own-changes.ts';
import type { Exchange } from '../../src/client/transport/exchange.ts';

const response: Exchange = {
  responded: true,
  response: { status: 200, headers: {}, body: { bytes: Buffer.of(), error: null } },
};

/** A promise that the test resolves. */
function held<Value>(value: Value) {
  let end = () => {};
  const promise = new Promise<Value>((resolve) => {
    end = () => resolve(value);
  });
  return { promise, end: () => end() };
}

function setUp() {
  const stopped = new AbortController();
  return { changes: openOwnChanges(stopped.signal), stop: () => stopped.abort() };
}

describe('while a list is read', () => {
  test.each([
    ['/roles', true],
    ['/roles/rol_1', true],
    ['/roles/rol_1/permissions', false],
    ['/rate-limit-policies/rlp_1', false],
    ['/roles-of-others', false],
  ])('a write to %s waits: %s', async (path, waits) => {
    const { changes } = setUp();
    const pass = held('the list');
    const reading = changes.whilePaused('/roles', () => pass.promise);
    expect(changes.isPaused(path)).toBe(waits);
    let resumed = false;
    const waiting = changes.whenResumed(path).then(() => {
      resumed = true;
    });
    await setImmediate();
    expect(resumed).toBe(!waits);
    pass.end();
    expect(await reading).toBe('the list');
    await waiting;
    expect(changes.isPaused(path)).toBe(false);
  });

  test('permissions of a role wait for the list of this role alone', async () => {
    const { changes } = setUp();
    const pass = held(0);
    const reading = changes.whilePaused('/roles/rol_1/permissions', () => pass.promise);
    const paths = ['/roles/rol_1/permissions', '/roles/rol_2/permissions', '/roles/rol_1'];
    expect(paths.map(changes.isPaused)).toEqual([true, false, false]);
    pass.end();
    await reading;
  });

  test('a write that was about to leave is not sent, and may be tried again', async () => {
    const { changes } = setUp();
    const pass = held(0);
    const reading = changes.whilePaused('/roles', () => pass.promise);
    const late = await changes.send('/roles/rol_1', () => expect.unreachable());
    expect(late).toMatchObject({ responded: false, failure: { opened: false, retryable: true } });
    pass.end();
    await reading;
    expect(await changes.send('/roles/rol_1', async () => response)).toBe(response);
  });

  test('several lists are read at once, and the last one ends the wait', async () => {
    const { changes } = setUp();
    const [one, other] = [held(1), held(2)];
    const both = [one, other].map(({ promise }) => changes.whilePaused('/roles', () => promise));
    one.end();
    await both[0];
    expect(changes.isPaused('/roles')).toBe(true);
    other.end();
    await both[1];
    expect(changes.isPaused('/roles')).toBe(false);
  });
});

describe('a list', () => {
  test('is read once no write that changes it is in flight', async () => {
    const { changes } = setUp();
    const write = held(response);
    const sending = changes.send('/roles/rol_1', () => write.promise);
    let began = false;
    const reading = changes.whilePaused('/roles', async () => {
      began = true;
    });
    const others = changes.whilePaused('/rate-limit-policies', async () => 'others');
    expect(await others).toBe('others');
    expect(began).toBe(false);
    // What waits for the list does not begin before it: writes that follow each other would starve it.
    expect(changes.isPaused('/roles')).toBe(true);
    write.end();
    await sending;
    await reading;
    expect(began).toBe(true);
  });

  test('that fails ends the wait as well', async () => {
    const { changes } = setUp();
    await expect(changes.whilePaused('/roles', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(changes.isPaused('/roles')).toBe(false);
  });
});

test('nobody waits after the end of the connection', async () => {
  const { changes, stop } = setUp();
  const [pass, write] = [held(0), held(response)];
  const sending = changes.send('/roles', () => write.promise);
  const reading = changes.whilePaused('/roles', () => pass.promise);
  const waiting = changes.whenResumed('/roles');
  stop();
  await waiting;
  pass.end();
  write.end();
  await Promise.all([reading, sending]);
});

test('ids are noted', () => {
  const { changes } = setUp();
  changes.note('rol_1');
  expect([...changes.ids]).toEqual(['rol_1']);
});
