import { absent, type Absent, type MissingReason } from '../event.ts';
import { onPlayer, type Surroundings } from './surroundings.ts';

/** How far the clock that dash.js counts the live edge by may be off. */
interface LiveClock {
  /** What an event says beside a latency that was read now; nothing where the stream itself gives the time. */
  fields(): { liveLatencyErrorMs?: number | Absent };
  dispose(): void;
}

interface Timing {
  readonly schemeIdUri?: string;
}

interface LiveManifest {
  readonly type?: string;
  readonly UTCTiming?: readonly Timing[];
}

interface DateHeader {
  getLatestMPDRequestHeaderValueByID(name: string): string | null;
}

/**
 * An HTTP date has whole seconds (RFC 9110, section 5.6.7), cut off, not rounded. Of a time that stands in the manifest itself
 * (scheme "direct") dash.js drops the ms, too: its parser makes a Date, which is parsed again as text.
 */
const STEP_MS = 1000;
/** dash.js and this module read the device's clock one after the other. */
const SAME_OFFSET_MS = 20;

/**
 * Where a stream names no clock, or none that answers, dash.js takes the Date header of the manifest, and else the device's
 * clock (controllers/TimeSyncController.js). By a Date header the live edge, and with it the latency, is too low: by what the
 * header cuts off, and by the time since it was written, which was not before the manifest was asked for. The same holds of a
 * time that stands in the manifest. Every server sends
 * the header (RFC 9110, section 6.6.1), but across origins a page reads it only where CORS exposes it.
 */
export function createLiveClock({ player }: Pick<Surroundings, 'player'>): LiveClock {
  let manifest: LiveManifest | null = null;
  let askedMs = { last: 0, answered: 0 };
  let errorMs: number | MissingReason | null = null;
  const off = onPlayer<{ data?: LiveManifest | null; offset?: number }>(player, {
    manifestLoadingStarted: () => void (askedMs = { ...askedMs, last: performance.now() }),
    manifestLoaded({ data = null }) {
      manifest = data;
      askedMs = { ...askedMs, answered: askedMs.last };
    },
    updateTimeSyncOffset({ offset = NaN }) {
      if (manifest?.type !== 'dynamic') errorMs = null;
      else if (!Number.isFinite(offset)) errorMs = 'not-exposed';
      else if (schemeOf(manifest) === 'direct' || isOfDateHeader(offset))
        errorMs = STEP_MS + performance.now() - askedMs.answered;
      else errorMs = schemeOf(manifest) === 'http-head' ? STEP_MS : null;
    },
  });
  const isOfDateHeader = (offset: number): boolean => {
    // Its types name a media type before the header; its code has none.
    const metrics = player.getDashMetrics() as unknown as DateHeader;
    const date = Date.parse(metrics.getLatestMPDRequestHeaderValueByID('Date') ?? '');
    return Math.abs(date - Date.now() - offset) <= SAME_OFFSET_MS;
  };
  return {
    fields() {
      if (errorMs === null) return {};
      return { liveLatencyErrorMs: typeof errorMs === 'number' ? Math.ceil(errorMs) : absent(errorMs) };
    },
    dispose: off,
  };
}

/** The scheme that dash.js asks first, of those that it knows. */
function schemeOf({ UTCTiming = [] }: LiveManifest): string | undefined {
  const schemes = UTCTiming.map(({ schemeIdUri = '' }) => /:utc:([\w-]+):\d+$/.exec(schemeIdUri)?.[1]);
  return schemes.find((scheme) => scheme !== undefined && !scheme.includes('ntp'));
}
