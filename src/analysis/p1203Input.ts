import type { RenderedSpan, Span } from './timeline/spans.ts';
import { ok, failed, type Result } from '../shared/result.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { playSpans, stallSpans, renderedSpans } from './timeline/played.ts';
import type { LadderEvent } from '../telemetry/event.ts';
import { eventsOf } from './timeline/log.ts';
import { addFrames, noFrames } from './timeline/series.ts';
import { hasOpenStall, joinTime } from './metrics/stalls.ts';
import { watchedMs } from './timeline/watched.ts';

/**
 * What the public implementation of ITU-T P.1203 (github.com/itu-p1203/itu-p1203, not free to bundle) takes, for mode 0.
 * Times are s of watched media, bitrates kbit/s.
 */
interface P1203Input {
  readonly IGen: { readonly device: 'pc' | 'mobile'; readonly displaySize: string };
  readonly I11: { readonly streamId: number; readonly segments: readonly P1203Audio[] };
  readonly I13: { readonly streamId: number; readonly segments: readonly P1203Video[] };
  /** [place, duration] of the wait for the first frame, then of each stall. */
  readonly I23: { readonly streamId: number; readonly stalling: readonly (readonly [number, number])[] };
}

interface P1203Options {
  readonly device: 'pc' | 'mobile';
  /** WIDTHxHEIGHT of the screen, pixels: no log knows it. */
  readonly displaySize: string;
  /** Frames per second; null: as counted in the log. */
  readonly fps: number | null;
}

/** The input of one session and, a sentence each, what was assumed; or why there is none. */
export function p1203Input(
  log: SessionLog,
  { device, displaySize, fps }: P1203Options,
): Result<{ readonly input: P1203Input; readonly notes: readonly string[] }> {
  if (playedMs(log) <= 0) return failed('Nothing was played.');
  const video = p1203Video(log, fps);
  if (!video.ok) return video;
  const audio = p1203Audio(log);
  const stalling = p1203Stalling(log);
  const scoredS = scoredSeconds(video.value, audio.ok ? audio.value : []);
  const notes = [
    'Bitrates are those that the manifest declares.',
    ...(fps === null ? [`Frames per second are counted: ${video.value[0]!.fps}.`] : []),
    ...(hasOpenStall(log) ? ['The last stall goes on at the end of the log and counts up to it.'] : []),
    ...(stalling.some(([placeS]) => placeS > scoredS)
      ? [
          'A stall after the last whole second is placed at its end: the program leaves out what is behind it.',
        ]
      : []),
    ...(audio.ok ? [] : [`Audio is left out: ${audio.error}`]),
  ];
  const input = {
    IGen: { device, displaySize },
    I11: { streamId: 1, segments: audio.ok ? audio.value : [] },
    I13: { streamId: 1, segments: video.value },
    I23: { streamId: 1, stalling: stalling.map(([placeS, s]) => [Math.min(placeS, scoredS), s] as const) },
  };
  return ok({ input, notes });
}

/**
 * The whole seconds that the public implementation has scores of, the shorter of video and audio: it makes whole frames of each
 * segment (p1203Pv.py; audio has 100 a second, p1203Pa.py), and rounds their sum up only from 0.99 s on (measurementwindow.py).
 */
function scoredSeconds(video: readonly P1203Video[], audio: readonly P1203Audio[]): number {
  const seconds = (segments: readonly { readonly duration: number; readonly fps: number }[]): number =>
    Math.floor(segments.reduce((sum, { duration, fps }) => sum + Math.floor(duration * fps) / fps, 0.009));
  const sound = audio.map(({ duration }) => ({ duration, fps: 100 }));
  return Math.min(seconds(video), sound.length > 0 ? seconds(sound) : Infinity);
}

interface P1203Video extends WatchedSegment {
  readonly bitrate: number;
  readonly codec: string;
  readonly fps: number;
  readonly resolution: string;
}

type Rung = LadderEvent['rungs'][number];

