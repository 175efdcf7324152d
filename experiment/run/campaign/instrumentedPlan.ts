import type { InstrumentedPlan } from '../play/plan.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';

type OriginFields = Pick<CampaignFile, 'origin' | 'initialWindowPackets' | 'tcpPacing' | 'zeroRtt'>;

/** As most servers begin (RFC 6928, RFC 9002 §7.2). */
const INITIAL_WINDOW_PACKETS = 10;

/** The start options of a campaign's instrumented origin; undefined for Caddy. */
export const instrumentedPlan = (campaign: OriginFields): InstrumentedPlan | undefined =>
  campaign.origin === 'instrumented'
    ? {
        initialWindowPackets: campaign.initialWindowPackets ?? INITIAL_WINDOW_PACKETS,
        tcpPacing: campaign.tcpPacing ?? true,
        zeroRtt: campaign.zeroRtt ?? false,
      }
    : undefined;
