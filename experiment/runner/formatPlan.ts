import { formatMargin, marginOf } from '../verdict/margin.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import {
  formatDuration,
  OVERHEAD_MS,
  visitMs,
  campaignDuration,
  WEEK_MS,
} from '../design/campaignDuration.ts';
import type { CampaignPlan, MadeContent } from '../design/plan.ts';
import { formatVariant, sessionsToPlay } from '../design/variants.ts';
import { formatScope, scopeCaution } from '../verdict/scope.ts';
import { armCount, factorsOf, isAaSession } from '../factors/arms.ts';
import { plannedPower } from '../verdict/rowPower.ts';
import { unitsOfVariant } from '../verdict/survival.ts';
import { verdictReach } from '../verdict/verdictReach.ts';
import { pick } from '../../src/shared/registry.ts';
import { decimalsOf, formatCount, formatNumber, formatUnit } from '../../src/shared/format.ts';
import { instrumentedOf, type PlannedOrigin } from './instrumentedPlan.ts';
import { FAIRNESS } from '../../lab/link/fairness.ts';
import type { TlsRecords } from '../design/campaignFile.ts';
import { sendersOf } from '../factors/sendersOf.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { tools } from '../../lab/tools.ts';

/**
 * Formats what a campaign is going to do, how long that takes, and whether a verdict can come of it. `workers` are the pairs at
 * once in the lab; in the simulator nothing takes the time of its sessions. `spread` is the stated standard deviation of a
 * pair's difference, in the unit of the margin.
 */
export const formatDryRun = (
  plan: CampaignPlan,
  workers: number | 'simulated',
  spread: number | null = null,
): string =>
  [
    formatSize(plan),
    ...(workers === 'simulated' ? [] : [formatTime(plan, workers)]),
    ...formatVariants(plan),
    ...formatBlocks(plan),
    ...formatContent(plan),
    formatOrder(plan),
    ...formatViewer(plan),
    formatReach(plan),
    ...formatPlannedPower(plan, spread),
    ...formatPlannedScope(plan),
  ].join('\n');

function formatSize({ campaign, networks, sessions }: CampaignPlan): string {
  const { name, transfers, contents, repeats, seeds } = campaign;
  const declared = factorsOf(campaign);
  const product = [
    ...declared.map(({ factor, values }) => formatCount(values.length, ...factor.words.counted)),
    networks.length > 0 ? counted(networks, 'profile') : 'no emulated link',
    ...(transfers ? [] : [counted(contents, 'content')]),
    formatCount(repeats, 'repeat'),
    counted(seeds, 'seed'),
  ];
  const aa = sessions.filter(isAaSession).length;
  const all = declared.reduce((count, { values }) => count * values.length, 1);
  const skipped = all - armCount(campaign);
  const why = declared.flatMap(({ factor }) => factor.impossible?.why ?? []).join(' or ');
  const fewer = skipped === 0 ? '' : ` − ${formatCount(skipped, 'arm')} ${why}`;
  const more = aa === 0 ? '' : ` + ${formatCount(aa, 'A/A session')}`;
  return `${name}: ${product.join(' × ')}${fewer}${more} = ${formatCount(sessions.length, 'session')}`;
}

function formatTime(plan: CampaignPlan, workers: number): string {
  const { pairs, arms, sessionMs, atOnce, again, totalMs } = campaignDuration(plan, workers);
  const { seconds, leadInSeconds } = plan.campaign;
  const long = totalMs >= WEEK_MS ? '; a week or more, which needs --long' : '';
  const leadIn = plan.networks.length > 0 ? `${leadInSeconds} s lead-in + ` : '';
  const visit = visitMs(plan.campaign) > 0 ? `${visitMs(plan.campaign) / 1000} s visit + ` : '';
  const upTo = plan.campaign.transfers ? 'at most ' : '';
  const more =
    again.pairs === 0
      ? ''
      : ` + ⌈${again.pairs} ÷ ${again.atOnce}⌉ × ${formatCount(again.arms, 'arm')} × ${sessionMs / 1000} s for the pairs that are played again`;
  return `${formatDuration(totalMs)} with ${formatCount(atOnce, 'pair')} at once: ⌈${pairs} ÷ ${atOnce}⌉ × ${formatCount(arms, plan.campaign.aaSessions === true ? 'session' : 'arm')} × ${sessionMs / 1000} s (${leadIn}${visit}${upTo}${seconds} s + ${OVERHEAD_MS / 1000} s to start and end)${more}${long}`;
}

