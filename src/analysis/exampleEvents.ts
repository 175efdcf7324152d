import type { EventOf, EventKind } from '../telemetry/event.ts';
import { exampleLog } from '../telemetry/exampleLog.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Made-up events for tests, a line each. Ids are numbered by `exampleSession`. */
const event = <Kind extends EventKind>(
  kind: Kind,
  atMs: number,
  fields: Omit<EventOf<Kind>, 'kind' | 'id' | 'atMs' | 'missing'> & { missing?: EventOf<Kind>['missing'] },
): EventOf<Kind> => ({ kind, id: 'x', atMs, missing: {}, ...fields }) as unknown as EventOf<Kind>;

export const playback = (atMs: number, state: EventOf<'playback'>['state']): SessionEvent =>
  event('playback', atMs, {
    state,
    playheadMs: atMs,
    playbackRate: 1,
    liveLatencyMs: null,
    missing: { liveLatencyMs: 'not-applicable' },
  });

export const level = (atMs: number, levelMs: number, mediaType: 'video' | 'audio' = 'video'): SessionEvent =>
  event('buffer', atMs, { mediaType, levelMs });

/** A rendered (or requested) rung of the example's ladder: 400, 1000, 4000 kbit/s. */
export const rung = (
  atMs: number,
  toRung: 0 | 1 | 2,
  phase: 'rendered' | 'requested' = 'rendered',
): SessionEvent =>
  event('switch', atMs, {
    phase,
    mediaType: 'video',
    fromRung: null,
    toRung,
    bitrateKbps: [400, 1000, 4000][toRung]!,
    reason: '',
    missing: { fromRung: 'not-applicable' },
  });

export const stalled = (atMs: number, durationMs: number | null): SessionEvent =>
  event('stall', atMs, {
    playheadMs: atMs,
    durationMs,
    missing: durationMs === null ? { durationMs: 'in-flight' } : {},
  });

export const sought = (atMs: number, waitMs: number | null): SessionEvent =>
  event('seek', atMs, {
    fromMs: atMs,
    toMs: 30_000,
    waitMs,
    missing: waitMs === null ? { waitMs: 'not-applicable' } : {},
  });

export const framesSeen = (atMs: number, decoded: number, dropped: number): SessionEvent =>
  event('frames', atMs, { decoded, dropped });

/** The example's presentation (manifest, ladder) and these events, with ids of their own. */
export function exampleSession(events: readonly SessionEvent[]): SessionLog {
  const extra = events.map((each, index) => ({ ...each, id: `x${index + 1}` }));
  const log = exampleLog({ segments: 0, extra });
  const endMs = extra.reduce((last, { atMs }) => Math.max(last, atMs), 200);
  return { ...log, parts: [{ ...log.parts[0]!, endMs }] };
}
