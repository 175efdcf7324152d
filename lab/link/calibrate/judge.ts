import { median } from '../../../src/shared/median.ts';
import type { CalibrationCase, Figures } from './calibrationCase.ts';

/** One figure against what was asked. */
export interface Verdict {
  readonly quantity: 'udp-rate' | 'tcp-rate' | 'rtt' | 'loss' | 'queue';
  readonly direction: 'down' | 'up' | 'round';
  readonly unit: 'kbit/s' | 'ms' | 'share' | 'packets';
  readonly asked: number;
  /** null when too little came to tell. */
  readonly measured: number | null;
  readonly within: boolean;
  /** Exact, two-sided; of loss alone. */
  readonly p: number | null;
}

/** Share of the rate, and ms, by which a link may be off. */
const RATE_TOLERANCE = 0.03;
const RTT_TOLERANCE_MS = 3;
/** One packet may be in transmission, the arrival of another be reported late. */
const QUEUE_TOLERANCE_PACKETS = 2;

/** `alpha` is that of one loss test: the family's divided by the number of tests (Bonferroni). */
export function judge(asked: CalibrationCase, figures: Figures, alpha: number): Verdict[] {
  const ways = ['down', 'up'] as const;
  return [
    ...ways.map((way) => rateVerdict('udp-rate', way, asked.rateKbps, figures.udpKbps[way])),
    ...(asked.loss > 0
      ? []
      : [rateVerdict('tcp-rate', 'down', asked.rateKbps, Object.values(figures.tcpKbps)[0] ?? null)]),
    rttVerdict(asked, figures),
    ...ways.map((way) => lossVerdict(way, asked, { ...figures.loss[way], alpha })),
    ...ways.map((way) => queueVerdict(way, asked, figures.queuePackets[way])),
  ];
}

function rateVerdict(
  quantity: 'udp-rate' | 'tcp-rate',
  direction: 'down' | 'up',
  asked: number,
  measured: number | null,
): Verdict {
  const within = measured !== null && Math.abs(measured - asked) <= RATE_TOLERANCE * asked;
  return { quantity, direction, unit: 'kbit/s', asked, measured, within, p: null };
}

function rttVerdict({ rttMs: asked }: CalibrationCase, { rttMs }: Figures): Verdict {
  const measured = median(rttMs.filter((each) => each !== null));
  const within = measured !== null && Math.abs(measured - asked) <= RTT_TOLERANCE_MS;
  return { quantity: 'rtt', direction: 'round', unit: 'ms', asked, measured, within, p: null };
}

function lossVerdict(
  direction: 'down' | 'up',
  { loss: asked }: CalibrationCase,
  { sent, lost, alpha }: { sent: number; lost: number; alpha: number },
): Verdict {
  const about = { quantity: 'loss', direction, unit: 'share', asked } as const;
  if (sent === 0) return { ...about, measured: null, within: false, p: null };
  const p = binomialP({ hits: lost, trials: sent, chance: asked });
  return { ...about, measured: lost / sent, within: p >= alpha, p };
}

function queueVerdict(
  direction: 'down' | 'up',
  { queuePackets: asked, loss }: CalibrationCase,
  measured: number | null,
): Verdict {
  // Drained packets are counted where they arrive, behind the loss: its mean, and three standard deviations about it.
  const spread = 3 * Math.sqrt(asked * loss * (1 - loss));
  const off = measured === null ? null : measured - asked * (1 - loss);
  const within = off !== null && Math.abs(off) <= QUEUE_TOLERANCE_PACKETS + spread;
  return { quantity: 'queue', direction, unit: 'packets', asked, measured, within, p: null };
}

/**
 * Exact two-sided p-value of seeing `hits` among `trials` when each is a hit with probability `chance`: twice the
 * smaller tail, at most 1 (the test that Clopper and Pearson 1934 invert).
 */
export function binomialP({
  hits,
  trials,
  chance,
}: {
  hits: number;
  trials: number;
  chance: number;
}): number {
  if (chance <= 0) return hits === 0 ? 1 : 0;
  if (chance >= 1) return hits === trials ? 1 : 0;
  // From the observed count outwards, until nothing more is added: the tail on the near side of the mean is 1 − the other.
  const atHits = Math.exp(logChanceOf(hits, trials, chance));
  const odds = chance / (1 - chance);
  let below = 0;
  for (let k = hits, each = atHits; k >= 0 && each > below * TINY; k -= 1) {
    below += each;
    each *= k / ((trials - k + 1) * odds);
  }
  let above = 0;
  for (let k = hits, each = atHits; k <= trials && each > above * TINY; k += 1) {
    above += each;
    each *= ((trials - k) * odds) / (k + 1);
  }
  return Math.min(1, 2 * Math.min(below, above));
}

const TINY = 1e-17;

function logChanceOf(hits: number, trials: number, chance: number): number {
  return logChoose(trials, hits) + hits * Math.log(chance) + (trials - hits) * Math.log1p(-chance);
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let at = 1; at <= Math.min(k, n - k); at += 1) sum += Math.log((n - at + 1) / at);
  return sum;
}
