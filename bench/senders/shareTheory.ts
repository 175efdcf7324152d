/**
 * What share of a bottleneck one sender that stands for N (mulTCP on CUBIC: lab/origin/src/congestion/cubic_window.rs) takes
 * beside one CUBIC flow with the same round trip, by the mean windows of RFC 9438. 0 to 1. There are four answers, because
 * theory does not say which of the two regions rules nor whom a full queue hits.
 */
export interface ShareTheory {
  /** N/(N + 1): what is wanted. */
  readonly wanted: number;
  /** Reno-friendly region, every packet as likely to be lost as any other: the formula's own design point. */
  readonly friendlyEvenLoss: number;
  /** Reno-friendly region, every overflow of the queue hits both. */
  readonly friendlyCommonLoss: number;
  /** Cubic region, every packet as likely to be lost as any other. */
  readonly cubicEvenLoss: number;
  /** Cubic region, every overflow hits both. */
  readonly cubicCommonLoss: number;
}

const BETA = 0.7;

export function shareTheory(connections: number): ShareTheory {
  const [many, one] = [senderOf(connections), senderOf(1)];
  const share = (meanWindow: (sender: EmulatedSender) => number): number =>
    meanWindow(many) / (meanWindow(many) + meanWindow(one));
  return {
    wanted: connections / (connections + 1),
    friendlyEvenLoss: share(friendlyEvenLoss),
    friendlyCommonLoss: share(friendlyCommonLoss),
    cubicEvenLoss: share(cubicEvenLoss),
    cubicCommonLoss: share(cubicCommonLoss),
  };
}

interface EmulatedSender {
  readonly beta: number;
  readonly alpha: number;
}

function senderOf(connections: number): EmulatedSender {
  const beta = (connections - 1 + BETA) / connections;
  return { beta, alpha: (3 * connections ** 2 * (1 - beta)) / (1 + beta) };
}

/** Additive increase α and decrease β at loss rate p: √(α (1 + β) / (2 (1 − β) p)) (RFC 9438 §4.3, its reference [FHP00]). */
const friendlyEvenLoss = ({ alpha, beta }: EmulatedSender): number =>
  Math.sqrt((alpha * (1 + beta)) / (2 * (1 - beta)));

/** α T packets are won between losses T round trips apart, and (1 − β) of the maximum lost: the mean lies between. */
const friendlyCommonLoss = ({ alpha, beta }: EmulatedSender): number =>
  (alpha * (1 + beta)) / (2 * (1 - beta));

/** RFC 9438 §5.1, figure 5: the fourth root of C (3 + β) / (4 (1 − β)), times what both share. */
const cubicEvenLoss = ({ beta }: EmulatedSender): number => ((3 + beta) / (4 * (1 - beta))) ** 0.25;

/** W_max (1 − β) = C K³ with the same K; the mean of the cubic over [0, K] is W_max − C K³ / 4. */
const cubicCommonLoss = ({ beta }: EmulatedSender): number => 1 / (1 - beta) - 0.25;
