import { mbpsFromKbps, secondsFromMs } from '../shared/units.ts';
import type { Ladder } from './ladder.ts';

/** Formats the numbers of `because` in one way for all rules. People count levels from 1. */

export const mbps = (rateKbps: number): string => `${mbpsFromKbps(rateKbps).toFixed(2)} Mbit/s`;

export const seconds = (ms: number): string => `${secondsFromMs(ms).toFixed(1)} s`;

/** "level 3 of 6 (1.20 Mbit/s)". */
export const formatRung = (ladder: Ladder, rung: number): string =>
  `level ${rung + 1} of ${ladder.length} (${mbps(ladder[rung]?.bitrateKbps ?? 0)})`;
