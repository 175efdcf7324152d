import { eventsOf } from '../../analysis/timeline/log.ts';
import type { BufferEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../tableOf.ts';

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
