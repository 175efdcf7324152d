import { expect, test } from 'vitest';
import { windowBytes } from './windowBytes.ts';

const progress = [0, 100, 200, 300].map((at) => ({
  kind: 'progress' as const,
  atUnixMs: at,
  bytes: at * 10,
}));

test('counts what came between', () => expect(windowBytes(progress, 100, 250)).toBe(1000));
test('knows nothing of a time that was not reached', () => {
  expect(windowBytes(progress, 100, 301)).toBeNull();
  expect(windowBytes(progress, -1, 200)).toBeNull();
});
