import { describe, expect, it } from 'vitest';
import { cpuTimes, cpuUse } from './cpuTimes.ts';

/** Text of /proc/stat from a machine of two cores, with the rest of "intr" left out. */
const TEXT = `cpu  1710318 142368 446559 2466380 3839 0 8789 2791 0 0
cpu0 848862 69497 217391 1248859 699 0 3675 1406 0 0
cpu1 861456 72871 229168 1217521 3139 0 5113 1385 0 0
intr 38161880 0 0 0
ctxt 163556052
btime 1790000000
`;

describe('a reading of /proc/stat', () => {
  it('has the cores and eight counters of all of them', () =>
    expect(cpuTimes(TEXT)).toEqual({
      cores: 2,
      ticks: [1710318, 142368, 446559, 2466380, 3839, 0, 8789, 2791],
    }));

  it('has the cores that are online, and the ticks of all that ever were', () => {
    const text = TEXT.replace(/^cpu0 .*\n/m, '');
    expect(cpuTimes(text)).toEqual({ ...cpuTimes(TEXT), cores: 1 });
  });

  it.each([
    ['nothing', ''],
    ['half of the first line', TEXT.slice(0, 30)],
    ['no end of the first line', TEXT.slice(0, TEXT.indexOf('\n'))],
    ['no core', TEXT.replace(/^cpu\d.*\n/gm, '')],
    ['half of a core', TEXT.slice(0, TEXT.indexOf('cpu1') + 20)],
    ['fewer counters (before Linux 2.6.11)', TEXT.replace('3839 0 8789 2791 0 0', '3839 0')],
    ['another file', 'MemTotal: 1 kB\n'],
  ])('is none with %s', (_, text) => expect(cpuTimes(text)).toBeNull());
});

describe('between two readings', () => {
  const zero = [100, 100, 100, 100, 100, 100, 100, 100];
  const useOf = (advances: readonly number[]) =>
    cpuUse(
      { cores: 2, ticks: zero },
      { cores: 2, ticks: zero.map((ticks, at) => ticks + (advances[at] ?? 0)) },
    );

  it.each<[string, number, number, number[]]>([
    ['user, nice, system and interrupts are busy', 75, 0, [30, 10, 20, 25, 0, 10, 5, 0]],
    ['waiting for a disk is not', 50, 0, [100, 0, 0, 0, 100, 0, 0, 0]],
    ['what the host took is, and is counted separately', 75, 25, [50, 0, 0, 25, 0, 0, 0, 25]],
    ['iowait that goes back stood still', 50, 0, [100, 0, 0, 100, -40, 0, 0, 0]],
    ['idle that goes back when a core goes offline stood still', 100, 0, [100, 0, 0, -90, 0, 0, 0, 0]],
  ])('%s', (_, busyPercent, stolenPercent, advances) =>
    expect(useOf(advances)).toEqual({ busyPercent, stolenPercent }),
  );

  it.each([
    ['no tick has gone by', []],
    ['all counters went back', zero.map(() => -50)],
  ])('nothing is known where %s', (_, advances) => expect(useOf(advances)).toBeNull());
});
