import { expect, test } from 'vitest';
import { createSharedLink } from './sharedLink.ts';

const trace = (pieces: [endMs: number, rateKbps: number][], startMs = 0) => ({
  name: 'made by hand',
  endMs: Float64Array.from(pieces, ([endMs]) => endMs),
  rateKbps: Float64Array.from(pieces, ([, rateKbps]) => rateKbps),
  rttMs: null,
  startMs,
});

test('two transfers share the rate equally while both run', () => {
  const link = createSharedLink(trace([[1e6, 1000]]));
  const one = link.start(100_000);
  expect(link.nextMs()).toBe(100);
  link.advanceTo(50);
  const other = link.start(100_000);
  // 50,000 bits are left of the first: at half the rate 100 ms
  expect(link.nextMs()).toBe(150);
  link.advanceTo(150);
  expect([link.isDone(one), link.isDone(other)]).toEqual([true, false]);
  link.stop(one);
  expect(link.nextMs()).toBe(200);
});

test('a transfer crosses pieces, waits out a dead one, and the trace begins again at its zero', () => {
  const link = createSharedLink(
    trace(
      [
        [1000, 100],
        [3000, 0],
        [4000, 10],
      ],
      500,
    ),
  );
  // 50,000 bits until 500 ms, none for 2 s, 10,000 in the last piece until 3500, 100,000 in the first one until 4500
  const transfer = link.start(160_000);
  expect(link.nextMs()).toBe(4500);
  link.advanceTo(3500);
  expect(transfer.leftBits).toBeCloseTo(100_000, 6);
  expect(link.nextMs()).toBe(4500);
  link.advanceTo(4500);
  expect(link.isDone(transfer)).toBe(true);
});

test('with nothing on its way there is nothing to wait for', () => {
  const link = createSharedLink(trace([[1000, 100]]));
  expect(link.nextMs()).toBe(Infinity);
  link.advanceTo(123_456);
  link.start(100);
  // 123,456 ms are 456 ms into a pass: the same rate everywhere
  expect(link.nextMs()).toBe(123_457);
});

test('at a Tbit/s a rounded clock does not leave a rest that never comes', () => {
  const link = createSharedLink(trace([[1e6, 1e9]]));
  link.advanceTo(999_999.123);
  const transfer = link.start(8e9 / 3);
  link.advanceTo(link.nextMs());
  expect(link.isDone(transfer)).toBe(true);
});

test('the round-trip time is that of the piece', () => {
  const rtts = {
    ...trace([
      [1000, 1],
      [2000, 1],
    ]),
    rttMs: Float64Array.of(20, 90),
  };
  const link = createSharedLink(rtts);
  expect(link.rttMs()).toBe(20);
  link.advanceTo(1000);
  expect(link.rttMs()).toBe(90);
  expect(createSharedLink(trace([[1000, 1]])).rttMs()).toBe(null);
});