/** Formats a line for each variant: how many pairs are played again, and whether they can tell anything. */
function formatVariants({ campaign, variants = [] }: CampaignPlan): string[] {
  const { pairsNeeded, unit, comparisons } = verdictReach(campaign);
  return variants.map((variant) => {
    const enough =
      unitsOfVariant(variant, campaign) >= pairsNeeded
        ? ''
        : `; it cannot tell anything, because a verdict needs ${formatCount(pairsNeeded, unit)}${comparisons === 1 ? '' : ' in each comparison'}`;
    return `with ${formatVariant(variant)}: ${formatCount(variant.pairs.length, 'pair')} again = ${formatCount(variant.sessions.length, 'session')} more${enough}`;
  });
}

/** Formats how many sessions each block has, where there are blocks. */
function formatBlocks(plan: CampaignPlan): string[] {
  const { blocks } = plan.campaign;
  if (blocks === undefined) return [];
  const counts = Array.from({ length: blocks }, (_, index) => {
    const count = sessionsToPlay(plan).filter(({ design }) => design.block === index + 1).length;
    return `${formatCount(count, 'session')} with --block ${index + 1}`;
  });
  return [`${blocks} blocks, best on different days: ${counts.join(', ')}`];
}

function formatOrder({ sessions }: CampaignPlan): string {
  const pair = sessions[0]?.design.pair;
  const arms = sessions.filter(({ design }) => design.pair === pair).map(({ design }) => design.arm);
  return `first pair, ${pair}: ${arms.join(', ')}`;
}

/** Formats the steps of the first pair: where times are drawn, others have other times. */
function formatViewer({ campaign, sessions }: CampaignPlan): string[] {
  const [first] = sessions;
  if (campaign.viewer === undefined || first?.viewer === undefined) return [];
  const drawn = campaign.viewer === first.viewer ? '' : `, drawn from ${campaign.viewer}`;
  return [`viewer of the first pair: ${first.viewer}${drawn}`];
}

/** Says whether a verdict is possible. A design that cannot reach significance gets none, whatever its sessions show. */
export function formatReach({ campaign }: Pick<CampaignPlan, 'campaign'>): string {
  const { label, unit: metricUnit, better } = pick(metrics, campaign.primary);
  const reach = verdictReach(campaign);
  const { comparisons, pairs, unit, units, pairsNeeded, smallestP, isWithinReach } = reach;
  const judged = `${label}, ${better} is better, margin ${formatMargin(marginOf(campaign), metricUnit)}`;
  const of = units === pairs ? '' : ` (${formatCount(pairs, 'pair')})`;
  const design = `${formatCount(comparisons, 'comparison')} of ${formatCount(units, unit)}${of} each: the smallest p after Holm is ${comparisons} × 2^(1−${units}) = ${Number(smallestP.toPrecision(2))}`;
  return isWithinReach
    ? `verdict on ${judged}: possible. ${design}, below alpha ${campaign.alpha}`
    : `no verdict on ${judged}: ${design}, not below alpha ${campaign.alpha}; at least ${formatCount(pairsNeeded, unit)} are needed`;
}

/** Formats the chance to find a difference as large as the margin, or up to which spread it is 80 %. */
function formatPlannedPower({ campaign }: CampaignPlan, spread: number | null): string[] {
  if (!verdictReach(campaign).isWithinReach) return [];
  const { unit } = pick(metrics, campaign.primary);
  const { unit: counted } = verdictReach(campaign);
  const margin = marginOf(campaign);
  const inUnit = (value: number): string =>
    `${formatNumber(value, decimalsOf(null, value))}${margin.isPercent ? ' %' : formatUnit(unit)}`;
  const { maxDeviation, chance } = plannedPower(campaign, spread);
  const found = `a difference of ${formatMargin(margin, unit)}`;
  const noise = `the differences of ${counted}s are normal with a standard deviation of`;
  const stated =
    chance === null
      ? []
      : [
          `power: ${found} is found with a chance of ${Math.round(100 * chance)} %, if ${noise} ${inUnit(spread!)}`,
        ];
  const known =
    maxDeviation === null
      ? []
      : [
          `power: ${found} is found with a chance of 80 %, if ${noise} at most ${inUnit(maxDeviation)}${spread === null ? '. No spread is stated (--spread)' : ''}`,
        ];
  return [...stated, ...known];
}

/** Says what a verdict would be about, and where pairs may be taken for more than they are. */
function formatPlannedScope(plan: CampaignPlan): string[] {
  const caution = scopeCaution(plan);
  return [`about ${formatScope(plan)}`, ...(caution === null ? [] : [caution])];
}

const counted = (list: readonly unknown[], what: string): string => formatCount(list.length, what);

