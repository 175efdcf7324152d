import type { RequestEvent } from '../../telemetry/event.ts';

/** Phases of HAR 1.2, ms. -1 is "does not apply"; send, wait and receive must not be below 0. */
export interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
  readonly comment?: string;
}

/**
 * Resource Timing as HAR's phases. `time` is what passed from start to last byte, and the phases without -1 and `ssl` (it
 * is within `connect`) add up to it. Redirects and waiting for a connection are `blocked`; a browser does not
 * separate sending from waiting. Where it hid the phases, all time stands in `wait`, and the comment says so.
 * `endMs`: the end of the log.
 */
export function harTimings(
  event: RequestEvent,
  endMs: number,
): { readonly time: number; readonly timings: HarTimings } {
  const { startMs, requestStartMs, firstByteMs, lastByteMs } = event;
  if (startMs === null || requestStartMs === null || firstByteMs === null) return hidden(event, endMs);
  const time = Math.max(firstByteMs, lastByteMs ?? event.endMs ?? endMs) - startMs;
  const wait = Math.max(0, firstByteMs - requestStartMs);
  const receive = Math.max(0, time - (firstByteMs - startMs));
  const dns = between(event.domainLookupStartMs, event.domainLookupEndMs);
  const connect = between(event.connectStartMs, event.connectEndMs);
  const ssl = connect < 0 ? -1 : between(event.secureConnectionStartMs, event.connectEndMs);
  const blocked = Math.max(0, time - wait - receive - Math.max(0, dns) - Math.max(0, connect));
  return { time, timings: { blocked, dns, connect, ssl, send: 0, wait, receive } };
}

function hidden(event: RequestEvent, endMs: number): { time: number; timings: HarTimings } {
  const { startMs, lastByteMs, atMs, missing } = event;
  const time = Math.max(0, (lastByteMs ?? event.endMs ?? endMs) - (startMs ?? atMs));
  const why = missing['firstByteMs'] ?? missing['requestStartMs'] ?? missing['startMs'] ?? 'unknown';
  const comment = `The phases are not known (${why}): the whole time is in wait.`;
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0 };
  return { time, timings: { ...none, wait: time, receive: 0, comment } };
}

const between = (fromMs: number | null, toMs: number | null): number =>
  fromMs === null || toMs === null ? -1 : Math.max(0, toMs - fromMs);
