import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { networkEvents } from './networkEvents.ts';
import { playbackEvents } from './playbackEvents.ts';
import { qualityEvents } from './qualityEvents.ts';

/** An event of qlog: `time` in ms since `reference_time`, `name` is category and type. */
export interface QlogEvent {
  readonly time: number;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The session in the vocabulary of qlog-has (github.com/JorisHerbots/qlog-has, draft-qlog-has-events.md in its newest
 * version, and its author's dash.js recorder dashjs-qlog-has, which alone writes RepresentationSwitch as
 * `representation_switch`), ascending in time. The draft says uint16 where it means a count of ms or bytes: numbers are
 * those of the log. What it has no word for is under `pitwall:`; fields that it does not know are added to its events.
 */
export const hasEvents = (log: SessionLog): QlogEvent[] =>
  [...playbackEvents(log), ...qualityEvents(log), ...networkEvents(log)].sort(
    (one, other) => one.time - other.time,
  );
