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
export type JumpEvent = EventOf<'jump'>;
export type FramesEvent = EventOf<'frames'>;
export type ResizeEvent = EventOf<'resize'>;
export type PlaybackEvent = EventOf<'playback'>;
export type VisibilityEvent = EventOf<'visibility'>;
export type ProbeEvent = EventOf<'probe'>;
export type SteeringChoiceEvent = EventOf<'steering'>;
export type SteeringInputEvent = EventOf<'steering-input'>;
export type TransportEvent = EventOf<'transport'>;
export type ErrorEvent = EventOf<'error'>;

export type MissingReason = SessionEvent['missing'][string];
export type Vote = DecisionEvent['votes'][number];

/** Whether a ladder is offered for what a media type's name says: not for text. */
export const hasLadder = (mediaType: unknown): mediaType is DecisionEvent['mediaType'] =>
  mediaType === 'video' || mediaType === 'audio';

/** An event before the recorder gave it an id. */
export type Draft<Event extends SessionEvent = SessionEvent> = Event extends SessionEvent
  ? Omit<Event, 'id'>
  : never;

/** A value that is not known, and why. */
export interface Absent {
  readonly absent: MissingReason;
}

export const absent = (reason: MissingReason): Absent => ({ absent: reason });

type Flat<Fields> = {
  -readonly [Key in keyof Fields]: Absent extends Fields[Key]
    ? Exclude<Fields[Key], Absent> | null
    : Fields[Key];
};

/** Splits fields into what an event wants: flat values, null where absent, and the reasons in `missing`. */
export function withReasons<Fields extends object>(
  fields: Fields,
): Flat<Fields> & { missing: Record<string, MissingReason> } {
  const missing: Record<string, MissingReason> = {};
  const values = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    if (!isAbsent(value)) return [name, value];
    missing[name] = value.absent;
    return [name, null];
  });
  return { ...Object.fromEntries(values), missing } as Flat<Fields> & {
    missing: Record<string, MissingReason>;
  };
}

/** The value when it is a finite number within the log's range, else absent: dash.js says NaN for unknown. */
export function finiteOr(value: unknown, reason: MissingReason): number | Absent {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent(reason);
}

/** The value when it is a text with something in it. */
export function textOr(value: unknown, reason: MissingReason): string | Absent {
  return typeof value === 'string' && value !== '' ? value : absent(reason);
}

function isAbsent(value: unknown): value is Absent {
  return typeof value === 'object' && value !== null && 'absent' in value;
}
