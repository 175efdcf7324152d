import { describe, expect, it, test } from 'vitest';
import { judgeMachine, type Outcome, machineUse } from './judgeMachine.ts';
import { WINDOW_MS, type MachineSample } from './machineSample.ts';

const FINE: Outcome = { decodedFrames: 1440, droppedFrames: 4, busyDrops: 0 };

/** A sample at 0 and one after each window that was so busy, in %. */
function samplesOf(busyPercents: readonly number[], more: Partial<MachineSample> = {}): MachineSample[] {
  let [busy, idle] = [5000, 5000];
  const sample = (atMs: number): MachineSample => ({
    atMs,
    cpu: { cores: 2, ticks: [busy, 0, 0, idle, 0, 0, 0, 0] },
    ownTicks: busy,
    otherRuns: 0,
    timerDelaysMs: Array<number>(20).fill(1),
    emulatorWaitsMs: Array<number>(20).fill(0.5),
    ...more,
  });
  const rest = busyPercents.map((percent, at) => {
    [busy, idle] = [busy + 4 * percent, idle + 4 * (100 - percent)];
    return sample((at + 1) * WINDOW_MS);
  });
  const first = { cpu: { cores: 2, ticks: [5000, 0, 0, 5000, 0, 0, 0, 0] }, ownTicks: 5000 };
  return [{ ...sample(0), ...first }, ...rest];
}

const windows = (count: number, percent: number): number[] => Array<number>(count).fill(percent);
const mixed = (...runs: [number, number][]): number[] =>
  runs.flatMap(([count, percent]) => windows(count, percent));

describe('cores', () => {
  it.each<[string, number[]]>([
    ['that six sessions use', windows(30, 60)],
    ['close to their limit all the time', windows(30, 94)],
    [
      'saturated for a moment by each browser that starts',
      mixed([9, 60], [1, 100], [9, 60], [2, 100], [9, 60]),
    ],
    ['saturated for just less than two segments', mixed([13, 60], [3, 100], [14, 60])],
    ['never read a second time', []],
  ])('%s are no bottleneck', (_, percents) => expect(judgeMachine(samplesOf(percents), FINE)).toEqual([]));

  it.each<[string, number[], string]>([
    ['all the time', windows(30, 100), 'for 60 s of 60 s, at most 60 s in a row'],
    ['for 8 s', mixed([13, 60], [4, 96], [13, 60]), 'for 8 s of 60 s, at most 8 s in a row'],
    [
      'again and again',
      Array.from({ length: 32 }, (__, at) => (at % 4 === 0 ? 100 : 60)),
      'for 16 s of 64 s, at most 2 s in a row',
    ],
    ['in a session of one window', [100], 'for 2 s of 2 s, at most 2 s in a row'],
  ])('saturated %s are one', (_, percents, words) =>
    expect(judgeMachine(samplesOf(percents), FINE)).toEqual([
      `All 2 cores were at least 95 % busy ${words}.`,
    ]),
  );

  it('are named when the host took them', () => {
    const stolen = samplesOf(windows(10, 50)).map(({ cpu, ...sample }) => {
      const [busy = 0, , , idle = 0] = cpu.ticks;
      return { ...sample, cpu: { ...cpu, ticks: [busy, 0, 0, 0, 0, 0, 0, idle] } };
    });
    expect(judgeMachine(stolen, FINE)).toEqual([
      'All 2 cores were at least 95 % busy for 20 s of 20 s, at most 20 s in a row; the host gave 50.0 % of that to other machines.',
    ]);
  });

  it('are not judged by a last reading right after the one before', () => {
    const samples = samplesOf(windows(3, 60));
    const last = samples.at(-1)!;
    const ticks = last.cpu.ticks.map((each, at) => (at === 0 ? each + 2 : each));
    expect(
      judgeMachine([...samples, { ...last, atMs: last.atMs + 10, cpu: { cores: 2, ticks } }], FINE),
    ).toEqual([]);
  });
});