/** Says, for the table of a campaign, what of senders and players is alike, and what is not; a line each. */
export const formatFairness = (plan: PlannedOrigin): string[] => [
  ...formatSenders(plan),
  ...(plan.campaign.players?.some((name) => name !== 'dashjs') ? [PLAYERS_DIFFER] : []),
];

const PLAYERS_DIFFER =
  'players have their own buffers and settings: presets are of dash.js alone. A bitrate of hls.js is the measured mean of a level with its sound, one of dash.js and Shaka what the MPD says of the video';

/** Says what of TCP's and QUIC's senders is alike. */
function formatSenders(plan: PlannedOrigin): string[] {
  const { campaign } = plan;
  const instrumented = instrumentedOf(plan);
  const hasLink = campaign.profiles.length > 0;
  if (!instrumented) return hasLink ? [FAIRNESS] : [];
  const { controllers = ['cubic'] } = campaign;
  const unequal = controllers.filter((text) => !isEqual(text));
  const equal = controllers.filter(isEqual);
  const window = hasLink
    ? `initial window of ${instrumented.initialWindowPackets} packets`
    : "the initial window is set for QUIC only; TCP uses that of the machine's routes";
  const pacing = instrumented.tcpPacing ? 'both paced' : 'QUIC paced, TCP only under bbr';
  const { tlsRecords } = instrumented;
  return [
    ...(equal.length > 0
      ? [
          `same congestion controller: TCP (the kernel) and QUIC (quinn) both use ${equal.join(', ')}, ${window}, ${pacing}`,
        ]
      : []),
    ...unequal.map((text) => `different congestion controllers: ${text}, ${window}, ${pacing}`),
    `remaining differences: acknowledgements and loss detection of each protocol, first packets of 1448 and 1200 bytes of data${differences(controllers)}${RECORDS[tlsRecords]}`,
  ];
}

/** What TLS over TCP does to the first byte of a response. */
const RECORDS: Readonly<Record<TlsRecords, string>> = {
  dynamic:
    '. The first byte of one response is alike: TLS records over TCP begin with one packet. Beside another one over the same connection it is not: over h2 it waits for up to 56 KiB of that which nobody has sent yet',
  '16k':
    '. The first byte is not alike: TLS records over TCP are as large as possible, and headers wait for a whole one',
};

function isEqual(text: string): boolean {
  const senders = sendersOf(text);
  if (!senders.ok) return false;
  const { tcp, quic, emulatedConnections, maxWindowPackets } = senders.value;
  return tcp === quic && emulatedConnections === null && maxWindowPackets === null;
}

/** Says how the kernel's implementation of a controller and quinn's differ. */
const differences = (controllers: readonly string[]): string =>
  [
    ['cubic', "; the kernel's Cubic leaves slow start early (HyStart), quinn's does not"],
    [
      'bbr',
      "; the kernel's BBR is version 1, quinn's is experimental and floods a full queue (docs/methodology.md)",
    ],
  ]
    .filter(([family]) => controllers.some((text) => text.includes(family!)))
    .map(([, words]) => words)
    .join('');

/** Time of ffmpeg, ms, on two cores with nothing else to do. `SEGMENT_MS` is the time to write one segment. */
const ENCODE_MS = 1500;
const SEGMENT_MS = 0.4;

/** Formats a line for each stream that is made for a campaign: what it is, and whether it has to be made yet. */
export const formatContent = ({ contents = [] }: Pick<CampaignPlan, 'contents'>): string[] =>
  contents.map((content) => `${content.name}: ${formatStream(content)}; ${formatMaking(content)}`);

function formatStream({ segments, segmentSeconds, ladderKbps, audioKbps, live }: MadeContent): string {
  const long = formatDuration(segments * segmentSeconds * 1000);
  const sound = audioKbps === null ? 'no audio' : `audio of ${audioKbps} kbit/s`;
  const kind = live === 'low-latency' ? 'live in chunks, ' : 'live, ';
  const repeated = live ? `${kind}${long}, repeated,` : long;
  return `${repeated} in segments of ${segmentSeconds} s, ${ladderKbps.join(', ')} kbit/s, ${sound}`;
}

function formatMaking({ folder, segments, ladderKbps, audioKbps }: MadeContent): string {
  if (isInCache(folder)) return 'in the cache';
  const tracks = ladderKbps.length + (audioKbps === null ? 0 : 1);
  return `must be made first, in about ${formatDuration(ENCODE_MS + tracks * segments * SEGMENT_MS)}`;
}

/** Returns whether a stream is in the cache. A plan can be made where set-up has not run. */
function isInCache(folder: string): boolean {
  try {
    const { cacheFolder } = tools();
    return cacheFolder !== null && existsSync(path.join(cacheFolder, 'content', folder));
  } catch {
    return false;
  }
}
