import { addressed, type Addressing, type Span } from './addressing.ts';
import type { AudioTrackFacts, Track, VideoTrackFacts } from './track.ts';
import { element } from './xml.ts';
import { type SizesFile, SIZES_SCHEMA } from '../../src/abr/sizesFile.ts';

/** Writes MPDs (ISO/IEC 23009-1) over measured tracks. PURE. */

/** What our player looks for (docs/sizes-file.md). */
const SIZES_SCHEME = 'urn:pitwall:sizes:2026';

/** A WebVTT file beside the MPD. */
export interface TextTrack {
  readonly file: string;
  readonly language: string;
}

export interface MpdOptions {
  readonly title: string;
  readonly addressing: Addressing;
  readonly tracks: readonly Track[];
  readonly framesPerSecond: number;
  readonly segmentSeconds: number;
  /** One period per entry, one after the other. */
  readonly periods: readonly Span[];
  readonly text?: TextTrack;
  /** The side file with the sizes of all segments, beside the MPD. */
  readonly sizesFile?: string;
  /** What makes the MPD dynamic: attributes of the MPD element, and elements at its end. */
  readonly live?: {
    readonly attributes: Readonly<Record<string, string>>;
    readonly endings: readonly string[];
    /** Attributes of the segment templates that let segments be asked for before they end. */
    readonly early: Readonly<Record<string, string>>;
  };
}

/** Segments that start with a key frame and stand alone; byte ranges into one file are another profile (§8). */
const profiles: Readonly<Record<Addressing, string>> = {
  template: 'urn:mpeg:dash:profile:isoff-live:2011',
  timeline: 'urn:mpeg:dash:profile:isoff-live:2011',
  base: 'urn:mpeg:dash:profile:isoff-on-demand:2011',
  list: 'urn:mpeg:dash:profile:isoff-main:2011',
};

/** The whole document. */
export function mpd(options: MpdOptions): string {
  const { segmentSeconds, periods, live } = options;
  const seconds = periods.reduce((sum, { count }) => sum + count, 0) * segmentSeconds;
  const attributes = {
    xmlns: 'urn:mpeg:dash:schema:mpd:2011',
    profiles: profiles[options.addressing],
    type: live ? 'dynamic' : 'static',
    minBufferTime: isoSeconds(segmentSeconds),
    mediaPresentationDuration: live ? null : isoSeconds(seconds),
    maxSegmentDuration: isoSeconds(segmentSeconds),
    ...live?.attributes,
  };
  const children = [
    element('ProgramInformation', {}, [element('Title', {}, options.title)]),
    ...periods.map((span, index) => period(options, span, index)),
    ...(options.sizesFile === undefined
      ? []
      : [element('SupplementalProperty', { schemeIdUri: SIZES_SCHEME, value: options.sizesFile })]),
    ...(live?.endings ?? []),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('MPD', attributes, children)}\n`;
}

function period(options: MpdOptions, span: Span, index: number): string {
  const { segmentSeconds, periods, tracks, text, live } = options;
  const before = periods.slice(0, index).reduce((sum, { count }) => sum + count, 0);
  const attributes = {
    id: `p${index}`,
    start: isoSeconds(before * segmentSeconds),
    duration: live ? null : isoSeconds(span.count * segmentSeconds),
  };
  const video = tracks.filter((track) => track.kind === 'video');
  const audio = tracks.filter((track) => track.kind === 'audio');
  const languages = [...new Set(audio.map(({ language }) => language))];
  return element('Period', attributes, [
    videoSet(video, options, span),
    ...languages.map((language, order) =>
      audioSet(
        audio.filter((track) => track.language === language),
        { ...options, id: 2 + order, isMain: order === 0 },
        span,
      ),
    ),
    ...(text ? [textSet(text, 2 + languages.length)] : []),
  ]);
}

function videoSet(tracks: readonly VideoTrackFacts[], options: MpdOptions, span: Span): string {
  const attributes = {
    id: 1,
    contentType: 'video',
    mimeType: 'video/mp4',
    segmentAlignment: 'true',
    startWithSAP: 1,
    frameRate: options.framesPerSecond,
    sar: '1:1',
  };
  const representations = tracks.map((track) => {
    const { id, codecs, widthPx, heightPx, bitrateKbps } = track;
    const own = { id, codecs, width: widthPx, height: heightPx, bandwidth: Math.round(bitrateKbps * 1000) };
    return element('Representation', own, addressed(options.addressing, track, span, options.live?.early));
  });
  return element('AdaptationSet', attributes, representations);
}

function audioSet(
  tracks: readonly AudioTrackFacts[],
  options: MpdOptions & { id: number; isMain: boolean },
  span: Span,
): string {
  const attributes = {
    id: options.id,
    contentType: 'audio',
    mimeType: 'audio/mp4',
    lang: tracks[0]?.language ?? null,
    segmentAlignment: 'true',
    startWithSAP: 1,
  };
  const role = element('Role', {
    schemeIdUri: 'urn:mpeg:dash:role:2011',
    value: options.isMain ? 'main' : 'dub',
  });
  const representations = tracks.map((track) => {
    const { id, codecs, bitrateKbps } = track;
    const own = { id, codecs, bandwidth: Math.round(bitrateKbps * 1000), audioSamplingRate: 48_000 };
    return element('Representation', own, addressed(options.addressing, track, span, options.live?.early));
  });
  return element('AdaptationSet', attributes, [role, ...representations]);
}

function textSet({ file, language }: TextTrack, id: number): string {
  const attributes = { id, contentType: 'text', mimeType: 'text/vtt', lang: language };
  return element('AdaptationSet', attributes, [
    element('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value: 'subtitle' }),
    element('Representation', { id: 'text-1', bandwidth: 256 }, [element('BaseURL', {}, file)]),
  ]);
}

const isoSeconds = (seconds: number): string => `PT${seconds}S`;

/** The side file that tells the size of every segment (docs/sizes-file.md), measured from the files. PURE. */
export function sizesFile(segmentSeconds: number, tracks: readonly Track[]): string {
  const file: SizesFile & { readonly schema: string } = {
    schema: SIZES_SCHEMA,
    segmentMs: segmentSeconds * 1000,
    representations: tracks.map(({ id, kind, bitrateKbps, segments }) => ({
      id,
      mediaType: kind,
      bitrateKbps,
      sizesBytes: segments.map(({ sizeBytes }) => sizeBytes),
    })),
  };
  return `${JSON.stringify(file)}\n`;
}
