import { describe, expect, it, test } from 'vitest';
import { ownTimes, processTimes, type ProcessTimes } from './ownTimes.ts';

test('a line of /proc/PID/stat, though the name of the process holds brackets and spaces', () => {
  const text =
    '812 (a) (b c) S 790 812 790 0 -1 4194560 2212 431 0 1 30 12 7 5 20 0 11 0 4711 1103040512 13055 18446744073709551615\n';
  expect(processTimes(text)).toEqual({
    pid: 812,
    parentPid: 790,
    startTicks: 4711,
    ownTicks: 42,
    reapedTicks: 12,
    isKernel: false,
  });
  expect(processTimes(text.replace('4194560', '2129984'))!.isKernel).toBe(true);
  expect(processTimes(text.slice(0, 60))).toBeNull();
  expect(processTimes('')).toBeNull();
});

const ROOT = 100;
const process = (
  pid: number,
  parentPid: number,
  [ownTicks, reapedTicks = 0]: readonly number[],
  changes: Partial<ProcessTimes> = {},
): ProcessTimes => ({
  pid,
  parentPid,
  startTicks: pid,
  ownTicks: ownTicks!,
  reapedTicks,
  isKernel: false,
  ...changes,
});
const init = process(1, 0, [500]);
const totalOf = (...readings: ProcessTimes[][]): number => {
  const add = ownTimes(ROOT);
  return readings.map(add).at(-1)!;
};

describe('the time of a run', () => {
  it.each<[string, number, ProcessTimes[][]]>([
    ['nothing at its first reading', 0, [[init, process(ROOT, 1, [40])]]],
    [
      'that of its tree, not of others',
      30,
      [
        [init, process(ROOT, 1, [40]), process(101, ROOT, [5]), process(102, 101, [5]), process(200, 1, [9])],
        [
          init,
          process(ROOT, 1, [45]),
          process(101, ROOT, [15]),
          process(102, 101, [20]),
          process(200, 1, [99]),
        ],
      ],
    ],
    [
      'what a process does that was started since',
      12,
      [[process(ROOT, 1, [40])], [process(ROOT, 1, [40]), process(101, ROOT, [12])]],
    ],
    [
      'what a process did after it was last seen, once',
      8,
      [[process(ROOT, 1, [40]), process(101, ROOT, [50])], [process(ROOT, 1, [40, 58])]],
    ],
    [
      'a process that came and went between two readings',
      7,
      [[process(ROOT, 1, [40])], [process(ROOT, 1, [40, 7])]],
    ],
    [
      'no less when somebody else waited for what ended',
      5,
      [[process(ROOT, 1, [40]), process(101, ROOT, [50])], [process(ROOT, 1, [45])]],
    ],
    [
      'what was its own and has lost its parent',
      25,
      [
        [process(ROOT, 1, [40]), process(101, ROOT, [1]), process(102, 101, [50])],
        [process(ROOT, 1, [40, 1]), process(102, 1, [70])],
        [process(ROOT, 1, [40, 1]), process(102, 1, [75])],
      ],
    ],
    [
      'not that of another process with the same id',
      0,
      [
        [process(ROOT, 1, [40]), process(101, ROOT, [0])],
        [process(ROOT, 1, [40]), process(101, 1, [90], { startTicks: 7000 })],
      ],
    ],
    [
      "the kernel's threads",
      4,
      [
        [process(ROOT, 1, [40]), process(2, 0, [0], { isKernel: true })],
        [process(ROOT, 1, [40]), process(2, 0, [4], { isKernel: true })],
      ],
    ],
  ])('is %s', (_, ticks, readings) => expect(totalOf(...readings)).toBe(ticks));
});
