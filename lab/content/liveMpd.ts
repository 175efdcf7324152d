import type { StreamRecipe } from './demoRecipe.ts';
import { templatePeriod } from './templateMpd.ts';

export interface LiveOptions {
  readonly recipe: StreamRecipe;
  /** Folder of the template test stream, with a slash at its end. */
  readonly baseUrl: string;
  /** When the first segment began, Unix ms. */
  readonly startUnixMs: number;
  /** When the manifest is written, Unix ms. */
  readonly nowUnixMs: number;
  /**
   * Segments may be asked for this long before they end. The files are whole, so a player gets all of it at once;
   * what is real is the player's low-latency behaviour, not chunked delivery.
   */
  readonly earlyS?: number;
}

/** A dynamic MPD over the template test stream: live for as long as that stream lasts. */
export function liveMpd({ recipe, baseUrl, startUnixMs, nowUnixMs, earlyS }: LiveOptions): string {
  const part = { id: 'live', startS: 0, durationS: null, mediaOffsetS: 0, ...(earlyS ? { earlyS } : {}) };
  const time = (unixMs: number): string => new Date(unixMs).toISOString();
  const latency = earlyS
    ? '\n  <ServiceDescription id="0"><Latency target="2500" min="1500" max="6000"/><PlaybackRate min="0.95" max="1.05"/></ServiceDescription>'
    : '';
  return `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="dynamic" availabilityStartTime="${time(startUnixMs)}" publishTime="${time(nowUnixMs)}" minimumUpdatePeriod="PT4S" timeShiftBufferDepth="PT30S" suggestedPresentationDelay="PT${recipe.segmentS * 2}S" minBufferTime="PT2S">${latency}${templatePeriod(recipe, baseUrl, part)}
  <UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${time(nowUnixMs)}"/>
</MPD>
`;
}
