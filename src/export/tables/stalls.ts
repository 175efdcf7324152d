import { eventsOf } from '../../analysis/timeline/log.ts';
import type { StallEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../tableOf.ts';

export const stalls = tableOf<StallEvent>({
  id: 'stalls',
  label: 'stalls',
  about: 'a row per stall (a wait for media after the first frame), without waits after seeks',
  sources: (log) => eventsOf(log, 'stall'),
  columns: [
    field('atMs', 'number', 'when playback stopped'),
    field('playheadMs', 'number', 'position in the presentation'),
    field('durationMs', 'number', 'duration; empty if the log ends during the stall'),
  ],
});
