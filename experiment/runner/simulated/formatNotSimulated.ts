import { groupBy } from '../../../src/shared/groupBy.ts';
import { simulatedProtocol, simulatedRule } from './simulatedSession.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { rulesOf } from '../../factors/rule.ts';
import { hasLoss } from '../../design/networks.ts';
import type { CampaignPlan, Network, PlannedSession } from '../../design/plan.ts';
import { notSimulated } from '../../../src/network/convertProfile.ts';
import { isUdpBlocked } from '../../../src/network/udpPath.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { isRacing } from '../../../src/telemetry/transportModes.ts';
import { formatTables } from '../campaignTable.ts';
import type { JudgedSession } from '../finishedSessions.ts';
import { formatVerdicts } from '../formatOutcome.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';

/**
 * What a simulated campaign leaves out of the lab's, a line each: people compare the two. `withoutLosses`: of logs of a
 * model that had neither random losses nor controllers.
 */
export function formatNotSimulated(
  { campaign, networks }: Pick<CampaignPlan, 'campaign' | 'networks'>,
  { withoutLosses = false }: { readonly withoutLosses?: boolean } = {},
): string {
  const { transports, steering } = campaign;
  const hasH3 = transports.some(isH3);
  // Without h3 nothing is sent over UDP; with steering a limit is a policer.
  const met = (profile: Network['profile']): Network['profile'] => ({
    ...(hasH3 ? profile : withoutNewPorts(profile)),
    ...((!hasH3 || steering) && { udp: [] }),
  });
  const standIns = rulesOf(campaign).filter((rule) => simulatedRule(rule) !== rule);
  const lines = [
    ...formatWithout(
      networks.map(({ name, profile }) => [
        name,
        notSimulated(met(profile), { hasQueue: true, hasLoss: !withoutLosses, hasUdp: true }).join(', '),
      ]),
    ),
    ...(withoutLosses ? sendersWithoutLosses(campaign) : formatSenders(campaign)),
    ...(withoutLosses ? [] : formatLosses(networks)),
    ...(hasH3 ? formatUdpLimits(networks, steering !== undefined) : []),
    ...formatSteering(campaign, networks),
    ...transports
      .filter(isRacing)
      .map((transport) => `${transport} plays as h3 from its first request: no discovery over h2, no races`),
    ...formatBrowsers(campaign),
    ...standIns.map((rule) => `${rule} is simulated by the rule ${simulatedRule(rule)}`),
  ];
  return lines.map((line) => `simulated: ${line}`).join('\n');
}

/** More networks than these are grouped: a line for each would bury the rest. */
const MAX_LINES = 20;

