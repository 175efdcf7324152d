import { exp } from '../../../shared/exactMath/exp.ts';
import { ln } from '../../../shared/exactMath/ln.ts';
import type { MediaType, DownloadEvent, Rule } from '../../rule.ts';
import type { SegmentSizes } from '../../segmentBytes.ts';
import type { QoeModel } from '../../../shared/qoe.ts';
import type { Ladder } from '../../ladder.ts';
import { afterStall, NEVER_STALLED, type Stalled } from './stallPrice.ts';

/** How many downloads the net sees one by one. */
export const HISTORY = 8;

/** The net's inputs, as logarithms: the net compares ratios, so that no ladder is too high for it. */
export interface NeuralState extends SegmentSizes {
  readonly mediaType: MediaType;
  /** q / µ by rung: what a segment there is worth, in seconds of stall. */
  readonly worth: readonly number[];
  readonly measured: Measured | null;
  /** Bitrate of the audio that arrived last, as the manifest has it, if h2 carried it; 0 over others, and while none arrived. */
  readonly h2AudioKbps: number;
  readonly stalled: Stalled;
}

/** Measurements of the downloads so far; rates in ln kbit/s, without the time to the first byte. */
export interface Measured {
  readonly downloads: number;
  /** Rates of the last downloads, newest first, no more than `HISTORY`. */
  readonly rateLn: readonly number[];
  /** ln ms from request to last byte, newest first. */
  readonly tookLn: readonly number[];
  /** ln of the time to the first byte, 0 at 80 ms: the last one, and a mean. */
  readonly latencyLn: number;
  readonly latencyMeanLn: number;
  /** Means and variances that forget with a tenth and with a third of each download. */
  readonly slowMean: number;
  readonly slowVariance: number;
  readonly fastMean: number;
  readonly fastVariance: number;
  /**
   * The lowest rate so far, also where a link began with it; with each download it comes nearer to the slow mean by a five
   * hundredth, so that half of it is forgotten after 350.
   */
  readonly lowestLn: number;
  /** Share of downloads that came at a third of the slow mean or less; it forgets with a hundredth. */
  readonly dropShare: number;
  /** Whether the last download's connection was opened for it, over a protocol that training knows. */
  readonly isNew: boolean;
}

/** What the ALPN ids of protocols begin with that training knows, as "http/1.1" and "h3-29". */
const KNOWN = ['http/1', 'h2', 'h3'];
const SLOW = 0.1;
const FAST = 0.35;
const DROP_LN = 1.1;
const DROP_SLOW = 0.01;
const LOWEST_BACK = 0.002;
/** Added to a latency, so that none at all has a logarithm; with it 80 ms are 0. */
const LATENCY_FLOOR_MS = 5;
const USUAL_LATENCY_MS = 80;
/** A body that comes at once after a long wait was not sent that fast: it had been gathered on the way. */
const MIN_BODY_SHARE = 0.25;

/** Returns the time to the first byte, ms, whose logarithm is `latencyLn`. */
export const latencyMsOf = (latencyLn: number): number =>
  (USUAL_LATENCY_MS + LATENCY_FLOOR_MS) * exp(latencyLn) - LATENCY_FLOOR_MS;

/** The next state of knowledge; null for a download that says nothing about the path. */
export function withDownload(before: Measured | null, download: DownloadEvent): Measured | null {
  const tookMs = download.lastByteMs - download.startMs;
  if (download.aborted || !(tookMs > 0) || !(download.sizeBytes > 0)) return before;
  const latencyMs = download.firstByteMs === null ? null : download.firstByteMs - download.startMs;
  const bodyMs = Math.max(tookMs - (latencyMs ?? 0), MIN_BODY_SHARE * tookMs);
  const rateLn = ln((download.sizeBytes * 8) / bodyMs);
  const last = before ?? NOTHING;
  const latencyLn =
    latencyMs === null
      ? last.latencyMeanLn
      : ln((Math.max(0, latencyMs) + LATENCY_FLOOR_MS) / (USUAL_LATENCY_MS + LATENCY_FLOOR_MS));
  const downloads = last.downloads + 1;
  const slow = Math.max(SLOW, 1 / downloads);
  const fast = Math.max(FAST, 1 / downloads);
  const offSlow = rateLn - last.slowMean;
  const offFast = rateLn - last.fastMean;
  const drop = before ? last.slowMean - rateLn : 0;
  const dropSlow = Math.max(DROP_SLOW, 1 / downloads);
  return {
    downloads,
    rateLn: [rateLn, ...last.rateLn].slice(0, HISTORY),
    tookLn: [ln(tookMs), ...last.tookLn].slice(0, HISTORY),
    latencyLn,
    latencyMeanLn: last.latencyMeanLn + fast * (latencyLn - last.latencyMeanLn),
    slowMean: last.slowMean + slow * offSlow,
    slowVariance: (1 - slow) * (last.slowVariance + slow * offSlow * offSlow),
    fastMean: last.fastMean + fast * offFast,
    fastVariance: (1 - fast) * (last.fastVariance + fast * offFast * offFast),
    lowestLn: lowestAfter(before, rateLn),
    dropShare: last.dropShare + dropSlow * ((drop > DROP_LN ? 1 : 0) - last.dropShare),
    isNew: download.connectionReused === false && KNOWN.some((begin) => download.protocol?.startsWith(begin)),
  };
}

function lowestAfter(before: Measured | null, rateLn: number): number {
  if (!before) return rateLn;
  const { lowestLn, slowMean } = before;
  return Math.min(rateLn, lowestLn + LOWEST_BACK * (slowMean - lowestLn));
}

const NOTHING: Measured = {
  downloads: 0,
  rateLn: [],
  tookLn: [],
  latencyLn: 0,
  latencyMeanLn: 0,
  slowMean: 0,
  slowVariance: 0,
  fastMean: 0,
  fastVariance: 0,
  lowestLn: 0,
  dropShare: 0,
  isNew: false,
};

/** How the state of the net, and of the tree, comes about. */
export const neuralFold = (qoe: QoeModel): Pick<Rule<NeuralState>, 'start' | 'observe'> => ({
  start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
    mediaType,
    ladder,
    segmentMs,
    sizeBytes,
    worth: worthOf(qoe, ladder),
    measured: null,
    h2AudioKbps: 0,
    stalled: NEVER_STALLED,
  }),
  observe(state, event) {
    if (event.kind === 'ladder') {
      const { ladder, segmentMs } = event;
      return { ...state, ladder, segmentMs, worth: worthOf(qoe, ladder) };
    }
    if (event.kind === 'stall') return { ...state, stalled: afterStall(state.stalled, event) };
    if (event.kind !== 'download') return state;
    if (event.mediaType === state.mediaType)
      return { ...state, measured: withDownload(state.measured, event) };
    return event.mediaType === 'audio' ? { ...state, h2AudioKbps: h2AudioAfter(state, event) } : state;
  },
});

function h2AudioAfter({ h2AudioKbps }: NeuralState, audio: DownloadEvent): number {
  if (audio.aborted || !(audio.bitrateKbps > 0)) return h2AudioKbps;
  return audio.protocol === 'h2' ? audio.bitrateKbps : 0;
}

/** q / µ by rung: what a segment is worth, in seconds of stall. */
function worthOf(qoe: QoeModel, ladder: Ladder): number[] {
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const mu = qoe.mu(bitratesKbps);
  return qoe.qualities(bitratesKbps).map((quality) => quality / mu);
}
