import { oncePerLog } from '../oncePerLog.ts';
import type { Span } from '../playingSpans.ts';
import { tcpShareOf } from '../protocol.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { stallSpans } from '../stallSpans.ts';
import { qualityDrops } from './qualityDrops.ts';
import { spread } from './spread.ts';
import { windowBytes } from './windowBytes.ts';
import { windowsOf } from './windowsOf.ts';

/** What the racing paper (2024, §VI-A) measures in each window of 30 s. */
export interface SessionWindow extends Span {
  /** T / (T + Q) of media bytes, 0 … 1; null where none of a known protocol flowed. */
  readonly tcpShare: number | null;
  /** B, levels × s. */
  readonly qualityDropS: number;
  /** S, s. */
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
  for (const stall of stallSpans(log)) spread(windows, stall, (index, ms) => (stalls[index]! += ms / 1000));
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
