import { CAMPAIGN_SCHEMA, type CampaignFile } from '../../design/campaignFile.ts';
import { drawNetworks } from '../../design/drawnNetworks.ts';
import { isAaSession } from '../../factors/arms.ts';
import type { Network, PlannedSession } from '../../design/plan.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary } from '../sessionSummary.ts';

/**
 * A made-up campaign for tests, with a session for everything that is planned. Unless said otherwise a session knows
 * nothing: no value, window or latency.
 */
export function exampleSource(
  changes: Partial<CampaignFile> = {},
  summaryOf: (planned: PlannedSession, index: number) => Partial<SessionSummary> | null = () => ({}),
): ReportSource {
  const campaign = { ...CAMPAIGN, ...changes };
  const networks = campaign.profiles.flatMap((entry) =>
    typeof entry === 'string' ? [exampleNetwork(entry)] : drawNetworks(entry, campaign.seeds),
  );
  const planned = planCampaign(campaign, networks);
  if (!planned.ok) throw new Error(planned.error);
  const plan = planned.value;
  const sessions = plan.sessions.flatMap((session, index) => {
    const notes = summaryOf(session, index);
    return notes ? [{ ...silentSummary(session), ...notes }] : [];
  });
  return {
    plan,
    sessions: sessions.filter((each) => !isAaSession(each)),
    aaSessions: sessions.filter(isAaSession),
    flagged: [],
    outcomes: [],
    notes: [],
  };
}

const CAMPAIGN: CampaignFile = {
  schema: CAMPAIGN_SCHEMA,
  name: 'synthetic-figures',
  rules: ['throughput'],
  transports: ['h2', 'h3-only'],
  profiles: [],
  contents: ['demo'],
  repeats: 1,
  seeds: [1],
  seconds: 60,
  leadInSeconds: 0,
  phase: 'start',
  preset: 'paper',
  primary: 'mean-bitrate',
  margin: 50,
  alpha: 0.05,
  compare: 'transports',
  per: 'campaign',
};

/** Its rate is what its name ends with, kbit/s, and its round-trip time a hundredth of that. */
function exampleNetwork(name: string): Network {
  const downKbps = Number(/(?<!\d)\d+$/.exec(name)?.[0] ?? 1000);
  const step = { durationMs: 1000, downKbps, upKbps: null, rttMs: downKbps / 100, lossDown: 0, lossUp: 0 };
  const queue = { kind: 'droptail', packets: 100 } as const;
  return { name, profile: { id: name, label: name, paper: 'synthetic', steps: [step], repeat: true, queue } };
}

const silentSummary = ({ id, rule, transport, content, link, design }: PlannedSession): SessionSummary => ({
  id,
  rule,
  transport,
  content,
  network: link?.network ?? null,
  design,
  values: {},
  errors: {},
  parts: {},
  windows: [],
  latencyMs: { video: [], audio: [] },
  requests: { video: 0, audio: 0 },
  lengthMs: 60_000,
  hasPlayed: true,
  gaveUp: false,
  flags: [],
  startedAtUnixMs: 0,
  playbackHash: null,
  environment: exampleLog().environment,
});
