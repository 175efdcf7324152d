import { oncePerLog, eventsOf, logEndMs } from '../timeline/log.ts';
import type { Span } from '../timeline/spans.ts';
import { tcpShareOf } from '../transport/protocol.ts';
import { renderedSpans, videoLadder, waitSpans } from '../timeline/played.ts';
import { spread, windowBytes } from './windowBytes.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** What the racing paper (2024, §VI-A) measures in each window of 30 s. */
export interface SessionWindow extends Span {
  /** T / (T + Q) of media bytes, 0 … 1; null where none of a known protocol flowed. */
  readonly tcpShare: number | null;
  /** B, levels × s. */
  readonly qualityDropS: number;
  /** S, s: all waits for media, however short. */
  readonly stallS: number;
  /** Mean over the time in which the picture moved; null where it did not. */
  readonly bitrateKbps: number | null;
}

export const sessionWindows = oncePerLog((log): readonly SessionWindow[] => {
  const windows = windowsOf(log);
  const shares = windowBytes(log, windows).map(tcpShareOf);
  const [drops, stalls, playedMs, kbit] = [0, 1, 2, 3].map(() => windows.map(() => 0)) as Columns;
  for (const drop of qualityDrops(log))
    spread(windows, drop, (index, ms) => (drops[index]! += (drop.levels * ms) / 1000));
  for (const wait of waitSpans(log)) spread(windows, wait, (index, ms) => (stalls[index]! += ms / 1000));
  for (const span of renderedSpans(log))
    spread(windows, span, (index, ms) => {
      playedMs[index]! += ms;
      kbit[index]! += (span.bitrateKbps * ms) / 1000;
    });
  return windows.map((window, index) => ({
    ...window,
    tcpShare: shares[index]!,
    qualityDropS: drops[index]!,
    stallS: stalls[index]!,
    bitrateKbps: playedMs[index]! > 0 ? (1000 * kbit[index]!) / playedMs[index]! : null,
  }));
});

type Columns = [number[], number[], number[], number[]];

/** Three days and a half. What is computed of windows grows with their square, and one event at a wrong time makes a million. */
const MAX_WINDOWS = 10_000;

/** Length of the racing paper's windows (2024, §VI-A). */
export const WINDOW_MS = 30_000;

/**
 * The whole windows of a session, from the first time play was asked for (so that arms of a pair have the same ones) to
 * the end of the log. What is left at the end is no window: a sum over a part of one would look small. None of too many.
 */
function windowsOf(log: SessionLog): Span[] {
  const asked = eventsOf(log, 'playback')
    .filter(({ state }) => state === 'play-requested' || state === 'playing')
    .map(({ atMs }) => atMs);
  if (asked.length === 0) return [];
  const startMs = asked.reduce((first, atMs) => Math.min(first, atMs));
  const count = Math.max(0, Math.floor((logEndMs(log) - startMs) / WINDOW_MS));
  return Array.from({ length: count > MAX_WINDOWS ? 0 : count }, (_, index) => ({
    fromMs: startMs + index * WINDOW_MS,
    toMs: startMs + (index + 1) * WINDOW_MS,
  }));
}

/** A stretch at a lower quality than the one before. */
interface QualityDrop extends Span {
  /** e(q_prev) − e(q): levels of the session's ladder, counted from 1 upwards. */
  readonly levels: number;
}

/**
 * The drops of a session: a drop lasts until the next change of rung, over stalls and pauses, and counts the time in
 * which the picture moved.
 */
function qualityDrops(log: SessionLog): QualityDrop[] {
  const ladder = videoLadder(log);
  const drops: QualityDrop[] = [];
  let levels = 0;
  let level: number | null = null;
  for (const { fromMs, toMs, rung, bitrateKbps } of renderedSpans(log)) {
    const now = ladder?.levelOf(rung, bitrateKbps) ?? 0;
    if (level !== null && now !== level) levels = level - now;
    level = now;
    if (levels > 0) drops.push({ fromMs, toMs, levels });
  }
  return drops;
}

/** Means of all windows up to and with this one. */
export interface RunningMeans {
  /** Over the windows in which the picture moved; null before the first. */
  readonly bitrateKbps: number | null;
  /** |step| from the window before that has a bitrate, over all such steps; null before the first. */
  readonly variationKbps: number | null;
  readonly stallS: number;
}

/**
 * The running means of bitrate, bitrate variation and stall (racing paper 2024, §V-B and §VI-B). The paper samples when
 * its player reports; here a sample is a window of 30 s, in which real and simulated logs say the same.
 */
export function runningMeans(windows: readonly SessionWindow[]): RunningMeans[] {
  let [samples, kbps, steps, stepKbps, stallS] = [0, 0, 0, 0, 0];
  let last: number | null = null;
  return windows.map((window, index) => {
    stallS += window.stallS;
    const now = window.bitrateKbps;
    if (now !== null) {
      samples += 1;
      kbps += now;
      if (last !== null) {
        steps += 1;
        stepKbps += Math.abs(now - last);
      }
      last = now;
    }
    return {
      bitrateKbps: samples > 0 ? kbps / samples : null,
      variationKbps: steps > 0 ? stepKbps / steps : null,
      stallS: stallS / (index + 1),
    };
  });
}
