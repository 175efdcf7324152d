import { TICK_MS, type MachineSample, WINDOW_MS } from './machineSample.ts';
import { formatCount, formatPercent } from '../../src/shared/format.ts';
import type { Static } from '@sinclair/typebox';
import type { MachineUse } from '../../src/telemetry/schema/environment.ts';
import { allTicks, cpuUse, programTicks, type CpuUse } from './cpuTimes.ts';

/** Counts of frames and packets from the session itself. */
export interface Outcome {
  /** Frames that `calmFrames` counts: those away from what the network does to a picture. */
  readonly decodedFrames: number;
  readonly droppedFrames: number;
  /** Packets that the link's emulator threw away because the machine was busy; 0 without a link. */
  readonly busyDrops: number;
}

// Thresholds: measured on two cores, six linked sessions at once, beside ever more other work. research/machine-load.md has the figures.
/** Use of the cores from which some program always waits for one: a core is hardly ever busy to the last tick. */
const SATURATED_PERCENT = 95;
/** Half-life of dash.js' slower throughput average (ThroughputController, 5.2.1): half of a rule's estimate is newer. */
const SATURATED_MS = 8000;
/** Share of saturated time: starting browsers fill two cores for moments; at 70 % six sessions dropped 1.3 to 2 % of frames. */
const SATURATED_SHARE = 0.25;
/** Share of dropped frames: six sessions with enough cores dropped at most 0.7 %, six without at least 2.5 %. */
const DROPPED_SHARE = 0.02;
/** Count of frames below which dropped frames are not judged: ten seconds of a film, of which 2 % are five frames. */
const FEWEST_FRAMES = 240;
/** Delay of a late timer: of timers of 100 ms, at most 0.7 % came so late with free cores, 3.5 to 7.2 % without. */
const LATE_TIMER_MS = 50;
const LATE_TIMER_SHARE = 0.02;
/**
 * Long wait of the emulator for a core in a spell of 100 ms: one packet in five then finds it asleep. On cores that 50 programs
 * share, 0 to 2 of 100 spells had one with a real-time priority, and about half of them without: packets came up to 80 ms late.
 */
const LONG_WAIT_MS = 20;
const LONG_WAIT_SHARE = 0.05;
/**
 * Use of one core by programs outside the run: about that of one more session (8 to 18 %, campaigns/README.md), so no other
 * session may run. The error of the measurement is far smaller: for 100 processes on two full cores 48.3 s were counted in
 * 24 s, and the machine counted 48.0 s.
 */
const OTHER_CORE_PERCENT = 15;
/** Smallest count of late values that is judged: otherwise a single one would decide about a short session. */
const FEWEST_ODD = 3;

/**
 * Returns a sentence for each way in which the machine, not the network, was the bottleneck; none when it was not. Pure: equal
 * samples give equal flags.
 */
export function judgeMachine(samples: readonly MachineSample[], outcome: Outcome): string[] {
  return [
    saturated(cpuWindows(samples), samples.at(-1)?.cpu.cores ?? 0),
    lateTimers(samples.flatMap(({ timerDelaysMs }) => timerDelaysMs)),
    droppedFrames(outcome),
    emulatorWaits(samples.flatMap(({ emulatorWaitsMs }) => emulatorWaitsMs)),
    busyDrops(outcome),
    otherPrograms(samples),
    otherRuns(samples),
  ].filter((flag) => flag !== null);
}

function saturated(windows: readonly CpuWindow[], cores: number): string | null {
  const sum = (each: readonly CpuWindow[]): number => each.reduce((ms, { durationMs }) => ms + durationMs, 0);
  const full = windows.filter(isSaturated);
  const longestMs = Math.max(0, ...stretches(windows).map(sum));
  if (longestMs < SATURATED_MS && sum(full) < SATURATED_SHARE * sum(windows)) return null;
  if (full.length === 0) return null;
  const stolen = full.reduce((percent, each) => percent + each.stolenPercent, 0) / full.length;
  const host =
    stolen >= 5
      ? `; the host gave ${formatPercent(stolen / 100, { decimals: 1 })} of that to other machines`
      : '';
  return `All ${cores} cores were at least ${SATURATED_PERCENT} % busy for ${seconds(sum(full))} of ${seconds(sum(windows))}, at most ${seconds(longestMs)} in a row${host}.`;
}

const isSaturated = ({ busyPercent }: CpuWindow): boolean => busyPercent >= SATURATED_PERCENT;

/** Groups saturated windows that follow each other. */
function stretches(windows: readonly CpuWindow[]): CpuWindow[][] {
  const found: CpuWindow[][] = [[]];
  for (const window of windows)
    if (isSaturated(window)) found.at(-1)?.push(window);
    else found.push([]);
  return found;
}

