import { expect, test, vi } from 'vitest';
import type { Origin, OriginOptions } from '../../lab/caddy/origin.ts';
import { prepareOtherPlace, startAll } from './place.ts';

const options: OriginOptions = { mounts: {} };

/** A start that succeeds so many times. */
function starts(max: number) {
  const stopped: number[] = [];
  let count = 0;
  const start = vi.fn(() => {
    const number = count++;
    if (number >= max) return Promise.reject(new Error('no port'));
    return Promise.resolve({ stop: async () => void stopped.push(number) } as unknown as Origin);
  });
  return { start, stopped };
}

test.each([0, 1, 2])('%i origins have started when the next one does not: they are stopped', async (max) => {
  const { start, stopped } = starts(max);
  await expect(startAll([options, options, options], start)).rejects.toThrow('no port');
  expect(stopped).toEqual([0, 1].slice(0, max).toReversed());
});

test('all run until they are stopped, the last one first', async () => {
  const { start, stopped } = starts(3);
  const { stop } = await startAll([options, options, options], start);
  expect(stopped).toEqual([]);
  await stop();
  expect(stopped).toEqual([2, 1, 0]);
});

test('a folder beside that is no checkout is refused in one sentence', async () => {
  const refused = prepareOtherPlace(import.meta.dirname, { mounts: {}, print: () => undefined });
  await expect(refused).rejects.toThrow(/^--beside .*: has no bench\/page\/telemetry\.html; name a checkout/);
});