describe('programs outside the run', () => {
  /** 20 windows of 400 ticks on two cores, half of them busy, of which the run used so many. */
  const sharing = (ownTicksOfWindow: number): MachineSample[] =>
    samplesOf(windows(20, 50)).map((sample, at) => ({ ...sample, ownTicks: 70 + at * ownTicksOfWindow }));

  it.each<[string, number, number, string[]]>([
    ['nothing, when all is the run', 200, 0, []],
    ['less than 15 % of a core', 172, 7, []],
    ['more than that', 168, 8, ['Programs outside this run used 16 % of a core on average, more than 15 %.']],
    [
      'another campaign',
      100,
      25,
      ['Programs outside this run used 50 % of a core on average, more than 15 %.'],
    ],
    ['never less than nothing: the kernel may count more of the run than of all', 203, 0, []],
  ])('used %s', (_, own, otherBusyPercent, flags) =>
    expect(machineUse(sharing(own), FINE)).toMatchObject({ meanBusyPercent: 50, otherBusyPercent, flags }),
  );

  it('do not include interrupts, nor what the host took', () => {
    const interrupted = samplesOf(windows(20, 50)).map(({ cpu, ...sample }) => {
      const [busy = 0, , , idle = 0] = cpu.ticks;
      return { ...sample, ownTicks: 0, cpu: { ...cpu, ticks: [0, 0, 0, idle, 0, 0, busy / 2, busy / 2] } };
    });
    expect(machineUse(interrupted, FINE)).toMatchObject({ otherBusyPercent: 0, flags: [] });
  });

  it('are named when they are another run, at whatever moment', () => {
    const samples = samplesOf(windows(20, 50)).map((sample, at) => ({
      ...sample,
      otherRuns: at === 7 ? 1 : 0,
    }));
    expect(judgeMachine(samples, FINE)).toEqual([
      '1 other run of Pitwall played on this machine at the same time.',
    ]);
  });
});

describe('timers and turns', () => {
  const some = (count: number, high: number, of: number): number[] =>
    Array.from({ length: of }, (_, at) => (at < count ? high : 1));
  const judged = (changes: Partial<MachineSample>): string[] =>
    judgeMachine([{ ...samplesOf([])[0]!, timerDelaysMs: [], emulatorWaitsMs: [], ...changes }], FINE);

  it.each<[string, number, number, number]>([
    ['a single late one', 1, 400, 60],
    ['two in a short session', 2, 400, 60],
    ['fewer than 2 of 100', 11, 400, 600],
    ['many that are only a little late', 600, 15, 600],
  ])('%s says nothing', (_, count, high, of) => {
    expect(judged({ timerDelaysMs: some(count, high, of) })).toEqual([]);
    expect(judged({ emulatorWaitsMs: some(count, high, of) })).toEqual([]);
  });

  it('are named when they came late', () =>
    expect(judged({ timerDelaysMs: some(12, 286.4, 600) })).toEqual([
      '12 of 600 timers of the runner came at least 50 ms late, the latest 286 ms.',
    ]));

  it('are named when the emulator did not get them', () =>
    expect(judged({ emulatorWaitsMs: some(30, 54.2, 600) })).toEqual([
      "The link's emulator waited for a core for at least 20 ms in 30 of 600 spells of 100 ms, at most 54 ms.",
    ]));
});

describe('frames and packets', () => {
  it.each<[string, Partial<Outcome>, string[]]>([
    ['few dropped frames', { decodedFrames: 1000, droppedFrames: 19 }, []],
    [
      'many dropped frames',
      { decodedFrames: 840, droppedFrames: 34 },
      ['34 of 840 frames (4.0 %) were dropped away from any stall, seek, switch or empty buffer.'],
    ],
    ['many of very few', { decodedFrames: 239, droppedFrames: 30 }, []],
    ['none at all', { decodedFrames: 0, droppedFrames: 0 }, []],
    [
      'a packet that the profile did not ask for',
      { busyDrops: 1 },
      ["The link's emulator threw 1 packet away because the machine was busy."],
    ],
  ])('%s', (_, changes, flags) =>
    expect(judgeMachine(samplesOf(windows(30, 60)), { ...FINE, ...changes })).toEqual(flags),
  );
});

describe('what the log says', () => {
  test('of a session', () => {
    const samples = samplesOf([40, 80, 60], { timerDelaysMs: [0.123, 31.25] });
    expect(machineUse(samples, FINE)).toEqual({
      cores: 2,
      meanBusyPercent: 60,
      worstBusyPercent: 80,
      windowMs: WINDOW_MS,
      latestTimerMs: 31.3,
      otherBusyPercent: 0,
      flags: [],
    });
    expect(machineUse(samples, FINE, '0a1b2c3d')).toMatchObject({ id: '0a1b2c3d', cores: 2 });
  });

  test('of one in which a core went offline: those that stayed', () => {
    const samples = samplesOf([40, 40]);
    const last = { ...samples[2]!, cpu: { ...samples[2]!.cpu, cores: 1 } };
    expect(machineUse([samples[0]!, samples[1]!, last], FINE)).toMatchObject({ cores: 1, flags: [] });
  });

  test.each([0, 1])('nothing with %i readings', (count) =>
    expect(machineUse(samplesOf([]).slice(0, count), FINE)).toBeNull(),
  );
});
