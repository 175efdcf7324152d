import { mbpsFromKbps, secondsFromMs } from '../units.ts';
import type { Ladder } from './ladder.ts';

/** How rules speak of numbers in `because`, so that all of them sound alike. People count rungs from 1. */

export const mbps = (rateKbps: number): string => `${mbpsFromKbps(rateKbps).toFixed(2)} Mbit/s`;

export const seconds = (ms: number): string => `${secondsFromMs(ms).toFixed(1)} s`;

/** "rung 3 of 6 (1.20 Mbit/s)". */
export const formatRung = (ladder: Ladder, rung: number): string =>
  `rung ${rung + 1} of ${ladder.length} (${mbps(ladder[rung]?.bitrateKbps ?? 0)})`;
