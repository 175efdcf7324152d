import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { initOf, playlistsOf } from '../simulate/mpd/contentFromMpd.ts';
import { createInherited, secondsOf } from '../simulate/mpd/mpdFault.ts';
import type { StreamFacts } from '../../src/doctor/evidence.ts';
import { LimitReached } from './ask.ts';

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
/** mpd-parser makes an object of each. */
const MAX_REPEATS = 20_000;

/** Reads what checks and requests need of an MPD. @throws Error in one sentence; LimitReached where it announces too much */
export function readDash(text: string, url: string): ReadManifest {
  const { whole, ...xml } = readXml(text);
  const playlists = playlistsOf(whole, url).filter(({ segments, sidx }) => segments.length > 0 || sidx);
  if (playlists.length === 0) throw new Error(`${url}: The MPD has no segments of video or audio.`);
  return {
    kind: 'dash',
    ...xml,
    media: playlists.map((playlist) => mediaFileOf(playlist, xml.isLive)),
    levels: playlists.map((playlist) => ({
      what: `level ${playlist.attributes.NAME} (${Math.round(playlist.attributes.BANDWIDTH / 1000)} kbit/s)`,
      url: (initOf(playlist) ?? mediaFileOf(playlist, xml.isLive)).resolvedUri,
    })),
    last: playlists[0]!.segments.slice(1).at(-1)?.resolvedUri ?? null,
    times: timesOf(playlists[0]!, xml.isLive),
    target: null,
  };
}

/** The oldest segments of a live stream may be gone by the time of the request. */
const mediaFileOf = ({ segments, sidx }: ParsedPlaylist, isLive: boolean): { resolvedUri: string } =>
  (isLive && segments.at(-3)) || (segments[0] ?? sidx!);

/** Two segments whose distance is known by the MPD; null where segments are no files of their own. */
function timesOf(playlist: ParsedPlaylist, isLive: boolean): ReadManifest['times'] {
  const { segments } = playlist;
  const init = initOf(playlist);
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

/** Reads what mpd-parser does not tell, and how many segments r="-1" stands for in a live MPD: `whole` is the text with that. */
function readXml(
  text: string,
): Pick<ReadManifest, 'isLive' | 'updateSeconds' | 'types' | 'gaps' | 'clocks'> & { readonly whole: string } {
  const parser = new SaxesParser();
  const types = new Set<string>();
  const gaps: { atSeconds: number; lengthSeconds: number }[] = [];
  const clocks: { scheme: string; value: string }[] = [];
  const inherited = createInherited();
  let here = { timescale: 1, presentationTimeOffset: 0 };
  let [mpd, set]: [Attributes, Attributes] = [{}, {}];
  let [periodS, lengthS] = [0, 0];
  let [endTicks, isFirst] = [0, true];
  let open: { readonly at: number; readonly d: number } | null = null;
  let [whole, done] = ['', 0];
  const takeEntry = ({ t, d, r }: Attributes): void => {
    const start = t === undefined ? endTicks : Number(t);
    const lengthSeconds = (start - endTicks) / here.timescale;
    if (!isFirst && lengthSeconds > MIN_GAP_S)
      gaps.push({ atSeconds: endTicks / here.timescale, lengthSeconds });
    // It goes on to the next entry, or to the end of the period (ISO/IEC 23009-1, 5.3.9.6).
    isFirst = Number(r ?? 0) < 0;
    open = isFirst ? { at: parser.position, d: Number(d) } : null;
    endTicks = isFirst ? start : start + Number(d ?? 0) * (1 + Number(r ?? 0));
  };
  const take: Readonly<Record<string, (attributes: Attributes) => void>> = {
    MPD: (attributes) => (mpd = attributes),
    Period: ({ start, duration }) =>
      ([periodS, lengthS] = [secondsOf(start) ?? periodS + lengthS, secondsOf(duration) ?? 0]),
    AdaptationSet: (attributes) => (set = attributes),
    UTCTiming: ({ schemeIdUri: scheme = '', value = '' }) => clocks.push({ scheme, value }),
    SegmentTimeline: () => ([endTicks, isFirst, open] = [0, true, null]),
    S: takeEntry,
    Representation({ mimeType = set['mimeType'], codecs = set['codecs'] }) {
      if (mimeType && codecs && /^(video|audio)\//.test(mimeType))
        types.add(`${mimeType}; codecs="${codecs}"`);
    },
  };
  const endTimeline = ({ at, d }: NonNullable<typeof open>): void => {
    // Without a time zone it is UTC.
    const zeroMs = Date.parse((mpd['availabilityStartTime'] ?? '').replace(/T[\d:.]+$/, '$&Z'));
    const [, next] = /<(?:[\w.-]{1,80}:)?Period\s[^>]*\bstart\s*=\s*["']([^"']*)/.exec(text.slice(at)) ?? [];
    const endS = lengthS || (secondsOf(next) ?? Infinity) - periodS;
    const untilS = Math.min((Date.now() - zeroMs) / 1000 - periodS, endS);
    const more = Math.floor((untilS * here.timescale + here.presentationTimeOffset - endTicks) / d) - 1;
    if (more > MAX_REPEATS) throw new LimitReached(`r="-1" stands for more than ${MAX_REPEATS} segments`);
    whole += text.slice(done, at).replace(/\br\s*=\s*["']-\d+["']([^<]*)$/, `r="${Math.max(0, more)}"$1`);
    done = at;
  };
  parser.on('opentag', (tag) => {
    here = inherited.open(tag);
    take[tag.name]?.(tag.attributes);
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'SegmentTimeline' && open && mpd['type'] === 'dynamic') endTimeline(open);
    inherited.close(name);
  });
  // mpd-parser's reader says it.
  parser.on('error', () => undefined);
  parser.write(text).close();
  return {
    whole: whole + text.slice(done),
    isLive: mpd['type'] === 'dynamic',
    updateSeconds: secondsOf(mpd['minimumUpdatePeriod']),
    types: [...types],
    gaps: [...new Map([...gaps].reverse().map((gap) => [gap.atSeconds, gap])).values()].reverse(),
    clocks,
  };
}
