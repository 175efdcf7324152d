import type { Ladder } from './ladder.ts';
import type { DownloadEvent, MediaType, Moment, RuleContext } from './rule.ts';

/** Building blocks for rule tests; each test overrides what it is about. */
export const ladderOf = (...bitratesKbps: number[]): Ladder =>
  bitratesKbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));

export const contextOf = (ladder: Ladder, over: Partial<RuleContext> = {}): RuleContext => ({
  mediaType: 'video',
  ladder,
  segmentMs: 4000,
  live: false,
  seed: 1,
  sizeBytes: () => null,
  sizesFrom: () => null,
  ...over,
});

export const momentOf = (over: Partial<Moment> = {}): Moment => ({
  nowMs: 60_000,
  playheadMs: 40_000,
  bufferMs: 16_000,
  bufferTargetMs: 20_000,
  segment: 14,
  segmentsLeft: 30,
  lastRung: 0,
  liveLatencyMs: null,
  playbackRate: 1,
  ...over,
});

/** A download of `rateKbps` over one second. */
export const downloadOf = (
  rateKbps: number,
  over: Partial<DownloadEvent> & { mediaType?: MediaType } = {},
): DownloadEvent => ({
  kind: 'download',
  mediaType: 'video',
  segment: 0,
  rung: 0,
  bitrateKbps: 300,
  sizeBytes: (rateKbps * 1000) / 8,
  startMs: 1000,
  firstByteMs: 1100,
  lastByteMs: 2000,
  protocol: 'h3',
  connectionReused: true,
  aborted: false,
  ...over,
});
