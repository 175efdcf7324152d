import type { SimFetch, Steered } from '../log/simRequest.ts';
import type { Fetch, TrackJob } from './fetches.ts';
import { settingsOver } from './pathways.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';
import type { DownloadEvent } from '../../abr/rule.ts';
import type { Scene } from '../model.ts';

/** ALPN ids. */
export const ALPN = { h1: 'http/1.1', h2: 'h2', h3: 'h3' } as const;

/** How a request ended, and the id of the request whose body it continues. */
interface Ending {
  readonly atMs: number;
  readonly outcome: SimFetch['outcome'];
  readonly continues: string | null;
}

/** A finished request as the log takes it. A phase that it did not reach is null. */
export function fetchRecord(
  fetch: Fetch,
  settings: PlayerModelSettings,
  { atMs, outcome, continues }: Ending,
): SimFetch {
  const { job, startMs, connection, opened, attempt, ...reached } = fetch;
  const own = opened ? connection : null;
  const by = (ms: number | null): number | null => (ms !== null && ms <= atMs ? ms : null);
  return {
    type: job.type,
    mediaType: job.mediaType,
    segment: job.segment,
    rung: job.rung,
    ...(attempt > 0 && { attempt }),
    startMs,
    connectStartMs: own && own.connectStartMs,
    secureConnectionStartMs: own && by(own.secureConnectionStartMs),
    connectEndMs: own && by(own.readyMs),
    requestStartMs: by(reached.requestStartMs),
    firstByteMs: reached.firstByteMs,
    lastByteMs: atMs,
    receivedBytes: reached.receivedBytes,
    outcome,
    protocol: ALPN[settingsOver(settings, fetch.pathway).protocol],
    connectionReused: connection && !opened,
    ...(settings.steering && { steered: steeredOf(fetch, continues) }),
  };
}

function steeredOf({ job, pathway, continues: before }: Fetch, continues: string | null): Steered {
  const hadBytes = before?.receivedBytes ?? 0;
  const range = job.type === 'probe' ? `0-${job.rangeBytes - 1}` : hadBytes > 0 ? `${hadBytes}-` : null;
  return { pathway, range, continues, file: job.type === 'probe' ? job.file : null };
}

/** What the rules receive of a media request that ended at `atMs`. */
export function downloadOf(
  { content }: Scene,
  settings: PlayerModelSettings,
  { fetch, job, outcome, atMs }: { fetch: Fetch; job: TrackJob; outcome: SimFetch['outcome']; atMs: number },
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
    protocol: ALPN[settingsOver(settings, fetch.pathway).protocol],
    connectionReused: !fetch.opened,
    aborted: outcome !== 'ok',
  };
}
