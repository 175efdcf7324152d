/** dash.js 5.2.1, core/Settings.js, streaming.abr and streaming.buffer. */
export const DASH_DEFAULTS = {
  /** hybridSwitchBufferTime. */
  hybridSwitchMs: 12_000,
  bufferTimeDefaultMs: 18_000,
  /** throughput.bandwidthSafetyFactor. */
  safetyFactor: 0.9,
  /** insufficientBufferRule: throughputSafetyFactor, segmentIgnoreCount; and the buffer's stallThreshold. */
  insufficientSafetyFactor: 0.7,
  insufficientIgnoredSegments: 2,
  emptyBufferMs: 300,
  /** switchHistoryRule: sampleSize, switchPercentageThreshold. */
  switchSamples: 8,
  switchThreshold: 0.075,
};

export type DashSetting = Readonly<typeof DASH_DEFAULTS>;
