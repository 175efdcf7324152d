import { secondsFromMs } from '../shared/units.ts';

/** Durations in manifests are rounded, and tracks differ by a segment. */
const TOLERATED_MS = 5000;
const TOLERATED_SHARE = 0.1;

/**
 * The sentence for a stream that ended long before its manifest says it does; null for an honest end. dash.js calls a
 * stream finished once it has loaded every segment, and cuts the duration to what the browser could make of them.
 */
export function formatShortEnd(endedAtMs: number, promisedMs: number): string | null {
  const lackingMs = promisedMs - endedAtMs;
  if (!(lackingMs > TOLERATED_MS && lackingMs > promisedMs * TOLERATED_SHARE)) return null;
  return (
    `The stream ended at ${secondsFromMs(endedAtMs).toFixed(1)} s, but its manifest promises ` +
    `${secondsFromMs(promisedMs).toFixed(1)} s: what the server sent after that is not playable.`
  );
}
