import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { DecisionEvent, RuleInputEvent, RuleInUseEvent } from './decision.ts';
import { Design, Environment, SessionId } from './environment.ts';
import { DurationMs, orNull, TimeMs, UnixMs } from './parts.ts';
import {
  BufferEvent,
  ErrorEvent,
  FramesEvent,
  JumpEvent,
  LadderEvent,
  ManifestEvent,
  PlaybackEvent,
  ProbeEvent,
  ResizeEvent,
  SeekEvent,
  StallEvent,
  SwitchEvent,
  VisibilityEvent,
} from './playback.ts';
import { RequestEvent } from './request.ts';
import { SteeringEvent, SteeringInputEvent } from './steering.ts';
import { TransportEvent } from './transport.ts';
import { SCHEMA_ID } from './versions.ts';

export const SessionEvent = Type.Union([
  ManifestEvent,
  LadderEvent,
  RequestEvent,
  DecisionEvent,
  RuleInputEvent,
  RuleInUseEvent,
  SwitchEvent,
  BufferEvent,
  StallEvent,
  SeekEvent,
  JumpEvent,
  FramesEvent,
  ResizeEvent,
  PlaybackEvent,
  VisibilityEvent,
  ProbeEvent,
  SteeringEvent,
  SteeringInputEvent,
  TransportEvent,
  ErrorEvent,
]);

/** A stretch recorded by one page load. A reload starts a new part; the gap before it is unrecorded time. */
export const Part = Type.Object(
  {
    startMs: TimeMs,
    /** Last moment known to be recorded; null while the part is being recorded. */
    endMs: orNull(TimeMs),
    /** Unrecorded time since the part before; 0 for the first, null where the system clock was set meanwhile. */
    gapMs: orNull(DurationMs),
    timeOriginUnixMs: UnixMs,
  },
  { additionalProperties: false },
);

export const SessionHeader = Type.Object(
  {
    schema: Type.Literal(SCHEMA_ID),
    id: SessionId,
    clock: Type.Object(
      { startedAtUnixMs: UnixMs, timeOriginUnixMs: UnixMs },
      { additionalProperties: false },
    ),
    parts: Type.Array(Part, { minItems: 1, maxItems: 10_000 }),
    environment: Environment,
    design: orNull(Design),
  },
  { additionalProperties: false },
);

export const SessionLog = Type.Composite(
  [SessionHeader, Type.Object({ events: Type.Array(SessionEvent, { maxItems: 5_000_000 }) })],
  { additionalProperties: false, $id: SCHEMA_ID, title: 'Pitwall session log' },
);

export type SessionHeader = Static<typeof SessionHeader>;
export type SessionEvent = Static<typeof SessionEvent>;
export type SessionLog = Static<typeof SessionLog>;
