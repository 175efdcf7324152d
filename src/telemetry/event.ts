import type { SessionEvent } from './schema/sessionLog.ts';

/** The events of a session log as types; `schema/` is their single source. */
export type EventKind = SessionEvent['kind'];
export type EventOf<Kind extends EventKind> = Extract<SessionEvent, { kind: Kind }>;

export type ManifestEvent = EventOf<'manifest'>;
export type LadderEvent = EventOf<'ladder'>;
export type RequestEvent = EventOf<'request'>;
export type DecisionEvent = EventOf<'decision'>;
export type RuleInputEvent = EventOf<'rule-input'>;
export type RuleInUseEvent = EventOf<'rule'>;
export type SwitchEvent = EventOf<'switch'>;
export type BufferEvent = EventOf<'buffer'>;
export type StallEvent = EventOf<'stall'>;
export type SeekEvent = EventOf<'seek'>;
export type FramesEvent = EventOf<'frames'>;
export type PlaybackEvent = EventOf<'playback'>;
export type VisibilityEvent = EventOf<'visibility'>;
export type ProbeEvent = EventOf<'probe'>;
export type TransportEvent = EventOf<'transport'>;
export type ErrorEvent = EventOf<'error'>;

export type MissingReason = SessionEvent['missing'][string];
export type Vote = DecisionEvent['votes'][number];

/** An event before the recorder gave it an id. */
export type Draft<Event extends SessionEvent = SessionEvent> = Event extends SessionEvent
  ? Omit<Event, 'id'>
  : never;
