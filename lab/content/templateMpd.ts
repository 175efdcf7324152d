import type { StreamRecipe } from './demoRecipe.ts';

/** A period of the template test stream: which part of it, and where on the presentation's time line. */
export interface PeriodPart {
  readonly id: string;
  /** Start on the presentation's time line, s. */
  readonly startS: number;
  /** null for an open end (live). */
  readonly durationS: number | null;
  /** Seconds into the media at which this period begins; a multiple of the segment duration. */
  readonly mediaOffsetS: number;
  /** Seconds before a segment's end at which it may be asked for (low-latency live). */
  readonly earlyS?: number;
}

const TIMESCALE = 1_000_000;

/** The adaptation sets of a period over the files that `packageDash` wrote, reached through `baseUrl`. */
export function templatePeriod(recipe: StreamRecipe, baseUrl: string, part: PeriodPart): string {
  const segments = template(recipe, part);
  const video = recipe.rungs.map(
    ({ width, height, bitrateKbps }, index) =>
      `<Representation id="${index}" bandwidth="${bitrateKbps * 1000}" codecs="vp09.00.10.08" width="${width}" height="${height}" frameRate="${recipe.framesPerSecond}"/>`,
  );
  const audio = recipe.audioKbps.map(
    (kbps, index) =>
      `<Representation id="${recipe.rungs.length + index}" bandwidth="${kbps * 1000}" codecs="opus" audioSamplingRate="48000"/>`,
  );
  const duration = part.durationS === null ? '' : ` duration="PT${part.durationS}S"`;
  return `
  <Period id="${part.id}" start="PT${part.startS}S"${duration}>
    <BaseURL>${baseUrl}</BaseURL>
    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">
      ${segments}${video.join('')}
    </AdaptationSet>
    <AdaptationSet id="1" contentType="audio" mimeType="audio/mp4" lang="en" segmentAlignment="true">
      ${segments}${audio.join('')}
    </AdaptationSet>
  </Period>`;
}

function template({ segmentS }: StreamRecipe, { mediaOffsetS, earlyS }: PeriodPart): string {
  const early = earlyS ? ` availabilityTimeOffset="${earlyS}" availabilityTimeComplete="false"` : '';
  return `<SegmentTemplate timescale="${TIMESCALE}" duration="${segmentS * TIMESCALE}" startNumber="${mediaOffsetS / segmentS + 1}" presentationTimeOffset="${mediaOffsetS * TIMESCALE}"${early} initialization="init-$RepresentationID$.mp4" media="segment-$RepresentationID$-$Number$.m4s"/>`;
}

/** A static presentation of several periods. */
export function multiPeriodMpd(recipe: StreamRecipe, baseUrl: string, parts: readonly PeriodPart[]): string {
  const durationS = parts.reduce((sum, part) => sum + (part.durationS ?? 0), 0);
  return `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="PT${durationS}S" minBufferTime="PT2S">${parts.map((part) => templatePeriod(recipe, baseUrl, part)).join('')}
</MPD>
`;
}