function lateTimers(delaysMs: readonly number[]): string | null {
  const odd = oddOnes(delaysMs, { limitMs: LATE_TIMER_MS, share: LATE_TIMER_SHARE });
  return (
    odd &&
    `${odd.count} of ${delaysMs.length} timers of the runner came at least ${LATE_TIMER_MS} ms late, the latest ${odd.worstMs} ms.`
  );
}

function emulatorWaits(waitsMs: readonly number[]): string | null {
  const odd = oddOnes(waitsMs, { limitMs: LONG_WAIT_MS, share: LONG_WAIT_SHARE });
  return (
    odd &&
    `The link's emulator waited for a core for at least ${LONG_WAIT_MS} ms in ${odd.count} of ${waitsMs.length} spells of ${TICK_MS} ms, at most ${odd.worstMs} ms.`
  );
}

/** Counts the values that reach the limit; null where fewer than `share` of them or than FEWEST_ODD do. */
function oddOnes(
  valuesMs: readonly number[],
  { limitMs, share }: { limitMs: number; share: number },
): { count: number; worstMs: number } | null {
  const odd = valuesMs.filter((each) => each >= limitMs);
  const isOdd = odd.length >= Math.max(FEWEST_ODD, share * valuesMs.length);
  return isOdd ? { count: odd.length, worstMs: Math.round(Math.max(...odd)) } : null;
}

function droppedFrames({ droppedFrames: dropped, decodedFrames: decoded }: Outcome): string | null {
  if (decoded < FEWEST_FRAMES || dropped < DROPPED_SHARE * decoded) return null;
  return `${dropped} of ${decoded} frames (${formatPercent(dropped / decoded, { decimals: 1 })}) were dropped away from any stall, seek, switch or empty buffer.`;
}

/** Flags any dropped packet: no run had one, however busy, and even one is a loss that is not in the profile. */
const busyDrops = ({ busyDrops: count }: Outcome): string | null =>
  count === 0
    ? null
    : `The link's emulator threw ${formatCount(count, 'packet')} away because the machine was busy.`;

function otherPrograms(samples: readonly MachineSample[]): string | null {
  const percent = otherPercent(samples) * (samples.at(-1)?.cpu.cores ?? 0);
  return percent <= OTHER_CORE_PERCENT
    ? null
    : `Programs outside this run used ${Math.round(percent)} % of a core on average, more than ${OTHER_CORE_PERCENT} %.`;
}

/** Returns the share of all cores' time that programs outside the run used, in %; 0 where no time has gone by. */
function otherPercent(samples: readonly MachineSample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  const all = first && last ? allTicks(first.cpu, last.cpu) : 0;
  if (!first || !last || all === 0) return 0;
  const others = programTicks(first.cpu, last.cpu) - (last.ownTicks - first.ownTicks);
  // The kernel samples one time and measures the other: on a machine without other programs either may be the larger.
  return Math.min(100, Math.max(0, (100 * others) / all));
}

function otherRuns(samples: readonly MachineSample[]): string | null {
  const count = Math.max(0, ...samples.map((sample) => sample.otherRuns));
  return count === 0
    ? null
    : `${formatCount(count, 'other run')} of Pitwall played on this machine at the same time.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;

/** Makes the log's entry about the machine; null where the session was too short for it. */
export function machineUse(
  samples: readonly MachineSample[],
  outcome: Outcome,
  id: string | null = null,
): Static<typeof MachineUse> | null {
  const [first, last] = [samples[0], samples.at(-1)];
  const mean = first && last ? cpuUse(first.cpu, last.cpu) : null;
  if (!mean) return null;
  const worst = cpuWindows(samples).map(({ busyPercent }) => busyPercent);
  return {
    ...(id !== null && { id }),
    cores: Math.min(...samples.map(({ cpu }) => cpu.cores)),
    meanBusyPercent: rounded(mean.busyPercent),
    worstBusyPercent: rounded(Math.max(...worst, mean.busyPercent)),
    otherBusyPercent: rounded(otherPercent(samples)),
    windowMs: WINDOW_MS,
    latestTimerMs: rounded(Math.max(0, ...samples.flatMap(({ timerDelaysMs }) => timerDelaysMs))),
    flags: judgeMachine(samples, outcome),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

interface CpuWindow extends CpuUse {
  readonly durationMs: number;
}

/**
 * Computes how busy the cores were from each sample to the next. A window shorter than half of WINDOW_MS, as the last may be,
 * says little and is left out, unless there is no other.
 */
function cpuWindows(samples: readonly MachineSample[]): CpuWindow[] {
  const windows = samples.slice(1).flatMap((after, at) => {
    const before = samples[at]!;
    const use = cpuUse(before.cpu, after.cpu);
    return use ? [{ ...use, durationMs: after.atMs - before.atMs }] : [];
  });
  const whole = windows.filter(({ durationMs }) => durationMs >= WINDOW_MS / 2);
  return whole.length > 0 ? whole : windows;
}
