import { kebab } from '../design/contents.ts';
import { OVERHEAD_MS } from '../design/campaignDuration.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { startingFile } from '../design/startingFile.ts';
import { formatCount } from '../../src/shared/format.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import type { Track } from '../../src/sim/content.ts';

/** Where a campaign plays: over emulated links from the lab's own server, or from the server of the stream. */
export const PLACES = ['links', 'server'] as const;

/** What is known of a stream before a campaign of it. */
export interface AskedStream {
  readonly url: string;
  readonly isLive: boolean;
  /** Of its video, ascending. */
  readonly ladderKbps: readonly number[];
  /** s; null: not known. */
  readonly segmentSeconds: number | null;
  readonly seconds: number | null;
  /** Sizes of its segments, or why they are not known. */
  readonly sizes: Result<Track>;
}

interface Wishes {
  readonly place: (typeof PLACES)[number];
  /** How long the campaign may take. */
  readonly minutes: number;
  /** Name of the campaign's file, without folder and ending. */
  readonly fileName: string;
}

/** A campaign that fits a stream. */
export interface Proposal {
  readonly campaign: CampaignFile;
  /** A file beside the campaign: the sizes of segments as a movie of Sabre; null where none is needed. */
  readonly sizesFile: { readonly name: string; readonly text: string } | null;
  /** What is in the campaign, a sentence each. */
  readonly about: readonly string[];
  /** What its verdict will be about, and what not. */
  readonly may: string;
  readonly mayNot: string;
}

const SESSION_SECONDS = 60;
const LEAD_IN_SECONDS = 5;
/** Fewer pairs reach no verdict at alpha 0.05: 2 × 0.5^6 is 0.031. */
const MIN_PAIRS = 6;
const MAX_PAIRS = 200;
const TRANSPORTS = ['h2', 'h3-racing'] as const;

/** Proposes the campaign that compares h2 with h3 that races TCP for a stream. An error is one sentence. */
export function proposeCampaign(stream: AskedStream, wishes: Wishes): Result<Proposal> {
  const { place, minutes } = wishes;
  const seconds = Math.min(SESSION_SECONDS, lengthOf(stream, place));
  if (seconds < 1) return failed(`${stream.url}: A stream of less than 2 s is too short for a session.`);
  const leadInSeconds = place === 'links' ? LEAD_IN_SECONDS : 0;
  const pairSeconds = TRANSPORTS.length * (leadInSeconds + seconds + OVERHEAD_MS / 1000);
  const pairs = Math.min(MAX_PAIRS, Math.floor((minutes * 60) / pairSeconds));
  if (pairs < MIN_PAIRS)
    return failed(
      `--minutes ${minutes}: A verdict needs ${MIN_PAIRS} pairs, which take ${Math.ceil((MIN_PAIRS * pairSeconds) / 60)} min.`,
    );
  const common: CampaignFile = {
    ...startingFile,
    name: kebab(`ask-${place}-${new URL(stream.url).host}`)
      .slice(0, 60)
      .replace(/-$/, ''),
    transports: [...TRANSPORTS],
    seeds: [1],
    seconds,
    leadInSeconds: LEAD_IN_SECONDS,
  };
  return ok(
    place === 'links'
      ? overLinks(stream, { campaign: common, pairs, fileName: wishes.fileName })
      : fromServer(stream, { campaign: common, pairs }),
  );
}

/** A stream elsewhere must be longer than its sessions; a padded one is as long as they need. */
const lengthOf = ({ isLive, seconds }: AskedStream, place: Wishes['place']): number =>
  place === 'links' || isLive || seconds === null ? SESSION_SECONDS : Math.floor(seconds) - 1;

interface Draft {
  readonly campaign: CampaignFile;
  readonly pairs: number;
}

function fromServer({ url }: AskedStream, { campaign, pairs }: Draft): Proposal {
  const { host } = new URL(url);
  return {
    campaign: {
      ...campaign,
      about: `Does HTTP/3 change the start of ${url}, played from its own server?`,
      contents: [url],
      repeats: pairs,
    },
    sizesFile: null,
    about: [
      `${pairs} pairs of sessions of ${campaign.seconds} s from ${host} itself, without emulated links`,
    ],
    may: `whether the join time over h3 that races TCP differs from that over h2, from ${host} to this machine, at the time of the sessions`,
    mayNot: 'other networks, other viewers, other times of the day',
  };
}

