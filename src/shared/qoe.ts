import { ln } from './exactMath/ln.ts';
import type { Entry } from './registry.ts';

/** The terms of a QoE: what was rendered, how much it changed, how long the viewer waited. */
export interface QoeTerms {
  /** Number of segments rendered; a part of a segment counts as that part. */
  readonly segments: number;
  /** Σ q(R_n): for linear q the bitrate in Mbit/s, summed over the segments. */
  readonly quality: number;
  /** Σ |q(R_{n+1}) − q(R_n)|, in the unit of q. */
  readonly variation: number;
  /** Σ T_n: stalls after the first frame, s. Join time is a metric of its own. */
  readonly rebufferS: number;
}

/**
 * A QoE of the form Σ q(R_n) − µ Σ T_n − Σ |q(R_{n+1}) − q(R_n)| (Yin et al., SIGCOMM 2015, eq. 5; Mao et al., SIGCOMM
 * 2017, Table 1): q by rung, µ in q per second of stall.
 */
export interface QoeModel extends Entry {
  readonly paper: string;
  /** q of each rung of an ascending ladder, in its order. */
  qualities(bitratesKbps: readonly number[]): number[];
  mu(bitratesKbps: readonly number[]): number;
  /** What q and µ are, in a line for people. */
  meaning(bitratesKbps: readonly number[]): string;
}

const PENSIEVE = 'Mao, Netravali, Alizadeh: Pensieve, SIGCOMM 2017, Table 1';

/** q = R in Mbit/s. µ = the top rung in Mbit/s, which is Pensieve's 4.3 on its ladder and scales to any other. */
const linear: QoeModel = {
  id: 'lin',
  label: 'linear',
  paper: PENSIEVE,
  qualities: (bitratesKbps) => bitratesKbps.map((kbps) => kbps / 1000),
  mu: (bitratesKbps) => Math.max(...bitratesKbps) / 1000,
  meaning: (bitratesKbps) =>
    `q = bitrate in Mbit/s, µ = ${linear.mu(bitratesKbps)} (the top level in Mbit/s)`,
};

/** q = ln(R / R_min), µ = 2.66. The released code has 4.3 and R_max here; the paper's table is taken. */
const logarithmic: QoeModel = {
  id: 'log',
  label: 'logarithmic',
  paper: PENSIEVE,
  qualities(bitratesKbps) {
    const lowest = Math.min(...bitratesKbps);
    return bitratesKbps.map((kbps) => ln(kbps / lowest));
  },
  mu: () => 2.66,
  meaning: () => 'q = ln(bitrate / lowest bitrate), µ = 2.66',
};

/** The table of Pensieve's QoE_hd: kbit/s and q. */
const HD_POINTS = [
  [300, 1],
  [750, 2],
  [1200, 3],
  [1850, 12],
  [2850, 15],
  [4300, 20],
] as const;

/** q by table, favouring HD; µ = 8. Between the table's bitrates we interpolate, outside we keep its ends: our choice. */
const highDefinition: QoeModel = {
  id: 'hd',
  label: 'HD',
  paper: PENSIEVE,
  qualities: (bitratesKbps) => bitratesKbps.map(hdQuality),
  mu: () => 8,
  meaning: () => 'q = 1, 2, 3, 12, 15, 20 at 0.3, 0.75, 1.2, 1.85, 2.85, 4.3 Mbit/s, linear between, µ = 8',
};

function hdQuality(kbps: number): number {
  const above = HD_POINTS.findIndex(([pointKbps]) => kbps <= pointKbps);
  const [highKbps, highQuality] = HD_POINTS.at(above === -1 ? -1 : above)!;
  const [lowKbps, lowQuality] = HD_POINTS[above - 1] ?? [highKbps, highQuality];
  if (highKbps === lowKbps || above === -1) return highQuality;
  return lowQuality + ((highQuality - lowQuality) * (kbps - lowKbps)) / (highKbps - lowKbps);
}

export const qoeModels: readonly QoeModel[] = [linear, logarithmic, highDefinition];

/** QoE per segment, in the unit of q. Null when nothing was rendered. */
export function qoePerSegment(terms: QoeTerms, mu: number): number | null {
  if (terms.segments <= 0) return null;
  return (terms.quality - mu * terms.rebufferS - terms.variation) / terms.segments;
}

/** What is left of segments in order of play, a number for each stretch of play, after the first segment. */
export function withoutFirstSegment(segments: readonly number[]): number[] {
  let left = 1;
  return segments.map((count) => {
    const cut = Math.min(left, count);
    left -= cut;
    // A rounding error of the clock is no part of a segment.
    return count - cut > 1e-9 ? count - cut : 0;
  });
}