/** A line for each network, or for all of which the same is left out. */
function formatWithout(networks: readonly (readonly [name: string, what: string])[]): string[] {
  if (networks.length <= MAX_LINES) return networks.map(([name, what]) => `${name} without ${what}`);
  return [...groupBy(networks, ([, what]) => what)].map(([what, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${formatCount(others.length, 'other network')}` : '';
    return `${first![0]}${more} without ${what}`;
  });
}

const formatBrowsers = ({ browserProfile = 'cold' }: CampaignFile): string[] =>
  browserProfile === 'cold' ? [] : ['every browser is cold: no 0-RTT, no tickets'];

type Origin = Pick<CampaignFile, 'origin' | 'controllers'>;

const ALL_RENO =
  'transports differ in handshakes, headers and order of bodies; all senders use Reno with the initial window of the lab';

const sendersWithoutLosses = ({ origin }: Origin): string[] => [
  ALL_RENO,
  ...(origin === 'instrumented'
    ? ['controllers, windows, pacing and 0-RTT of the origin are not simulated']
    : []),
];

const formatSenders = ({ origin, controllers = ['cubic'] }: Origin): string[] =>
  origin === 'instrumented'
    ? [
        `transports differ in handshakes, headers, order of bodies, pacing and recovery; senders use ${controllers.join(', ')} with the initial window of the campaign; 0-RTT is not simulated`,
      ]
    : [ALL_RENO];

function formatLosses(networks: readonly Network[]): string[] {
  const shares = networks.flatMap(({ profile }) => (hasLoss(profile) ? [maxLoss(profile)] : []));
  if (shares.length === 0) return [];
  const isBurst = networks.some(({ profile }) => hasBursts(profile));
  const isAllBursts = networks.every(({ profile }) => !hasLoss(profile) || hasBursts(profile));
  return [
    ...(isAllBursts ? [] : [INDEPENDENT]),
    ...(isBurst ? [BURSTS] : []),
    ...MEASURED.filter(({ covers }) => shares.some(covers)).map(({ gap }) => gap),
  ];
}

const SAME_RATES =
  'with the seed of the pair: all arms of a pair have the same loss rates, not the same lost packets';
const INDEPENDENT = `packets are lost independently, ${SAME_RATES}; no bursts`;
const BURSTS = `bursts of loss are drawn for each connection, ${SAME_RATES}; handshakes and requests lose packets independently; it was not compared with the lab yet`;

const hasBursts = ({ steps }: Network['profile']): boolean => steps.some(({ gilbertDown }) => gilbertDown);

/** What the model of two pathways leaves out (docs/steering.md, "In the simulator"). */
function formatSteering(
  { steering, transports }: Pick<CampaignFile, 'steering' | 'transports'>,
  networks: readonly Network[],
): string[] {
  if (!steering) return [];
  const meetsBlock = transports.some(isH3) && networks.some(({ profile }) => isUdpBlocked(profile));
  return [
    'steering: no request fails, and what is in flight of an aborted body is gone at once',
    ...(meetsBlock
      ? [
          'steering: a block of UDP makes h3 wait until its end: the browser does not close the connection and does not change to h2 by itself',
        ]
      : []),
  ];
}

const withoutNewPorts = (profile: Network['profile']): Network['profile'] => ({
  ...profile,
  steps: profile.steps.map((step) => ({ ...step, newUdpPorts: false })),
});

function formatUdpLimits(networks: readonly Network[], isSteered: boolean): string[] {
  const limits = networks.flatMap(({ profile: { udp = [] } }) => udp);
  const isQueue = ({ queueMs }: (typeof limits)[number]): boolean => queueMs !== undefined;
  return [
    ...(limits.every(isQueue) ? [] : [isSteered ? UDP_POLICER : UDP_LIMIT]),
    ...(limits.some(isQueue) ? [UDP_QUEUE] : []),
  ];
}

const isH3 = (transport: CampaignFile['transports'][number]): boolean =>
  simulatedProtocol(transport) === 'h3';

/** How far the model was from the lab behind a limit of UDP (research/parity.md, "A limit of UDP"). */
const UDP_LIMIT =
  'a limit of UDP is a slow path with a short queue: with 64 kbit/s, bitrates were within 2 % of the lab, but h3 stalled for 24 % of the time instead of 32 to 34 % (docs/simulator.md)';

/** It was not compared with the lab yet. */
const UDP_QUEUE =
  'a limit of UDP that queues is a path of its rate with its queue (docs/networks.md), which was not compared with the lab yet';

/** With steering; it was not compared with the lab yet. */
const UDP_POLICER =
  'a limit of UDP lets its burst pass and then its rate; what it drops is not sent again (docs/steering.md)';

const maxLoss = ({ steps }: Network['profile']): number =>
  Math.max(...steps.flatMap(({ lossDown, lossUp }) => [lossDown, lossUp]));

/** Above the losses of the thesis' "typical" networks. */
const LARGE_LOSS = 0.002;

/** How far the model was from the lab, by the losses of the network (research/parity.md, "Random loss"). */
const MEASURED: readonly { readonly covers: (share: number) => boolean; readonly gap: string }[] = [
  {
    covers: (share) => share <= LARGE_LOSS,
    gap: 'with losses up to 0.12 %, the mean bitrate of an arm (rule sara) was within 1 % of the lab (docs/simulator.md)',
  },
  {
    covers: (share) => share > LARGE_LOSS,
    gap: 'with losses of 0.1 to 10 %, the mean bitrate of an arm (rule sara, Cubic) was within 6 % of the lab over ten pairs; with 1 % (rule throughput), within 8 % over five. Of cells of three sessions (four rules), 22 of 24 were within 5 % of bitrate and 1 s of stalls per minute at round trips up to 100 ms, 3 of 24 at 200 to 600 ms (docs/simulator.md)',
  },
];

/** Whether the logs of a plan come from a model without random losses and controllers; `settingsOf`: null without a log. */
export function isWithoutLosses(
  { campaign, networks, sessions }: CampaignPlan,
  settingsOf: (session: PlannedSession) => SessionLog['environment']['settings'],
): boolean {
  const lossy = new Set(networks.filter(({ profile }) => hasLoss(profile)).map(({ name }) => name));
  for (const session of sessions) {
    if (campaign.origin !== 'instrumented' && !lossy.has(session.link?.network ?? '')) continue;
    const settings = settingsOf(session);
    if (settings) return !('sender.lossSeed' in settings || 'sender.instrumented' in settings);
  }
  return false;
}

interface Asked {
  readonly metrics: readonly Metric[];
  /** Whether the logs are of a model without random losses and controllers; absent: false. */
  readonly withoutLosses?: boolean;
}

/** Formats what a simulated campaign leaves out, its table and its verdicts: the same from logs and from rows. */
export const formatSimulated = (
  plan: CampaignPlan,
  finished: ReadonlyMap<string, JudgedSession>,
  { metrics, withoutLosses = false }: Asked,
): string =>
  [
    formatNotSimulated(plan, { withoutLosses }),
    ...formatTables(plan, finished, metrics),
    formatVerdicts(plan, finished),
  ].join('\n');
