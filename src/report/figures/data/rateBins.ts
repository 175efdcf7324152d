import type { SessionSummary } from '../../sessionSummary.ts';

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
