import { eventsOf } from '../../analysis/timeline/log.ts';
import type { BufferEvent, StallEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../table.ts';

export const buffer = tableOf<BufferEvent>({
  id: 'buffer',
  label: 'buffer',
  about: 'a row per reading of a buffer level that differs from the one before',
  sources: (log) => eventsOf(log, 'buffer'),
  columns: [
    field('atMs', 'number', 'when the level was read'),
    field('mediaType', 'text', 'video or audio'),
    field('levelMs', 'number', 'media ahead of the playhead'),
  ],
});

export const stalls = tableOf<StallEvent>({
  id: 'stalls',
  label: 'stalls',
  about:
    'a row per wait for media after the first frame, also one that is too short to count as a stall, without waits after seeks',
  sources: (log) => eventsOf(log, 'stall'),
  columns: [
    field('atMs', 'number', 'when playback stopped'),
    field('playheadMs', 'number', 'position in the presentation'),
    field('durationMs', 'number', 'duration; empty if the log ends during the stall'),
  ],
});
