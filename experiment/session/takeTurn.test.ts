import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sharedStartLock, takeTurn } from './takeTurn.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-turn-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const lock = () => path.join(folder, 'start.lock');

test('the next one starts when the turn ends, and not before', async () => {
  const order: string[] = [];
  const first = await takeTurn(lock());
  const next = takeTurn(lock()).then((turn) => {
    order.push('next');
    return turn;
  });
  await new Promise((passed) => setTimeout(passed, 300));
  order.push('first ends');
  first.end();
  const second = await next;
  expect(order).toEqual(['first ends', 'next']);
  // Ended once more, the first does not take the second's turn away.
  first.end();
  expect(existsSync(lock())).toBe(true);
  second.end();
  expect(existsSync(lock())).toBe(false);
});

test('a turn that does not end is not waited for for ever, nor ended by who went past it', async () => {
  const first = await takeTurn(lock());
  const past = await takeTurn(lock(), 150);
  past.end();
  expect(existsSync(lock())).toBe(true);
  first.end();
});

test('a system clock that is set back makes nobody wait longer', async () => {
  const first = await takeTurn(lock());
  const waiting = takeTurn(lock(), 300);
  const hourBefore = Date.now() - 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(hourBefore);
  (await waiting).end();
  vi.restoreAllMocks();
  first.end();
});

test('a killed worker leaves its turn to the others', async () => {
  // Above what Linux gives out as a process id.
  writeFileSync(lock(), '4194305');
  (await takeTurn(lock())).end();
});

test('runs of one larger program share a lock, and a dead program leaves none', () => {
  const lockOf = (rootPid: number) => sharedStartLock(folder, rootPid);
  expect(lockOf(process.ppid)).toBe(path.join(folder, `pitwall-start-${process.ppid}.lock`));
  const [own, left] = [lockOf(4194304), path.join(folder, 'pitwall-start-4194305.lock')];
  for (const file of [own, left]) writeFileSync(file, '4194305');
  lockOf(4194304);
  expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
});
