import { browserFaults, type KnownBrowser } from './browserFaults.ts';
import { ALONE, faultOfBeside, rulesBeside } from './besideOf.ts';
import { sendersOf } from './sendersOf.ts';
import { connectionOf, factorsOf, rulesIn } from './factorsOf.ts';
import type { CampaignFile } from './campaignFile.ts';
import { isLive, liveContent, MPD_ADDRESS, PADDED, paddedContent, paddedSeconds } from './contents.ts';
import { VISIT_MS } from './campaignDuration.ts';
import { faultOfSize } from './campaignSize.ts';
import { drawnFaults } from './drawnNetworks.ts';
import { lowLatencyFaults } from './lowLatency.ts';
import { isFromFile, networkGroups } from './networks.ts';
import { faultOfNamed } from '../../src/network/traceSets/traceSets.ts';
import { isMeasuredIn, metrics } from '../../src/analysis/metrics/registry.ts';
import { policyOf } from '../../src/steering/registry.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import { parseTransfer, type ConnectionStart } from '../../src/shared/transfer.ts';
import { faultOfViewerScript } from '../../src/shared/viewerScript.ts';

/** What a campaign may name that this folder does not know by itself. */
export interface Known {
  /** One sentence about a rule that cannot be played, or null. */
  faultOfRule(text: string): string | null;
  /** One sentence about a preset that no page has, or null. */
  faultOfPreset(text: string): string | null;
  /** Contents besides padded streams and addresses of MPDs, and how long each is. */
  readonly contents: readonly KnownContent[];
  /** The lab's browsers. */
  readonly browsers: readonly KnownBrowser[];
  /** Sessions of a campaign at most; absent: those of a plan that lists them. */
  readonly maxSessions?: number;
}

export interface KnownContent {
  readonly id: string;
  readonly seconds: number;
}

/** What is wrong with a campaign of the right shape: a sentence each, with its path in the file. */
export function campaignFaults(campaign: CampaignFile, known: Known): string[] {
  return [
    ...LISTS.flatMap((field) => repeated(field, campaign[field] ?? [])),
    ...(campaign.transfers ? transferFaults(campaign, campaign.transfers) : playbackFaults(campaign, known)),
    ...originFaults(campaign),
    ...besideFaults(campaign, known),
    ...profileFaults(campaign),
    ...at('/leadInSeconds', faultOfLeadIn(campaign)),
    ...at('/primary', faultOfPrimary(campaign)),
    ...marginFaults(campaign),
    ...at(`/${campaign.compare}`, faultOfCompared(campaign)),
    ...pageFaults(campaign),
    ...browserFaults(campaign, known.browsers),
    ...at('/aaLabels', faultOfLabels(campaign)),
    ...at('/aaSessions', faultOfAaSessions(campaign)),
    ...at('/control', faultOfControl(campaign)),
    ...at('/repeats', faultOfSize(campaign, known.maxSessions)),
    ...at('/infer', faultOfInference(campaign)),
    ...at('/blocks', faultOfBlocks(campaign)),
  ];
}

/** What is wrong with what is played, and how. */
function playbackFaults(campaign: CampaignFile, known: Known): string[] {
  return [
    ...at('/rules', campaign.rules.length === 0 ? 'Name at least one rule.' : null),
    ...ruleFaults(campaign, known),
    ...lowLatencyFaults(campaign),
    ...steeringFaults(campaign),
    ...splitFaults(campaign),
    ...campaign.contents.flatMap((content, index) =>
      at(`/contents/${index}`, faultOfContent(content, campaign.seconds, known.contents)),
    ),
    ...at('/viewer', faultOfViewer(campaign, known.contents)),
    ...at('/browserProfile', faultOfBrowser(campaign)),
    ...at('/preset', known.faultOfPreset(campaign.preset)),
  ];
}

/** What is wrong with what is downloaded. */
const transferFaults = (campaign: CampaignFile, transfers: readonly string[]): string[] =>
  transfers.flatMap((text, index) => {
    const transfer = parseTransfer(text);
    if (!transfer.ok) return at(`/transfers/${index}`, transfer.error);
    const { connection, names } = transfer.value;
    return [
      ...at(`/transfers/${index}`, faultOfConnection(campaign, connection)),
      ...at(
        `/transfers/${index}`,
        names > 1 && campaign.profiles.length === 0
          ? 'Without an emulated link the server has one name: fill in "profiles", or leave out "names".'
          : null,
      ),
    ];
  });

function faultOfConnection(
  { origin, profiles, transports }: CampaignFile,
  connection: ConnectionStart,
): string | null {
  if (connection === 'cold') return null;
  if (origin !== 'instrumented' || profiles.length === 0)
    return `A ${connection} connection needs "origin": "instrumented", and an emulated link in "profiles".`;
  return connection === 'zero-rtt' && !transports.some((transport) => transport.startsWith('h3'))
    ? 'Only QUIC connections begin with 0-RTT here: add h3-only to "transports".'
    : null;
}

const LISTS = [
  'rules',
  'transfers',
  'transports',
  'controllers',
  'steering',
  'beside',
  'split',
  'browsers',
  'aaLabels',
  'profiles',
  'contents',
  'seeds',
] as const;

const at = (path: string, sentence: string | null): string[] => (sentence ? [`${path}: ${sentence}`] : []);

const repeated = (field: string, list: readonly unknown[]): string[] => {
  const texts = list.map((item) => JSON.stringify(item));
  return texts.flatMap((text, index) =>
    texts.indexOf(text) === index ? [] : [`/${field}/${index}: ${text} is listed twice.`],
  );
};

