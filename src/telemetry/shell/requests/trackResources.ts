import { errorDraft } from '../../errorDraft.ts';
import type { RequestEvent } from '../../event.ts';
import { observedRequest } from '../../join/observedRequest.ts';
import type { TimingEntry } from '../../join/resourceTiming.ts';
import { guarded } from '../onEvents.ts';
import { parseUrl } from '../parseUrl.ts';
import type { ElementSurroundings } from '../surroundings.ts';
import { observeResources, OF_ELEMENTS, OF_SCRIPTS, type ResourceEntries } from './observeResources.ts';

const MANIFEST = /\.(?:mpd|m3u8)$/i;
/** Segments of DASH, CMAF and HLS, their subtitles, and files that an element plays as they are. */
const MEDIA = /\.(?:m4[afsv]|mp4|cmf[atv]|m2ts|ts|aac|ac3|ec3|mp3|ogg|opus|webm|mov|vtt|webvtt|ttml|stpp)$/i;

/** Takes a request for one of the stream by the end of its path. Init and index segments count as media. */
export function typeByPath(url: string): RequestEvent['type'] | null {
  const path = parseUrl(url)?.pathname ?? '';
  if (MANIFEST.test(path)) return 'manifest';
  return MEDIA.test(path) ? 'media' : null;
}

/**
 * Records the requests of a stream whose player is not known, when they have ended: those that began since, by their Resource
 * Timing entries. `onManifest` gets the address of each manifest. Returns the disposer.
 */
export function trackResources(
  { recording, clock, keepQueryValues }: ElementSurroundings,
  { typeOf, onManifest }: { typeOf: typeof typeByPath; onManifest: (url: string) => void },
): () => void {
  const sinceMs = performance.now();
  const record = guarded((entry: TimingEntry): void => {
    const type = entry.startTime >= sinceMs ? typeOf(entry.name) : null;
    if (type === null) return;
    if (type === 'manifest') onManifest(entry.name);
    recording.record(observedRequest(entry, { type, sessionMs: clock.sessionMs, keepQueryValues }));
  });
  const take = (): void => {
    for (const entry of resources?.current() ?? []) {
      resources?.claim(entry);
      record(entry);
    }
  };
  let resources: ResourceEntries | null = null;
  try {
    resources = observeResources([...OF_SCRIPTS, ...OF_ELEMENTS], take);
  } catch (fault) {
    const message = `This browser reports no requests, so the log has none: ${String(fault)}`;
    recording.record(errorDraft({ atMs: clock.nowMs(), source: 'telemetry', code: 'no-requests', message }));
  }
  return () => {
    take();
    resources?.dispose();
  };
}
