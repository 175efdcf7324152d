import { eventsOf } from '../../analysis/eventsOf.ts';
import type { StallEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../tableOf.ts';

export const stalls = tableOf<StallEvent>({
  id: 'stalls',
  label: 'stalls',
  about: 'a row per wait for media after the first frame, without seeks',
  sources: (log) => eventsOf(log, 'stall'),
  columns: [
    field('atMs', 'number', 'playback stood still'),
    field('playheadMs', 'number', 'place in the presentation'),
    field('durationMs', 'number', 'how long; empty where the log ends in it'),
  ],
});
