import type { Profile } from '../../../src/network/profile.ts';
import { INTERVAL_MS } from './codelQueue.ts';

/** A link whose queue is managed by CoDel, and a steady load above its rate, both ways. */
export interface CodelCase {
  readonly rateKbps: number;
  readonly rttMs: number;
  /** Times the rate. */
  readonly load: number;
  readonly limitPackets: number;
  /** How long the load lasts. */
  readonly loadMs: number;
}

export const PACKET_BYTES = 1500;
/** A load lasts so much longer than CoDel's law needs. */
const LASTING = 1.25;
/** The queue's limit, in highest queues that the law allows: nothing is lost at the tail. */
const HEADROOM = 1.5;

/**
 * The law: the k-th drop comes INTERVAL ÷ √k after the one before, so that after a time t there were (t ÷ 2 INTERVAL)².
 * With E packets too many a second the queue is E × t less that: at most (E × INTERVAL)², and gone after 4 × INTERVAL² × E.
 */
export function codelCase(rateKbps: number, rttMs: number, load: number): CodelCase {
  const tooManyPerMs = (load - 1) / packetMsOf({ rateKbps });
  const peakPackets = (tooManyPerMs * INTERVAL_MS) ** 2;
  const goneAfterMs = 4 * INTERVAL_MS ** 2 * tooManyPerMs;
  return {
    ...{ rateKbps, rttMs, load },
    limitPackets: Math.ceil(HEADROOM * peakPackets),
    loadMs: Math.ceil(LASTING * goneAfterMs),
  };
}

export const packetMsOf = ({ rateKbps }: Pick<CodelCase, 'rateKbps'>): number =>
  (PACKET_BYTES * 8) / rateKbps;

export const codelCaseName = ({ rateKbps, rttMs, load }: CodelCase): string =>
  `${rateKbps / 1000} Mbit/s, ${rttMs} ms, load ${load}`;

/** The link of a case, with either queue of the same length. */
export function codelProfile(asked: CodelCase, kind: 'droptail' | 'codel'): Profile {
  const { rateKbps, rttMs, limitPackets } = asked;
  const both = { downKbps: rateKbps, upKbps: rateKbps, lossDown: 0, lossUp: 0 };
  return {
    id: 'calibration',
    label: `${codelCaseName(asked)}, ${kind}`,
    paper: 'none: a link to be measured',
    steps: [{ durationMs: 3_600_000, rttMs, ...both }],
    repeat: false,
    queue: { kind, packets: limitPackets },
  };
}
