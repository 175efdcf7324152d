import { redactUrl } from '../redactUrl.ts';
import { absent, finiteOr, withReasons } from '../withReasons.ts';
import { onPlayer, type Surroundings } from './tracker.ts';

/** The parts of dash.js' parsed MPD (dash/parser/DashParser.js) that we read. Times in s. */
interface Manifest {
  readonly url?: string;
  readonly type?: string;
  readonly mediaPresentationDuration?: number;
  readonly minBufferTime?: number;
  readonly Period?: readonly Period[];
}
interface Period {
  readonly AdaptationSet?: readonly AdaptationSet[];
}
interface AdaptationSet {
  readonly SegmentTemplate?: Template;
  readonly Representation?: readonly { readonly SegmentTemplate?: Template }[];
}
interface Template {
  readonly availabilityTimeComplete?: boolean | string;
}

/** Every manifest that dash.js took over, also each reload of a live one. */
export function trackManifests({ player, clock, recording, keepQueryValues }: Surroundings): () => void {
  return onPlayer<{ data?: Manifest | null }>(player, {
    manifestLoaded({ data: manifest }) {
      if (!manifest) return;
      const live = manifest.type === 'dynamic';
      recording.record({
        kind: 'manifest',
        atMs: clock.nowMs(),
        ...withReasons({
          url: redactUrl(manifest.url ?? '', keepQueryValues),
          type: live ? ('dynamic' as const) : ('static' as const),
          lowLatency: isLowLatency(manifest),
          durationMs: finiteOr(ms(manifest.mediaPresentationDuration), live ? 'not-applicable' : 'not-sent'),
          minBufferMs: ms(manifest.minBufferTime) ?? absent('not-sent'),
          periods: manifest.Period?.length ?? 0,
        }),
      });
    },
  });
}

/** Segments are announced before they are complete: DASH-IF low-latency mode (IOP v5 part 4). */
function isLowLatency({ Period = [] }: Manifest): boolean {
  const sets = Period.flatMap(({ AdaptationSet = [] }) => AdaptationSet);
  const templates = sets.flatMap(({ SegmentTemplate, Representation = [] }) => [
    SegmentTemplate,
    ...Representation.map((each) => each.SegmentTemplate),
  ]);
  return templates.some((template) => String(template?.availabilityTimeComplete) === 'false');
}

function ms(seconds: number | undefined): number | null {
  return seconds !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null;
}
