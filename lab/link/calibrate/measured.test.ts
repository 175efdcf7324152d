import { describe, expect, it } from 'vitest';
import { arrivalKbps, drainedPackets, lostOf, maxHeldBack, streamKbps, waitsOf } from './measured.ts';

const arrivals = (atMs: readonly number[], ipBytes = 1250) => ({
  atMs,
  ipBytes,
  numbers: atMs.map((_, at) => at),
  socketDrops: 0,
});
const every = (stepMs: number, count: number, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, at) => fromMs + at * stepMs);

describe('arrivalKbps', () => {
  it('counts IP bits between the first and the last', () =>
    // 10,000 bits every 10 ms.
    expect(arrivalKbps(arrivals(every(10, 101)), 0)).toBe(1000));
  it('leaves out the beginning', () =>
    expect(arrivalKbps(arrivals([...every(1, 100), ...every(10, 100, 500)]), 500)).toBe(1000));
  it('says nothing of one packet', () => expect(arrivalKbps(arrivals([5]), 0)).toBeNull());
});

describe('streamKbps', () => {
  it('adds the headers of full segments', () => {
    const atMs = every(10, 201);
    const drunk = { atMs, totalBytes: atMs.map((at) => at * 144.8) };
    // 144.8 bytes of stream per ms = 150 of IP = 1200 bits.
    expect(streamKbps(drunk, 1000)).toBeCloseTo(1200, 9);
  });
  it('says nothing of a stream shorter than the window', () =>
    expect(streamKbps({ atMs: [0, 10], totalBytes: [0, 100] }, 1000)).toBeNull());
});

describe('drainedPackets', () => {
  it('counts what came after the burst and the empty way', () =>
    // Sent until 100 ms, 20 ms away, one packet every 6 ms: those after 120 ms.
    expect(drainedPackets({ packets: 60, atMs: [0, 100] }, arrivals(every(6, 50, 26)), 20)).toBe(34));
});

describe('maxHeldBack', () => {
  const sent = { packets: 100, atMs: every(2, 100) };
  it('is the one on its way where all come as they are sent', () =>
    expect(maxHeldBack(sent, arrivals(every(2, 100, 10)))).toBe(1));
  it('counts what was sent while nothing came', () =>
    // Silent from 110 to 170 ms, then all at once.
    expect(maxHeldBack(sent, arrivals([...every(2, 51, 10), ...every(0.1, 49, 170)]))).toBe(30));
  it('is nothing where nothing came', () => expect(maxHeldBack(sent, arrivals([]))).toBe(0));
});

describe('lostOf', () => {
  it('counts numbers, not packets: a doubled one hides no lost one', () =>
    expect(lostOf({ packets: 4, atMs: [0] }, { ...arrivals([1, 2, 3]), numbers: [0, 1, 1] })).toBe(2));
});

describe('waitsOf', () => {
  it('is by number, in whichever order they came, without the empty way', () =>
    expect(waitsOf({ packets: 3, atMs: [0, 5, 10] }, { ...arrivals([27, 40]), numbers: [2, 0] }, 15)).toEqual(
      [25, null, 2],
    ));
});