/** What is wrong with rules, also with those that networks have in turn. */
function ruleFaults({ rules, profiles }: CampaignFile, known: Known): string[] {
  return rules.flatMap((entry, index) => {
    const names = rulesIn(entry);
    const alone = names.length > 1 && profiles.length === 0;
    return [
      ...names.flatMap((rule) => at(`/rules/${index}`, known.faultOfRule(rule))),
      ...at(
        `/rules/${index}`,
        alone ? 'An entry with several rules gives each network one of them: fill in "profiles".' : null,
      ),
    ];
  });
}

const faultOfId = (what: string, id: string, entries: readonly Entry[]): string | null =>
  entries.some((each) => each.id === id)
    ? null
    : unknownId(
        what,
        id,
        entries.map((each) => each.id),
      );

function steeringFaults({ steering = [], profiles, contents, compare, transports }: CampaignFile): string[] {
  const policies = steering.flatMap((text, index) => {
    const policy = policyOf(text);
    return policy.ok ? [] : at(`/steering/${index}`, policy.error);
  });
  const isFar = contents.some((content) => MPD_ADDRESS.test(content));
  const isAlone = compare === 'steering' && !transports.some((transport) => transport.startsWith('h3'));
  if (isAlone)
    policies.push('/transports: Steering is compared, but no transport uses QUIC: add h3-racing or h3-only.');
  return steering.length > 0 && (profiles.length === 0 || isFar)
    ? [
        ...policies,
        '/steering: Steering works only with the lab’s own origin: fill in "profiles", and list no addresses of MPDs in "contents".',
      ]
    : policies;
}

function splitFaults({ split, steering, contents }: CampaignFile): string[] {
  if (split === undefined) return [];
  const lowLatency = contents.findIndex((content) => {
    const live = isLive(content) ? liveContent(content) : null;
    return live?.ok && live.value.isLowLatency;
  });
  return [
    ...at(
      '/split',
      steering === undefined
        ? null
        : 'A segment in several ranges cannot continue on another pathway: leave out "split" or "steering".',
    ),
    ...at(
      `/contents/${lowLatency}`,
      lowLatency < 0
        ? null
        : 'Low-latency segments are loaded in pieces while they are made, not in ranges: leave out "split", or this content.',
    ),
  ];
}

/** What is wrong with what shares the link, besides that the instrumented origin sends it. */
function besideFaults({ beside = [], profiles, seconds }: CampaignFile, known: Known): string[] {
  if (beside.length > 0 && profiles.length === 0)
    return [
      `/beside: What runs beside the viewer shares an emulated link, and loopback is none: fill in "profiles", or leave out "beside".`,
    ];
  return beside.flatMap((text, index) => [
    ...at(`/beside/${index}`, faultOfBeside(text, { seconds })),
    ...rulesBeside(text).flatMap((rule) => at(`/beside/${index}`, known.faultOfRule(rule))),
  ]);
}

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
  const { browserProfile = 'cold', transfers = [], profiles, leadInSeconds } = campaign;
  const minSeconds = VISIT_MS / 1000;
  const isWarm = browserProfile !== 'cold' || transfers.some((text) => connectionOf(text) !== 'cold');
  return isWarm && profiles.length > 0 && leadInSeconds < minSeconds
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

const comparedIn = (campaign: CampaignFile): readonly string[] =>
  factorsOf(campaign).find(({ field }) => field === campaign.compare)?.values ?? [];

const faultOfCompared = (campaign: CampaignFile): string | null =>
  comparedIn(campaign).length < 2
    ? `The ${COMPARED[campaign.compare] ?? campaign.compare} are compared: name at least two.`
    : null;

const COMPARED: Partial<Record<CampaignFile['compare'], string>> = {
  aaLabels: 'A/A labels',
  split: 'counts of ranges',
  beside: `loads beside the viewer, "${ALONE}" among them,`,
};

/** Two pages of one name would be one arm. */
const pageFaults = ({ pages = [] }: CampaignFile): string[] => {
  const names = pages.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [`/pages/${index}/name: Two pages are called "${name}".`],
  );
};

/** A/A labels beside another comparison would only double its family. */
const faultOfLabels = ({ aaLabels, compare }: CampaignFile): string | null =>
  aaLabels && compare !== 'aaLabels'
    ? 'A/A labels need "compare": "aaLabels": all of them are the same arm.'
    : null;

const faultOfAaSessions = ({ aaLabels, aaSessions }: CampaignFile): string | null =>
  aaLabels && aaSessions !== undefined
    ? 'With A/A labels every arm already plays several sessions in each pair: leave out "aaSessions".'
    : null;

function faultOfControl(campaign: CampaignFile): string | null {
  const { compare, control } = campaign;
  const known = comparedIn(campaign);
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

/** What only the instrumented origin offers. */
const OF_INSTRUMENTED = [
  'controllers',
  'initialWindowPackets',
  'tcpPacing',
  'tlsRecords',
  'zeroRtt',
  'beside',
] as const;

/** What is wrong with who serves a campaign, and how it sends: a sentence each, with its path in the file. */
function originFaults(campaign: CampaignFile): string[] {
  if (campaign.origin !== 'instrumented')
    return OF_INSTRUMENTED.filter((field) => campaign[field] !== undefined).map(
      (field) => `/${field}: This field needs the instrumented origin: add "origin": "instrumented".`,
    );
  return [...controllerFaults(campaign), ...contentFaults(campaign)];
}

const controllerFaults = ({ controllers = [] }: CampaignFile): string[] =>
  controllers.flatMap((text, index) => {
    const senders = sendersOf(text);
    return senders.ok ? [] : [`/controllers/${index}: ${senders.error}`];
  });

const contentFaults = ({ contents }: CampaignFile): string[] =>
  contents.flatMap((content, index) =>
    MPD_ADDRESS.test(content)
      ? [`/contents/${index}: The instrumented origin cannot serve ${content}, a stream on another server.`]
      : [],
  );
