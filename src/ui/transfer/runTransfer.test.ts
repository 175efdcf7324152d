import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runTransfer } from './runTransfer.ts';
import { parseTransfer } from '../../shared/transfer.ts';
import { valueOf } from '../../shared/result.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a transfer asks for and when, in ms, if each request takes 100 ms. */
async function asked(text: string, { bases = ['https://a.test/files/'], stopAtMs = Infinity } = {}) {
  const startedMs = Date.now();
  const stop = new AbortController();
  const seen: string[] = [];
  const running = runTransfer({
    transfer: valueOf(parseTransfer(text)),
    bases,
    signal: stop.signal,
    async download(url, { range }) {
      const { hostname, pathname } = new URL(url);
      seen.push(`${Date.now() - startedMs} ${hostname}${pathname} ${range ?? 'whole'}`);
      await new Promise((end) => setTimeout(end, 100));
    },
  });
  if (stopAtMs < Infinity) setTimeout(() => stop.abort(), stopAtMs);
  await vi.runAllTimersAsync();
  await running;
  return seen;
}

test('objects come one after the other, with pauses, their sizes in turn', async () =>
  expect(await asked('objects:mb=1,2:count=3:pause=500')).toEqual([
    '0 a.test/files/1000000-1.bin whole',
    '600 a.test/files/2000000-1.bin whole',
    '1200 a.test/files/1000000-1.bin whole',
  ]));

test('two streams go on at the same time', async () =>
  expect(await asked('streams:mb=1:count=2:pause=50')).toEqual([
    '0 a.test/files/1000000-1.bin whole',
    '0 a.test/files/1000000-2.bin whole',
    '150 a.test/files/1000000-1.bin whole',
    '150 a.test/files/1000000-2.bin whole',
  ]));

test('ranges are asked for at the same time, over the names in turn', async () =>
  expect(
    await asked('ranges:mb=0.001:ranges=3', { bases: ['https://a.test/f/', 'https://n2.a.test/f/'] }),
  ).toEqual([
    '0 a.test/f/1000-1.bin 0-332',
    '0 n2.a.test/f/1000-2.bin 333-665',
    '0 a.test/f/1000-3.bin 666-999',
  ]));

test('a transfer that is stopped in a pause asks for nothing more', async () =>
  expect(await asked('objects:mb=1:count=40:pause=500', { stopAtMs: 300 })).toHaveLength(1));
