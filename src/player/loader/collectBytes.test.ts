import { afterEach, expect, test, vi } from 'vitest';
import { collectBytes } from './collectBytes.ts';

afterEach(() => void vi.restoreAllMocks());

const piece = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test.each([
  ['as announced', 6],
  ['longer than announced', 4],
  ['shorter than announced', 9],
  ['of unknown length', null],
  ['announced as larger than any memory', 1e15],
  ['announced as empty', 0],
])('a body %s comes out as it went in', (_name, announcedBytes) => {
  const bytes = collectBytes(announcedBytes);
  for (const [length, value] of [
    [1, 1],
    [2, 2],
    [0, 9],
    [3, 3],
  ] as const)
    bytes.add(piece(length, value));
  expect(bytes.length).toBe(6);
  expect([...new Uint8Array(bytes.toBuffer())]).toEqual([1, 2, 2, 3, 3, 3]);
});

test('a body as long as announced is not copied again', () => {
  const bytes = collectBytes(1000);
  bytes.add(piece(1000, 1));
  expect(bytes.toBuffer()).toBe(bytes.toBuffer());
  expect(bytes.toBuffer().byteLength).toBe(1000);
});

test.each([
  ['of known length', 8_000_000, 1],
  ['of unknown length', null, 3],
])('copying a body %s takes time linear in its length', (_name, announcedBytes, times) => {
  let copiedBytes = 0;
  const set = Uint8Array.prototype.set;
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, ...args) {
    copiedBytes += args[0].length;
    set.apply(this, args);
  });
  const bytes = collectBytes(announcedBytes);
  for (let at = 0; at < 8000; at += 1) bytes.add(piece(1000, at));
  expect(copiedBytes).toBeLessThanOrEqual(times * 8_000_000);
});
