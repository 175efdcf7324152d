import { absent, type Absent, type MissingReason } from '../event.ts';
import { clockServers, placeOf, schemeOf, type ClockManifest, type ClockServer } from './clockServers.ts';
import { onNextSource, onPlayer, type Surroundings } from './surroundings.ts';

/** How far the clock that dash.js counts the live edge by may be off. */
interface LiveClock {
  /** What an event says beside a latency that was read now; nothing without a live stream. */
  fields(): { liveLatencyErrorMs?: number | Absent };
  dispose(): void;
}

interface LiveManifest extends ClockManifest {
  readonly type?: string;
}

interface DateHeader {
  getLatestMPDRequestHeaderValueByID(name: string): string | null;
}

/**
 * An HTTP date has whole seconds (RFC 9110, section 5.6.7), cut off, not rounded. Of a time that stands in the manifest itself
 * (scheme "direct") dash.js drops the ms, too: its parser makes a Date, which is parsed again as text.
 */
const STEP_MS = 1000;
/** dash.js and this module read the device's clock one after the other, in one task. */
const SAME_OFFSET_MS = 5;
/** How near a whole second an answer must be to count as one without a fraction: 2 % of all others are, and get 1 s too much. */
const WHOLE_SECOND_MS = 10;

/**
 * Bounds the error of the clock that dash.js takes (controllers/TimeSyncController.js):
 * - A server that is asked read its clock at some moment between request and answer, and dash.js takes the middle: the error is
 *   at most half of that time, either way. An answer without a fraction of a second is up to 1 s too early as well.
 * - A Date header of the manifest, where no clock is named or none answers, and a time in the manifest itself are too early by
 *   what they cut off, and by the time since they were written, which was not before the manifest was asked for. Every server
 *   sends the header (RFC 9110, section 6.6.1), but across origins a page reads it only where CORS exposes it.
 * - Else dash.js takes the device's clock, of whose error nothing is known.
 */
export function createLiveClock({ player }: Pick<Surroundings, 'player'>): LiveClock {
  let manifest: LiveManifest | null = null;
  let askedMs = { last: 0, answered: 0 };
  let errorMs: number | MissingReason | null = null;
  /** When dash.js can have begun to ask for the offset that comes next. */
  let sinceMs: number | null = null;
  const errorOfServer = createServerErrors(player);
  const off = onPlayer<{ data?: LiveManifest | null; offset?: number }>(player, {
    manifestLoadingStarted: () => void (askedMs = { ...askedMs, last: performance.now() }),
    manifestLoaded({ data = null }) {
      manifest = data;
      askedMs = { ...askedMs, answered: askedMs.last };
      sinceMs ??= performance.now();
    },
    updateTimeSyncOffset({ offset = NaN }) {
      if (manifest?.type !== 'dynamic') errorMs = null;
      // Without an answer dash.js keeps the offset that it has.
      else if (!Number.isFinite(offset)) errorMs ??= 'not-exposed';
      else if (isOfManifest({ player, manifest, offset }))
        errorMs = STEP_MS + performance.now() - askedMs.answered;
      else errorMs = errorOfServer({ manifest, offset, fromMs: sinceMs ?? askedMs.answered });
      sinceMs = performance.now();
    },
  });
  const offSource = onNextSource(player, () => {
    errorMs = null;
    sinceMs = null;
  });
  return {
    fields() {
      if (errorMs === null) return {};
      return { liveLatencyErrorMs: typeof errorMs === 'number' ? Math.ceil(errorMs) : absent(errorMs) };
    },
    dispose() {
      offSource();
      off();
    },
  };
}

/** Whether an offset comes from a time that came with the manifest. */
function isOfManifest({ player, manifest, offset }: Pick<Surroundings, 'player'> & Offset): boolean {
  // Its types name a media type before the header; its code has none.
  const metrics = player.getDashMetrics() as unknown as DateHeader;
  const times = [metrics.getLatestMPDRequestHeaderValueByID('Date'), ...directTimes(manifest)];
  return times.some((time) => Math.abs(Date.parse(time ?? '') - Date.now() - offset) <= SAME_OFFSET_MS);
}

/** Offset of the server's clock from the device's, server less device, ms, as dash.js has just taken it. */
interface Offset {
  readonly manifest: ClockManifest | null;
  readonly offset: number;
}

/** Bounds the error of a server's time. dash.js may have asked several times since `fromMs`, and taken the mean of the offsets. */
function createServerErrors(player: Surroundings['player']) {
  /** What the answers of a server cut off; without an entry it has not shown a fraction of a second yet. */
  const steps = new Map<string, number>();
  return ({ manifest, offset, fromMs }: Offset & { readonly fromMs: number }): number => {
    const nowMs = performance.now();
    const answers = answersOf(clockServers(player, manifest), fromMs);
    const last = answers.at(-1);
    // A page may have emptied the browser's list of requests.
    if (!last) return STEP_MS + (nowMs - fromMs) / 2;
    const tripMs = nowMs - last.startTime;
    const serverUnixMs = offset + Date.now() - tripMs / 2;
    if (answers.length === 1 && !isWholeSecond(serverUnixMs)) steps.set(last.place, 0);
    const step = last.scheme === 'http-head' ? STEP_MS : (steps.get(last.place) ?? STEP_MS);
    const trips = answers.slice(0, -1).map(({ startTime, responseEnd }) => responseEnd - startTime);
    return step + Math.max(tripMs, ...trips) / 2;
  };
}

const isWholeSecond = (unixMs: number): boolean =>
  Math.abs(unixMs - Math.round(unixMs / STEP_MS) * STEP_MS) <= WHOLE_SECOND_MS;

/** Returns the times of the scheme "direct", as dash.js reads it. */
function directTimes(manifest: ClockManifest | null): string[] {
  return (manifest?.UTCTiming ?? []).flatMap(({ schemeIdUri = '', value = '' }) =>
    schemeOf(schemeIdUri) === 'direct' ? [value.toString()] : [],
  );
}

interface ClockAnswer extends ClockServer {
  readonly startTime: number;
  readonly responseEnd: number;
}

/** The answers of these servers that ended since `fromMs`, in the order of their requests. */
function answersOf(servers: readonly ClockServer[], fromMs: number): ClockAnswer[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return entries
    .flatMap(({ name, startTime, responseEnd, responseStatus = 200 }) => {
      const server = servers.find(({ place }) => place === placeOf(name));
      const isAnswer = server && responseEnd >= fromMs && responseStatus === 200;
      return isAnswer ? [{ ...server, startTime, responseEnd }] : [];
    })
    .sort((one, other) => one.startTime - other.startTime);
}
