import type { CampaignFile, TlsRecords } from '../design/campaignFile.ts';
import type { CampaignPlan, PlanHead } from '../design/plan.ts';
import type { InstrumentedPlan } from '../session/plan.ts';

type OriginFields = Pick<CampaignFile, 'origin' | 'initialWindowPackets' | 'tcpPacing' | 'zeroRtt'>;

const TLS_RECORDS = 'dynamic';

/** As most servers begin (RFC 6928, RFC 9002 §7.2). */
const INITIAL_WINDOW_PACKETS = 10;

/** The start options of a campaign's instrumented origin; undefined for Caddy. */
const instrumentedPlan = (
  campaign: OriginFields,
  tlsRecords: TlsRecords = TLS_RECORDS,
): InstrumentedPlan | undefined =>
  campaign.origin === 'instrumented'
    ? {
        initialWindowPackets: campaign.initialWindowPackets ?? INITIAL_WINDOW_PACKETS,
        tcpPacing: campaign.tcpPacing ?? true,
        tlsRecords,
        zeroRtt: campaign.zeroRtt ?? false,
      }
    : undefined;

/** A plan for the lab names what its origin does by default: a later default must not continue it. */
export const labPlan = <Plan extends PlanHead>(plan: Plan): Plan =>
  plan.campaign.origin === 'instrumented'
    ? { ...plan, tlsRecords: plan.campaign.tlsRecords ?? TLS_RECORDS }
    : plan;

export type PlannedOrigin = Pick<CampaignPlan, 'campaign' | 'tlsRecords'>;

/** The start options of a plan's instrumented origin. Before plans named their TLS records, these had 16 KiB. */
export const instrumentedOf = ({ campaign, tlsRecords }: PlannedOrigin): InstrumentedPlan | undefined =>
  instrumentedPlan(campaign, tlsRecords ?? '16k');
