import type { InstrumentedPlan } from '../../../e2e/compare/plan.ts';
import type { CampaignFile } from '../../../src/campaign/campaignFile.ts';

type Told = Pick<CampaignFile, 'origin' | 'initialWindowPackets' | 'tcpPacing' | 'zeroRtt'>;

/** As most servers begin (RFC 6928, RFC 9002 §7.2). */
const INITIAL_WINDOW_PACKETS = 10;

/** How a campaign's origin is started when it is the one that speaks; undefined for Caddy. */
export const instrumentedPlan = (told: Told): InstrumentedPlan | undefined =>
  told.origin === 'speaking'
    ? {
        initialWindowPackets: told.initialWindowPackets ?? INITIAL_WINDOW_PACKETS,
        tcpPacing: told.tcpPacing ?? true,
        zeroRtt: told.zeroRtt ?? false,
      }
    : undefined;
