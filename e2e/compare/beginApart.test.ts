import { setTimeout as passed } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { beginApart } from './beginApart.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => Promise.resolve()) }));

test('a worker stands back once, by its number', async () => {
  await beginApart(3);
  await beginApart(3);
  expect(vi.mocked(passed).mock.calls).toEqual([[12_000]]);
});
