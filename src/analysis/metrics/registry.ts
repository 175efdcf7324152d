import type { Metric } from './metric.ts';
import { handshakeTime, zeroRttShare } from './connections.ts';
import { audioLatency, downloadTime, responseLatency, videoLatency } from './latency.ts';
import { liveMetrics } from './live.ts';
import { bitrateVariation, optimumShare, qoeHd, qoeLinear, qoeLog } from './qoe.ts';
import { droppedFrames, meanBitrate, meanQualityLevel, medianBitrate } from './quality.ts';
import { brokenTime, discoveryRequests, protocolSwitches, raceOutcomes, racesByCause } from './racing.ts';
import { bufferLevel, joinTime, rebufferCount, rebufferRate, rebufferTime, seekWait } from './stalls.ts';
import { pathChangeMetrics } from './pathChanges.ts';
import { sharedLinkMetrics } from './sharedLink.ts';
import { steeringMetrics } from './steering.ts';
import { instability, switchCount, switchMagnitude } from './switches.ts';
import { connectionThroughput, effectiveThroughput, throughput, throughputMismatch } from './throughput.ts';
import { transferMetrics } from './transfers.ts';
import { protocolOverhead, quicShare, requestsByProtocol, tcpShare, tcpShareLater } from './transport.ts';
import { firstFrameWait, skippedMedia, waitingMetrics } from './waiting.ts';
import {
  qualityDrop,
  tcpQualityCorrelation,
  tcpStallCorrelation,
  tcpWindows,
  windowBitrate,
  windowStall,
  windowVariation,
} from './windows.ts';

/** Every metric, by topic: add a line here. */
const all: readonly Metric[] = [
  bufferLevel,
  joinTime,
  rebufferCount,
  rebufferRate,
  rebufferTime,
  seekWait,
  ...waitingMetrics,
  skippedMedia,
  firstFrameWait,
  ...liveMetrics,
  droppedFrames,
  meanBitrate,
  meanQualityLevel,
  medianBitrate,
  switchCount,
  switchMagnitude,
  instability,
  bitrateVariation,
  optimumShare,
  qoeHd,
  qoeLinear,
  qoeLog,
  audioLatency,
  downloadTime,
  responseLatency,
  videoLatency,
  connectionThroughput,
  effectiveThroughput,
  throughput,
  throughputMismatch,
  protocolOverhead,
  quicShare,
  requestsByProtocol,
  tcpShare,
  tcpShareLater,
  handshakeTime,
  zeroRttShare,
  brokenTime,
  discoveryRequests,
  protocolSwitches,
  raceOutcomes,
  racesByCause,
  ...pathChangeMetrics,
  ...sharedLinkMetrics,
  ...steeringMetrics,
  ...transferMetrics,
  qualityDrop,
  tcpQualityCorrelation,
  tcpStallCorrelation,
  tcpWindows,
  windowBitrate,
  windowStall,
  windowVariation,
];

const LAST = Number.MAX_SAFE_INTEGER;

/** Every metric: first those that tables show by default, then the others by id. */
export const metrics: readonly Metric[] = all.toSorted(
  (one, other) => (one.headline ?? LAST) - (other.headline ?? LAST) || (one.id < other.id ? -1 : 1),
);

/** Whether sessions of transfers, or else sessions that play, can have a value of a metric. */
export const isMeasuredIn = ({ sessions }: Metric, isOfTransfers: boolean): boolean =>
  isOfTransfers ? sessions !== undefined : sessions !== 'transfers';

/** The columns of a table of transfers that asks for none. */
export const transferColumns: readonly Metric[] = [
  ...transferMetrics,
  handshakeTime,
  zeroRttShare,
  requestsByProtocol,
];
