import { eventsOf } from '../../analysis/timeline/log.ts';
import type { EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { QlogEvent } from './hasEvents.ts';

/** Rungs, decisions, buffers, frames: qlog-has, "Adaptive BitRate events" and "Buffer events". */
export const qualityEvents = (log: SessionLog): QlogEvent[] => [
  ...switches(log),
  ...eventsOf(log, 'buffer').map(({ atMs, mediaType, levelMs }) => ({
    time: atMs,
    name: 'buffer:occupancy_update',
    data: { media_type: mediaType, buffer: { level_ms: levelMs } },
  })),
  ...eventsOf(log, 'frames').map(({ atMs, dropped }) => ({
    time: atMs,
    name: 'abr:metrics_updated',
    data: { dropped_frames: dropped },
  })),
  ...eventsOf(log, 'decision').map(
    ({ id, atMs, mediaType, rule, rung, bitrateKbps, because, requestId }) => ({
      time: atMs,
      name: 'pitwall:decision',
      data: {
        id,
        media_type: mediaType,
        rule,
        rung,
        bitrate_kbps: bitrateKbps,
        because,
        request_id: requestId,
      },
    }),
  ),
];

/** A representation is named by the newest ladder of its media type. Bitrates are bit/s, as DASH' @bandwidth. */
function switches({ events }: SessionLog): QlogEvent[] {
  const ladders = new Map<string, EventOf<'ladder'>['rungs']>();
  return events.flatMap((event) => {
    if (event.kind === 'ladder') ladders.set(event.mediaType, event.rungs);
    if (event.kind !== 'switch') return [];
    const rungs = ladders.get(event.mediaType);
    const { fromRung, toRung, bitrateKbps, mediaType, atMs: time, phase, reason } = event;
    const named = (rung: number): string => rungs?.[rung]?.representationId ?? `rung ${rung}`;
    const to = { id: named(toRung), bitrate: bitrateKbps * 1000 };
    const from = fromRung === null ? {} : { from: { id: named(fromRung) } };
    const name = phase === 'rendered' ? 'playback:quality_changed' : 'abr:representation_switch';
    return [{ time, name, data: { media_type: mediaType, to, ...from, ...(reason !== '' && { reason }) } }];
  });
}
