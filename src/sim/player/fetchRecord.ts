import type { SimFetch } from '../log/simRequest.ts';
import type { Fetch, TrackJob } from './fetches.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';
import type { DownloadEvent } from '../../abr/rule.ts';
import type { Scene } from '../model.ts';

/** ALPN ids. */
export const ALPN = { h1: 'http/1.1', h2: 'h2', h3: 'h3' } as const;

/** A finished request as the log takes it. A phase that it did not reach is null. */
export function fetchRecord(
  { job, startMs, connection, opened, ...reached }: Fetch,
  { protocol }: PlayerModelSettings,
  { atMs, outcome }: { atMs: number; outcome: 'ok' | 'aborted' },
): SimFetch {
  const own = opened ? connection : null;
  const by = (ms: number | null): number | null => (ms !== null && ms <= atMs ? ms : null);
  return {
    type: job.type,
    mediaType: job.mediaType,
    segment: job.segment,
    rung: job.rung,
    startMs,
    connectStartMs: own && own.connectStartMs,
    secureConnectionStartMs: own && by(own.secureConnectionStartMs),
    connectEndMs: own && by(own.readyMs),
    requestStartMs: by(reached.requestStartMs),
    firstByteMs: reached.firstByteMs,
    lastByteMs: atMs,
    receivedBytes: reached.receivedBytes,
    outcome,
    protocol: ALPN[protocol],
    connectionReused: connection && !opened,
  };
}

/** What the rules receive of a media request that ended at `atMs`. */
export function downloadOf(
  { content }: Scene,
  { protocol }: PlayerModelSettings,
  { fetch, job, outcome, atMs }: { fetch: Fetch; job: TrackJob; outcome: 'ok' | 'aborted'; atMs: number },
): DownloadEvent {
  const { mediaType, segment, rung } = job;
  const track = mediaType === 'audio' && content.audio ? content.audio : content.video;
  return {
    kind: 'download',
    mediaType,
    segment,
    rung,
    bitrateKbps: track.ladder[rung]!.bitrateKbps,
    sizeBytes: fetch.receivedBytes,
    startMs: fetch.startMs,
    firstByteMs: fetch.firstByteMs,
    lastByteMs: atMs,
    protocol: ALPN[protocol],
    connectionReused: !fetch.opened,
    aborted: outcome === 'aborted',
  };
}