/** I.13: a segment for each stretch at one rung. `fps` null: counted from the log. */
function p1203Video(log: SessionLog, fps: number | null): Result<P1203Video[]> {
  const spans = renderedSpans(log);
  if (spans.length === 0) return failed('No video was rendered while it played.');
  const rate = fps ?? countedFps(log);
  if (rate === null) return failed('The browser counted no frames: say how many there are in a second.');
  for (const span of spans) {
    const fault = faultOf(rungOf(log, span), span.bitrateKbps);
    if (fault) return failed(fault);
  }
  return ok(
    watchedSegments(log, spans, (span) => {
      const { width, height, codecs } = rungOf(log, span)!;
      const codec = videoCodecOf(codecs)!;
      return { bitrate: span.bitrateKbps, codec, fps: rate, resolution: `${width}x${height}` };
    }),
  );
}

/**
 * The rung of a span: its place and its bitrate say which ladder, because periods, or codecs of one ladder, may have the same bitrate
 * at another size. Of several such ladders it is the last that was read before it.
 */
function rungOf(log: SessionLog, { rung, bitrateKbps, fromMs }: RenderedSpan): Rung | undefined {
  const ladders = eventsOf(log, 'ladder').filter(({ mediaType }) => mediaType === 'video');
  const fitting = ladders.filter(({ rungs }) => rungs[rung]?.bitrateKbps === bitrateKbps);
  const ladder = fitting.findLast(({ atMs }) => atMs <= fromMs) ?? fitting[0];
  const others = ladders.flatMap(({ rungs }) => rungs);
  return ladder?.rungs[rung] ?? others.find((each) => each.bitrateKbps === bitrateKbps);
}

function faultOf(rung: Rung | undefined, bitrateKbps: number): string | null {
  if (!rung) return `No ladder has the rendered level of ${bitrateKbps} kbit/s.`;
  if (rung.width === null || rung.height === null)
    return `The manifest states no resolution for the level of ${bitrateKbps} kbit/s.`;
  if (rung.codecs === '') return `The manifest names no codec for the level of ${bitrateKbps} kbit/s.`;
  return videoCodecOf(rung.codecs) === null
    ? `P.1203 and its codec extension know H.264, H.265 and VP9, not "${rung.codecs}".`
    : null;
}

/** H.264 is what the standard knows; the other two are names of the codec extension of its authors. */
function videoCodecOf(codecs: string): string | null {
  if (/\bavc[13]/.test(codecs)) return 'h264';
  if (/\bh(vc|ev)1/.test(codecs)) return 'h265';
  return /\bvp0?9/.test(codecs) ? 'vp9' : null;
}

/** ms. Shorter stretches between two counts say little: a frame more or less is a twelfth of half a second of 25. */
const MIN_STRETCH_MS = 500;

/**
 * Frames per second of media to a whole number: the median over the stretches between two counts in which the picture moved all the
 * time. The sum over the session would be too low, because the last count is up to a second old, or too high, because of
 * what was decoded ahead and again after seeks. Where there are no such stretches the sum is all there is.
 */
function countedFps(log: SessionLog): number | null {
  const events = eventsOf(log, 'frames');
  const plays = playSpans(log);
  const rates = events.slice(1).flatMap(({ atMs, decoded }, index) => {
    const before = events[index]!;
    const isWhole = plays.some(({ fromMs, toMs }) => fromMs <= before.atMs && toMs >= atMs);
    const ms = watchedMs(log, { fromMs: before.atMs, toMs: atMs });
    return isWhole && ms >= MIN_STRETCH_MS && decoded > before.decoded
      ? [(1000 * (decoded - before.decoded)) / ms]
      : [];
  });
  const median = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  const fps = Math.round(median ?? sumFps(log));
  return fps > 0 && Number.isFinite(fps) ? fps : null;
}

function sumFps(log: SessionLog): number {
  const frames = noFrames();
  for (const event of eventsOf(log, 'frames')) addFrames(frames, event);
  return (1000 * frames.decoded) / playedMs(log);
}

interface P1203Audio extends WatchedSegment {
  readonly bitrate: number;
  readonly codec: string;
}

