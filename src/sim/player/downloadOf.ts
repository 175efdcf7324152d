import type { DownloadEvent } from '../../abr/rule.ts';
import type { Scene } from '../model.ts';
import { ALPN } from './fetchRecord.ts';
import type { Fetch, TrackJob } from './fetches.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

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
