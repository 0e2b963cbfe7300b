// Writes of this run wait while a list of several pages that they change is read.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openOwnChanges } from '../../src/client/own-changes.ts';

function setUp() {
  const stopped = new AbortController();
  return { changes: openOwnChanges(stopped.signal), stop: () => stopped.abort() };
}

/** Whether a promise is resolved by now. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => {
    resolved = true;
  });
  await setImmediate();
  return resolved;
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
    const turn = changes.openTurn('/roles');
    await turn.begin();
    expect(changes.beginWrite(path) === null).toBe(waits);
    const resumed = changes.whenRead(path);
    expect(await isResolved(resumed)).toBe(!waits);
    turn.end();
    await resumed;
    expect(changes.beginWrite(path)).not.toBeNull();
  });

  test('permissions of a role wait for the list of this role alone', async () => {
    const { changes } = setUp();
    await changes.openTurn('/roles/rol_1/permissions').begin();
    const paths = ['/roles/rol_1/permissions', '/roles/rol_2/permissions', '/roles/rol_1'];
    expect(paths.map((path) => changes.beginWrite(path) === null)).toEqual([true, false, false]);
  });

  test('several turns may overlap, and the last one ends the wait', async () => {
    const { changes } = setUp();
    const turns = [changes.openTurn('/roles'), changes.openTurn('/roles')];
    for (const turn of turns) await turn.begin();
    turns[0]?.end();
    turns[0]?.end();
    expect(changes.beginWrite('/roles')).toBeNull();
    turns[1]?.end();
    expect(changes.beginWrite('/roles')).not.toBeNull();
  });
});

describe('a turn', () => {
  test('begins once no write that changes the list is in flight, and lets no other one begin before it', async () => {
    const { changes } = setUp();
    const end = changes.beginWrite('/roles/rol_1');
    const others = changes.beginWrite('/rate-limit-policies');
    const begun = changes.openTurn('/roles').begin();
    expect(await isResolved(begun)).toBe(false);
    expect(changes.beginWrite('/roles/rol_2')).toBeNull();
    end?.();
    await begun;
    others?.();
  });

  test('that is open makes nobody wait: a list of one page is one response', async () => {
    const { changes } = setUp();
    const turn = changes.openTurn('/roles');
    expect([changes.beginWrite('/roles') === null, turn.isBegun()]).toEqual([false, false]);
    turn.end();
  });

  test.each<readonly [string, (changes: ReturnType<typeof openOwnChanges>) => void, boolean]>([
    ['nothing', () => {}, true],
    ['a write that has ended', (changes) => changes.beginWrite('/roles/rol_1')?.(), false],
    ['a write in flight', (changes) => void changes.beginWrite('/roles'), false],
    ['a write to another list', (changes) => void changes.beginWrite('/roles/rol_1/permissions'), true],
  ])('begins in the middle of a list only if this run has not changed it since: %s', (_name, write, begins) => {
    const { changes } = setUp();
    const turn = changes.openTurn('/roles');
    write(changes);
    expect([turn.beginUnchanged(), turn.isBegun()]).toEqual([begins, begins]);
  });

  test('nor while a write is in flight that began before it', async () => {
    const { changes } = setUp();
    const end = changes.beginWrite('/roles');
    const turn = changes.openTurn('/roles');
    end?.();
    end?.();
    expect(turn.beginUnchanged()).toBe(false);
    await turn.begin();
    expect(turn.isBegun()).toBe(true);
  });
});

test('nobody waits after the end of the connection', async () => {
  const { changes, stop } = setUp();
  changes.beginWrite('/roles');
  const begun = changes.openTurn('/roles').begin();
  const resumed = changes.whenRead('/roles');
  stop();
  await Promise.all([begun, resumed]);
});

test('ids are noted', () => {
  const { changes } = setUp();
  changes.note('rol_1');
  expect([...changes.ids]).toEqual(['rol_1']);
});
