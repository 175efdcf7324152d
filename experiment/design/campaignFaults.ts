import type { CampaignFile } from './campaignFile.ts';
import { isLive, liveContent, MPD_ADDRESS, PADDED, paddedContent, paddedSeconds } from './contents.ts';
import { HOST_VISIT_MS, VISIT_MS } from './campaignDuration.ts';
import { drawnFaults } from './drawnNetworks.ts';
import { lowLatencyFaults } from './lowLatency.ts';
import { isFromFile, networkGroups, networkCount } from './networks.ts';
import { factorsOf, type DeclaredFactor, sessionsInPair } from '../factors/arms.ts';
import { variantFaults } from './variants.ts';
import { at, type Factor, type KnownNames, type Stream } from '../factors/factor.ts';
import { hostsOf } from '../factors/hosts.ts';
import { factorOf, factors } from '../factors/registry.ts';
import { isWarm } from '../factors/transfer.ts';
import { faultOfNamed } from '../../src/network/traceSets/traceSets.ts';
import { isMeasuredIn, metrics } from '../../src/analysis/metrics/registry.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import { faultOfViewerScript } from '../../src/shared/viewerScript.ts';

/** What a campaign may name that this folder does not know by itself. */
export interface Known extends KnownNames {
  /** One sentence about a preset that no page has, or null. */
  faultOfPreset(text: string): string | null;
  /** Contents besides padded streams and addresses of MPDs, and how long each is. */
  readonly contents: readonly KnownContent[];
  /** Sessions of a campaign at most; absent: those of a plan that lists them. */
  readonly maxSessions?: number;
}

interface KnownContent {
  readonly id: string;
  readonly seconds: number;
}

/** What is wrong with a campaign of the right shape: a sentence each, with its path in the file. */
export function campaignFaults(campaign: CampaignFile, known: Known): string[] {
  return [
    ...[...factors.map(({ field }) => field), 'profiles', 'contents', 'seeds'].flatMap((field) =>
      repeated(field, listIn(campaign, field) ?? []),
    ),
    ...factors.flatMap((factor) => faultsOfFactor(factor, campaign, known)),
    ...(campaign.transfers ? [] : playbackFaults(campaign, known)),
    ...originFaults(campaign),
    ...profileFaults(campaign),
    ...at('/leadInSeconds', faultOfLeadIn(campaign)),
    ...at('/primary', faultOfPrimary(campaign)),
    ...marginFaults(campaign),
    ...at(`/${campaign.compare}`, faultOfCompared(campaign)),
    ...at('/aaSessions', faultOfAaSessions(campaign)),
    ...at('/control', faultOfControl(campaign)),
    ...at('/repeats', faultOfSize(campaign, known.maxSessions)),
    ...at('/infer', faultOfInference(campaign)),
    ...at('/blocks', faultOfBlocks(campaign)),
    ...repeated('robustTo/variants', campaign.robustTo?.variants ?? []),
    ...variantFaults(campaign),
  ];
}

const listIn = (campaign: CampaignFile, field: string): readonly unknown[] | undefined =>
  (campaign as Readonly<Record<string, unknown>>)[field] as readonly unknown[] | undefined;

/** What is wrong with the values of a factor, or with the rest of the campaign for them. */
export function faultsOfFactor(factor: Factor, campaign: CampaignFile, known: KnownNames): string[] {
  const { field, needs = {} } = factor;
  const list = listIn(campaign, field);
  if (list === undefined) return [];
  if (needs.instrumentedOrigin && campaign.origin !== 'instrumented')
    return at(`/${field}`, NEEDS_INSTRUMENTED);
  if (needs.link !== undefined && campaign.profiles.length === 0) return at(`/${field}`, needs.link);
  return factor.faultsOf?.(list, { ...campaign, streams: campaign.contents.map(streamOf) }, known) ?? [];
}

