import type { Network, CampaignPlan } from '../../design/plan.ts';
import type { SessionSummary } from '../sessionSummary.ts';

/** Mean downlink rate of a network over its steps, kbit/s; null where a step has no limit. */
export function networkRate({ profile }: Network): number | null {
  let [kbit, lengthMs] = [0, 0];
  for (const { durationMs, downKbps } of profile.steps) {
    if (downKbps === null) return null;
    kbit += (downKbps * durationMs) / 1000;
    lengthMs += durationMs;
  }
  return lengthMs > 0 ? (1000 * kbit) / lengthMs : null;
}

/** The least round-trip time of each network without queueing, ms: what its sessions' minimum cannot be below. */
export const networkRtts = ({ networks }: Pick<CampaignPlan, 'networks'>): ReadonlyMap<string, number> =>
  new Map(
    networks.map(({ name, profile }) => [
      name,
      profile.steps.reduce((min, { rttMs }) => Math.min(min, rttMs), Infinity),
    ]),
  );

/** Sessions of networks about as fast as each other. */
export interface RateBin {
  /** Mean over the networks, kbit/s. */
  readonly rateKbps: number;
  readonly has: (session: Pick<SessionSummary, 'network'>) => boolean;
}

/** More points on a line than this are hard to follow. */
const MAX_BINS = 9;

/** The networks by their rates, ascending: one bin for each different rate, or bins of about as many networks each. */
export function rateBins(rates: ReadonlyMap<string, number>): RateBin[] {
  const different = [...new Set(rates.values())].sort((a, b) => a - b);
  const bins = Math.min(MAX_BINS, different.length);
  return Array.from({ length: bins }, (_, bin) => {
    const mine = different.slice(
      Math.floor((bin * different.length) / bins),
      Math.floor(((bin + 1) * different.length) / bins),
    );
    return {
      rateKbps: mine.reduce((sum, rate) => sum + rate, 0) / mine.length,
      has: ({ network }) => network !== null && mine.includes(rates.get(network) ?? NaN),
    };
  });
}