function overLinks(
  stream: AskedStream,
  { campaign, pairs, fileName }: Draft & Pick<Wishes, 'fileName'>,
): Proposal {
  const { kbps, text } = ratesAround(stream.ladderKbps);
  const { content, sizesFile, about } = paddedOf(stream, fileName);
  return {
    campaign: {
      ...campaign,
      about: `Does HTTP/3 change the bitrate of a stream with the segments of ${stream.url}, over emulated networks?`,
      profiles: [{ profile: 'constant', kbps, rttMs: [20, 150], count: pairs }],
      contents: [content],
      repeats: 1,
      primary: 'mean-bitrate',
      infer: 'network',
    },
    sizesFile,
    about: [
      ...about,
      `${pairs} drawn networks, each with one pair of sessions of ${campaign.seconds} s: ${text}, round trips of 20 to 150 ms`,
    ],
    may: `whether the mean bitrate over h3 that races TCP differs from that over h2, on networks like the drawn ones, for segments of these sizes, with dash.js in Chromium`,
    mayNot: `${new URL(stream.url).host} itself: its files are not copied and its server is not asked; for that use --on server`,
  };
}

/** Rates at which the choice of a level matters: from above the lowest level to above the highest, kbit/s. */
function ratesAround(ladderKbps: readonly number[]): { kbps: [number, number]; text: string } {
  const [lowest = 1000, highest = lowest] = [ladderKbps[0], ladderKbps.at(-1)];
  const from = Math.max(100, Math.round(1.2 * lowest));
  const kbps: [number, number] = [from, Math.min(1e6, Math.max(2 * from, Math.round(1.2 * highest)))];
  return { kbps, text: `${kbps[0]} to ${kbps[1]} kbit/s` };
}

/** Segments of a padded stream have lengths of whole seconds. */
const wholeSeconds = (seconds: number): number => Math.min(60, Math.max(1, Math.round(seconds)));

const USUAL_SEGMENT_SECONDS = 4;

function paddedOf(
  { isLive, ladderKbps, segmentSeconds, sizes }: AskedStream,
  fileName: string,
): Pick<Proposal, 'sizesFile' | 'about'> & { readonly content: string } {
  const live = isLive ? 'live:' : '';
  if (sizes.ok) {
    const { segmentMs, sizesBytes, ladder } = sizes.value;
    const name = `${fileName}.sizes.json`;
    const found = segmentMs / 1000;
    const segment = wholeSeconds(found);
    return {
      content: `${live}padded:${name}:segment=${segment}`,
      sizesFile: { name, text: sabreMovie(sizes.value) },
      about: [
        `segments with the sizes of the stream: ${formatCount(ladder.length, 'level')} of ${formatCount(sizesBytes[0]!.length, 'segment')} of ${found} s${segment === found ? '' : `, in proportion as segments of ${segment} s`}`,
      ],
    };
  }
  const segment = wholeSeconds(segmentSeconds ?? USUAL_SEGMENT_SECONDS);
  const ladder = [...new Set(ladderKbps.map((kbps) => Math.max(1, Math.round(kbps))))];
  return {
    content: `${live}padded:envivio:segment=${segment}:ladder=${ladder.join(',')}`,
    sizesFile: null,
    about: [
      `segments of ${segment} s with the bitrates of the stream, ${ladder.join(', ')} kbit/s; their sizes vary as those of the video Envivio, because ${sizes.error}`,
    ],
  };
}

/** A table of sizes as a movie of Sabre, bits. */
const sabreMovie = ({ segmentMs, ladder, sizesBytes }: Track): string =>
  `${JSON.stringify({
    segment_duration_ms: segmentMs,
    bitrates_kbps: ladder.map(({ bitrateKbps }) => bitrateKbps),
    segment_sizes_bits: sizesBytes[0]!.map((_, segment) => sizesBytes.map((sizes) => sizes[segment]! * 8)),
  })}\n`;
