import type { CompareLane } from './compareLane.ts';
import { armLanes } from './lanes/arms.ts';
import { bitrate } from './lanes/bitrate.ts';
import { buffer } from './lanes/buffer.ts';
import { decisions } from './lanes/decisions.ts';
import { pathways } from './lanes/pathways.ts';
import { racing } from './lanes/racing.ts';
import { stalls } from './lanes/stalls.ts';

/**
 * The lanes of the compare view, from top to bottom: what viewers got, then how it came, then what was chosen; and those in
 * their place where arms are shown. Bitrate and buffer are the first two of both.
 */
export const COMPARE_LANES: readonly CompareLane[] = [
  ...[bitrate, buffer, stalls, racing, pathways, decisions],
  ...armLanes,
];
