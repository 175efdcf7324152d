import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { initOf, playlistsOf } from '../simulate/mpd/contentFromMpd.ts';
import { secondsOf } from '../simulate/mpd/mpdFault.ts';
import type { StreamFacts } from '../../src/doctor/evidence.ts';

/** What a manifest names: for checks, and for more requests. */
export interface ReadManifest extends Pick<
  StreamFacts,
  'kind' | 'isLive' | 'updateSeconds' | 'types' | 'gaps' | 'target'
> {
  /** A media file of each level. */
  readonly media: readonly { readonly resolvedUri: string }[];
  /** First file of each level. */
  readonly levels: readonly { readonly what: string; readonly url: string }[];
  /** The last segment of the first level; null where it is not a file of its own. */
  readonly last: string | null;
  readonly clocks: readonly { readonly scheme: string; readonly value: string }[];
  readonly times: {
    readonly initUrl: string;
    readonly initRange: { readonly offset: number; readonly length: number } | null;
    readonly fromUrl: string;
    readonly toUrl: string;
    /** How many segments, and how long by the manifest, from one to the other. */
    readonly segments: number;
    readonly seconds: number;
  } | null;
}

/** Shorter gaps come from rounding (DASH-IF IOP: players close them). */
const MIN_GAP_S = 0.1;

/** Reads what checks and requests need of an MPD. @throws Error in one sentence */
export function readDash(text: string, url: string): ReadManifest {
  const playlists = playlistsOf(text, url).filter(({ segments, sidx }) => segments.length > 0 || sidx);
  if (playlists.length === 0) throw new Error(`${url}: The MPD has no segments of video or audio.`);
  const xml = readXml(text);
  const names = (playlist: ParsedPlaylist): string =>
    `level ${playlist.attributes.NAME} (${Math.round(playlist.attributes.BANDWIDTH / 1000)} kbit/s)`;
  const last = playlists[0]!.segments.at(-1);
  return {
    kind: 'dash',
    ...xml,
    media: playlists.map(mediaFileOf),
    levels: playlists.map((playlist) => ({
      what: names(playlist),
      url: (initOf(playlist) ?? mediaFileOf(playlist)).resolvedUri,
    })),
    last: last && playlists[0]!.segments.length > 1 ? last.resolvedUri : null,
    times: timesOf(playlists[0]!, xml.isLive),
    target: null,
  };
}

const mediaFileOf = ({ segments, sidx }: ParsedPlaylist): { resolvedUri: string } => segments[0] ?? sidx!;

/** Two segments whose distance is known by the MPD; null where segments are no files of their own. */
function timesOf(playlist: ParsedPlaylist, isLive: boolean): ReadManifest['times'] {
  const { segments } = playlist;
  const init = initOf(playlist);
  // The oldest segments of a live stream may be gone by the time of the request.
  const from = isLive ? segments.length - 3 : 0;
  const [one, other] = [segments[from], segments.at(-1)];
  if (!init || !one || !other || from === segments.length - 1 || one.byterange || other.byterange)
    return null;
  const between = segments.slice(from, -1);
  if (new Set(between.map(({ timeline }) => timeline)).size > 1 || other.timeline !== one.timeline)
    return null;
  const seconds = between.reduce((sum, { duration }) => sum + duration, 0);
  return {
    initUrl: init.resolvedUri,
    fromUrl: one.resolvedUri,
    toUrl: other.resolvedUri,
    segments: between.length,
    seconds,
    initRange: init.byterange ?? null,
  };
}

type ParsedPlaylist = ReturnType<typeof playlistsOf>[number];

type Attributes = SaxesTagPlain['attributes'];

/** What mpd-parser does not tell. The text has been found to be well-formed. */
function readXml(text: string): Pick<ReadManifest, 'isLive' | 'updateSeconds' | 'types' | 'gaps' | 'clocks'> {
  const parser = new SaxesParser();
  const types = new Set<string>();
  const gaps: { atSeconds: number; lengthSeconds: number }[] = [];
  const clocks: { scheme: string; value: string }[] = [];
  let mpd: Attributes = {};
  let set: Attributes = {};
  let timescale = 1;
  let [endTicks, isFirst] = [0, true];
  const takeEntry = ({ t, d, r }: Attributes): void => {
    const start = t === undefined ? endTicks : Number(t);
    const lengthSeconds = (start - endTicks) / timescale;
    if (!isFirst && lengthSeconds > MIN_GAP_S) gaps.push({ atSeconds: endTicks / timescale, lengthSeconds });
    isFirst = false;
    endTicks = start + Number(d ?? 0) * (1 + Math.max(0, Number(r ?? 0)));
  };
  const take: Readonly<Record<string, (attributes: Attributes) => void>> = {
    MPD: (attributes) => (mpd = attributes),
    AdaptationSet: (attributes) => (set = attributes),
    UTCTiming: ({ schemeIdUri: scheme = '', value = '' }) => clocks.push({ scheme, value }),
    SegmentTemplate: (attributes) => (timescale = Number(attributes['timescale'] ?? 1) || 1),
    SegmentTimeline: () => ([endTicks, isFirst] = [0, true]),
    S: takeEntry,
    Representation({ mimeType = set['mimeType'], codecs = set['codecs'] }) {
      if (mimeType && codecs && /^(video|audio)\//.test(mimeType))
        types.add(`${mimeType}; codecs="${codecs}"`);
    },
  };
  parser.on('opentag', ({ name, attributes }) => take[name]?.(attributes));
  parser.write(text).close();
  const update = mpd['minimumUpdatePeriod'];
  return {
    isLive: mpd['type'] === 'dynamic',
    updateSeconds: update === undefined ? null : secondsOf(update),
    types: [...types],
    gaps: [...new Map([...gaps].reverse().map((gap) => [gap.atSeconds, gap])).values()].reverse(),
    clocks,
  };
}
