/** The MPD of an endless live stream that repeats encoded segments. PURE: the clock is an argument. */
import type { LiveSource } from './liveSource.ts';
import { mpd } from './mpd.ts';
import type { Track } from './track.ts';
import { element } from './xml.ts';

export interface LiveMpdOptions {
  readonly recipe: LiveSource['recipe'];
  /** With whole segments, see `grouped`. */
  readonly tracks: readonly Track[];
  /** When the first segment began. */
  readonly startUnixMs: number;
  readonly nowUnixMs: number;
  /** Segments may be asked for as soon as their first chunk is there. */
  readonly isLowLatency: boolean;
}

const timeShiftSeconds = 30;

/** A dynamic MPD with number-based templates: it never needs an update, so clients may keep it for ten seconds. */
export function liveMpd({ recipe, tracks, startUnixMs, nowUnixMs, isLowLatency }: LiveMpdOptions): string {
  const { segmentSeconds, chunkSeconds = segmentSeconds } = recipe;
  const time = (unixMs: number): string => new Date(unixMs).toISOString();
  // The server's own clock, inside the document: no public time server is asked.
  const clock = element('UTCTiming', {
    schemeIdUri: 'urn:mpeg:dash:utc:direct:2014',
    value: time(nowUnixMs),
  });
  return mpd({
    ...recipe,
    addressing: 'template',
    tracks,
    periods: [{ first: 0, count: recipe.segments }],
    live: {
      attributes: {
        availabilityStartTime: time(startUnixMs),
        publishTime: time(nowUnixMs),
        minimumUpdatePeriod: 'PT10S',
        timeShiftBufferDepth: `PT${timeShiftSeconds}S`,
        suggestedPresentationDelay: `PT${isLowLatency ? segmentSeconds : 3 * segmentSeconds}S`,
      },
      endings: isLowLatency ? [serviceDescription(segmentSeconds), clock] : [clock],
      early: isLowLatency
        ? { availabilityTimeOffset: String(segmentSeconds - chunkSeconds), availabilityTimeComplete: 'false' }
        : {},
    },
  });
}

/** What latency the service aims at, and how far a player may bend its rate to get there (DASH-IF IOP Part 9). */
function serviceDescription(segmentSeconds: number): string {
  const target = segmentSeconds * 1000;
  return element('ServiceDescription', { id: 0 }, [
    element('Latency', { target, min: target / 2, max: target * 3 }),
    element('PlaybackRate', { min: 0.96, max: 1.04 }),
  ]);
}