function streamOf(content: string): Stream {
  const live = isLive(content) ? liveContent(content) : null;
  const padded = content.startsWith(PADDED) ? paddedContent(content) : null;
  return {
    isFar: MPD_ADDRESS.test(content),
    isLive: isLive(content),
    isPlaylist: /\.m3u8($|[?#])/i.test(content),
    hasSound: padded?.ok !== true || padded.value.audioKbps !== null,
    isLowLatency: live?.ok === true && live.value.isLowLatency,
  };
}

/** What is wrong with what is played, and how. */
function playbackFaults(campaign: CampaignFile, known: Known): string[] {
  return [
    ...lowLatencyFaults(campaign),
    ...campaign.contents.flatMap((content, index) =>
      at(`/contents/${index}`, faultOfContent(content, campaign.seconds, known.contents)),
    ),
    ...at('/viewer', faultOfViewer(campaign, known.contents)),
    ...at('/browserProfile', faultOfBrowser(campaign)),
    ...at('/preset', known.faultOfPreset(campaign.preset)),
  ];
}

const repeated = (field: string, list: readonly unknown[]): string[] => {
  const texts = list.map((item) => JSON.stringify(item));
  return texts.flatMap((text, index) =>
    texts.indexOf(text) === index ? [] : [`/${field}/${index}: ${text} is listed twice.`],
  );
};

const faultOfId = (what: string, id: string, entries: readonly Entry[]): string | null =>
  entries.some((each) => each.id === id)
    ? null
    : unknownId(
        what,
        id,
        entries.map((each) => each.id),
      );

function faultOfViewer(
  { viewer, seconds, contents }: CampaignFile,
  known: readonly KnownContent[],
): string | null {
  if (viewer === undefined) return null;
  if (contents.some(isLive))
    return 'A viewer’s script is for streams with a beginning and an end: leave out live streams.';
  const shortest = Math.min(
    ...contents.map((content) =>
      content.startsWith(PADDED)
        ? paddedSeconds(seconds)
        : (known.find(({ id }) => id === content)?.seconds ?? Infinity),
    ),
  );
  return faultOfViewerScript(viewer, { seconds, contentSeconds: shortest });
}

const profileFaults = ({ profiles, seeds }: CampaignFile): string[] =>
  profiles.flatMap((entry, index) =>
    typeof entry === 'string'
      ? at(`/profiles/${index}`, faultOfProfile(entry))
      : drawnFaults(entry, seeds).map((fault) => `/profiles/${index}${fault}`),
  );

const faultOfProfile = (id: string): string | null =>
  isFromFile(id)
    ? faultOfNamed(id)
    : (faultOfId('profile', id, networkProfiles)?.replace(
        /\.$/,
        ', the .json file of a profile, and trace:PATH.',
      ) ?? null);

function faultOfContent(content: string, seconds: number, known: readonly KnownContent[]): string | null {
  if (MPD_ADDRESS.test(content)) return null;
  if (content.startsWith(PADDED)) {
    const padded = paddedContent(content);
    return padded.ok ? null : padded.error;
  }
  if (isLive(content)) {
    const live = liveContent(content);
    return live.ok ? null : live.error;
  }
  const found = known.find(({ id }) => id === content);
  if (!found)
    return `Unknown content "${content}"; known: ${known.map(({ id }) => id).join(', ')}, live, padded:TABLE, and the address of an MPD.`;
  return lengthFault(content, { contentSeconds: found.seconds, seconds });
}

const faultOfBrowser = ({ browserProfile, profiles }: CampaignFile): string | null =>
  browserProfile === 'in-turn' && profiles.length === 0
    ? '"in-turn" gives half of the networks a warm browser: fill in "profiles".'
    : null;

function faultOfLeadIn(campaign: CampaignFile): string | null {
  const { profiles, leadInSeconds, hosts = ['one'] } = campaign;
  const others = Math.max(...hosts.map((text) => (hostsOf(text)?.count ?? 1) - 1));
  const minSeconds = (VISIT_MS + others * HOST_VISIT_MS) / 1000;
  return isWarm(campaign) && profiles.length > 0 && leadInSeconds < minSeconds
    ? `A warm browser visits the origin in the lead-in, which must be at least ${minSeconds} s.`
    : null;
}

function faultOfPrimary({ primary: id, transfers }: CampaignFile): string | null {
  const isOfTransfers = transfers !== undefined;
  const metric = metrics.find((each) => each.id === id);
  const judged = metrics.filter((each) => each.better !== null && isMeasuredIn(each, isOfTransfers));
  if (!metric) return faultOfId('metric', id, judged);
  const ids = judged.map((each) => each.id).join(', ');
  if (metric.better === null)
    return `The metric ${id} has no better direction; metrics that have one: ${ids}.`;
  if (isMeasuredIn(metric, isOfTransfers)) return null;
  return isOfTransfers
    ? `The metric ${id} needs a player; metrics of transfers: ${ids}.`
    : `The metric ${id} is of transfers, and a campaign plays streams: write a transfer file (docs/transfer.md).`;
}

function marginFaults({ margin, marginPercent, primary }: CampaignFile): string[] {
  if (margin === undefined && marginPercent === undefined)
    return [
      '/margin: The smallest difference that matters is missing: "marginPercent": 5, or "margin" in the unit of the primary metric.',
    ];
  if (marginPercent === undefined) return [];
  if (margin !== undefined) return ['/marginPercent: A campaign has either "margin" or "marginPercent".'];
  return at('/marginPercent', faultOfPercent(primary));
}

/** A ratio to 0 says nothing. */
function faultOfPercent(id: string): string | null {
  const positive = metrics.filter(({ better, isPositive }) => better !== null && isPositive === true);
  return positive.some((metric) => metric.id === id)
    ? null
    : `The metric ${id} can be 0 or below, so it has no ratio: use "margin", in its unit. Metrics with a margin in %: ${positive.map((metric) => metric.id).join(', ')}.`;
}

const comparedIn = (campaign: CampaignFile): DeclaredFactor | undefined =>
  factorsOf(campaign).find(({ field }) => field === campaign.compare);

const faultOfCompared = (campaign: CampaignFile): string | null =>
  (comparedIn(campaign)?.values ?? []).length < 2
    ? `The ${factorOf(campaign.compare).words.compared ?? campaign.compare} are compared: name at least two.`
    : null;

const faultOfAaSessions = ({ aaLabels, aaSessions }: CampaignFile): string | null =>
  aaLabels && aaSessions !== undefined
    ? 'With A/A labels every arm already plays several sessions in each pair: leave out "aaSessions".'
    : null;

function faultOfControl(campaign: CampaignFile): string | null {
  const { compare, control } = campaign;
  const known = comparedIn(campaign)?.values ?? [];
  return control === undefined || known.includes(control)
    ? null
    : `The control "${control}" is not one of the ${compare}: ${known.join(', ')}.`;
}

/** A verdict on networks needs several of them in one comparison. */
function faultOfInference(campaign: CampaignFile): string | null {
  if (campaign.infer !== 'network') return null;
  if (campaign.per === 'network')
    return 'With "per": "network" every verdict is about one network: write "per": "campaign", or "infer": "repeat".';
  // What is wrong with a profile is said where it stands.
  if (profileFaults(campaign).length > 0) return null;
  const { size } = networkGroups(campaign);
  return size < 2
    ? `A verdict on networks needs at least two different networks, but the campaign has ${size}: name more profiles, or write "infer": "repeat".`
    : null;
}

const faultOfBlocks = ({ blocks = 1, repeats }: CampaignFile): string | null =>
  blocks > repeats
    ? `${blocks} blocks need at least ${blocks} repeats, for all pairs of a repeat are in one block; the campaign has ${repeats}.`
    : null;

/** One sentence about a content that ends before its session does, or null. Both in s. */
export const lengthFault = (
  content: string,
  { contentSeconds, seconds }: { contentSeconds: number; seconds: number },
): string | null =>
  contentSeconds < seconds
    ? `${content} is ${contentSeconds} s long, too short for sessions of ${seconds} s. In a campaign, use a padded stream (padded:envivio): it is as long as the sessions need.`
    : null;

/** What only the instrumented origin offers, besides factors that need it. */
const OF_INSTRUMENTED = ['initialWindowPackets', 'tcpPacing', 'tlsRecords', 'zeroRtt'] as const;
const NEEDS_INSTRUMENTED = 'This field needs the instrumented origin: add "origin": "instrumented".';

/** What is wrong with who serves a campaign, and how it sends: a sentence each, with its path in the file. */
const originFaults = (campaign: CampaignFile): string[] =>
  campaign.origin === 'instrumented'
    ? contentFaults(campaign)
    : OF_INSTRUMENTED.filter((field) => campaign[field] !== undefined).flatMap((field) =>
        at(`/${field}`, NEEDS_INSTRUMENTED),
      );

const contentFaults = ({ contents }: CampaignFile): string[] =>
  contents.flatMap((content, index) =>
    MPD_ADDRESS.test(content)
      ? [`/contents/${index}: The instrumented origin cannot serve ${content}, a stream on another server.`]
      : [],
  );

/** Maximum number of sessions: more than any machine park plays; a plan of them is still one readable file. */
const MAX_SESSIONS = 100_000;

/** Maximum number of sessions of a simulated campaign without logs: one process can hold their table and verdicts in memory. */
export const MAX_ROW_SESSIONS = 2_000_000;

/** Returns a sentence about a campaign of more sessions than `max`, or null. */
export function faultOfSize(campaign: CampaignFile, max = MAX_SESSIONS): string | null {
  const { contents, repeats, seeds } = campaign;
  const sessions =
    sessionsInPair(campaign) * Math.max(1, networkCount(campaign)) * contents.length * repeats * seeds.length;
  if (sessions <= max) return null;
  const rows = max < MAX_ROW_SESSIONS ? `; with --simulate --rows it is ${MAX_ROW_SESSIONS}` : '';
  return `The campaign has ${sessions} sessions; the maximum is ${max}${rows}.`;
}
