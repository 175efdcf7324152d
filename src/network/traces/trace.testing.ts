import type { Result } from '../../shared/result.ts';
import type { RateTrace } from '../rateTrace.ts';

/** A trace as a test writes it: `[endMs, rateKbps]` of each piece; with the RTT where it is known. Throws an error. */
export function piecesOf(read: Result<RateTrace>): number[][] {
  if (!read.ok) throw new Error(read.error);
  const { endMs, rateKbps, rttMs } = read.value;
  return [...endMs].map((end, piece) => [end, rateKbps[piece]!, ...(rttMs ? [rttMs[piece]!] : [])]);
}

/** The sentence of a refusal; throws when there is none. */
export function errorOf(read: Result<RateTrace>): string {
  if (read.ok) throw new Error('read without an error');
  return read.error;
}
