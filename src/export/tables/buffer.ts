import { eventsOf } from '../../analysis/eventsOf.ts';
import type { BufferEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../tableOf.ts';

export const buffer = tableOf<BufferEvent>({
  id: 'buffer',
  label: 'buffer',
  about: 'a row per reading of a buffer, when its level changed',
  sources: (log) => eventsOf(log, 'buffer'),
  columns: [
    field('atMs', 'number', 'read'),
    field('mediaType', 'text', 'video or audio'),
    field('levelMs', 'number', 'media ahead of the playhead'),
  ],
});