/** I.11: a segment for each stretch at one audio rung; with a single rung, for each stretch of play. */
function p1203Audio(log: SessionLog): Result<P1203Audio[]> {
  const rungs = eventsOf(log, 'ladder').flatMap((ladder) =>
    ladder.mediaType === 'audio' ? ladder.rungs : [],
  );
  const [first] = rungs;
  if (!first) return failed('the log has no audio ladder.');
  const strange = rungs.find(({ codecs }) => audioCodecOf(codecs) === null);
  if (strange) return failed(`P.1203 knows AAC, HE-AAC, MP2 and AC-3, not "${strange.codecs}".`);
  const codec = audioCodecOf(first.codecs)!;
  const spans = renderedSpans(log, 'audio');
  if (spans.length > 0)
    return ok(watchedSegments(log, spans, ({ bitrateKbps }) => ({ bitrate: bitrateKbps, codec })));
  return isOne(rungs)
    ? ok(watchedSegments(log, playSpans(log), () => ({ bitrate: first.bitrateKbps, codec })))
    : failed('the log does not say which audio level was played.');
}

const isOne = (rungs: LadderEvent['rungs']): boolean =>
  rungs.every(({ bitrateKbps }) => bitrateKbps === rungs[0]!.bitrateKbps);

function audioCodecOf(codecs: string): string | null {
  if (/\bmp4a\.40\.(5|29)\b/.test(codecs)) return 'heaac';
  if (/\bmp4a\.40\.(02|2)\b/.test(codecs)) return 'aaclc';
  if (/\bac-3\b/.test(codecs)) return 'ac3';
  return /\bmp2\b/i.test(codecs) ? 'mp2' : null;
}

/**
 * I.23: place in watched media and duration of each wait, s. The first stands at 0 for the first frame, also where its
 * length is not known: the public implementation would shift all others else. Waits after seeks are none, nor are those that
 * are too short for a stall: the standard counts events.
 */
function p1203Stalling(log: SessionLog): [number, number][] {
  const plays = playSpans(log);
  const watchedS = (untilMs: number): number =>
    plays
      .filter(({ fromMs }) => fromMs < untilMs)
      .reduce((sum, { fromMs, toMs }) => sum + watchedMs(log, { fromMs, toMs: Math.min(toMs, untilMs) }), 0) /
    1000;
  return [
    [0, (joinTime.of(log).value ?? 0) / 1000],
    ...stallSpans(log).map(({ fromMs, toMs }): [number, number] => [
      watchedS(fromMs),
      (toMs - fromMs) / 1000,
    ]),
  ];
}

/** A stretch of watched media, s. */
interface WatchedSegment {
  readonly start: number;
  readonly duration: number;
}

/** All media that was watched, ms: at twice the rate twice the time. */
const playedMs = (log: SessionLog): number =>
  playSpans(log).reduce((sum, span) => sum + watchedMs(log, span), 0);

/**
 * Spans of session time one after the other, as the media that was watched in them; spans that have the same fields are one
 * stretch.
 */
function watchedSegments<S extends Span, Fields>(
  log: SessionLog,
  spans: readonly S[],
  fieldsOf: (span: S) => Fields,
): (Fields & WatchedSegment)[] {
  const stretches: { fields: Fields; startMs: number; endMs: number }[] = [];
  for (const span of spans) {
    const last = stretches.at(-1);
    const fields = fieldsOf(span);
    const startMs = last?.endMs ?? 0;
    const endMs = startMs + watchedMs(log, span);
    if (last && JSON.stringify(last.fields) === JSON.stringify(fields)) last.endMs = endMs;
    else stretches.push({ fields, startMs, endMs });
  }
  return stretches.map(({ fields, startMs, endMs }) => ({
    ...fields,
    start: seconds(startMs),
    duration: seconds(endMs - startMs),
  }));
}

/** To a microsecond: what is behind it is rounding. */
const seconds = (ms: number): number => Math.round(1000 * ms) / 1e6;
