import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';

export const BEACON_SCHEMA = 'pitwall-beacon/1';
/** Time of a session, ms: a week. */
const MAX_MS = 7 * 86_400_000;
const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' });
const Span = Type.Number({ minimum: 0, maximum: MAX_MS });
const Pathway = Type.Union([
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._-]+$' }),
  Type.Null(),
]);
const Bytes = Type.Integer({ minimum: 0, maximum: 1e14 });

/** Summary of one session, as a page sends it: once at the end, or again with newer numbers. Unknown is null. */
export const Beacon = Type.Object(
  {
    schema: Type.Literal(BEACON_SCHEMA),
    /** Name of the trial. */
    trial: Type.String({ minLength: 1, maxLength: 64 }),
    /** Id of the session, as the steering server was asked with. It is hashed before it is stored. */
    session: Id,
    /** Id of the viewer or device; hashed before it is stored. */
    viewer: Type.Union([Id, Type.Null()]),
    /** Unix time at which the session began, ms. */
    startedMs: Type.Number({ minimum: 1e12, maximum: 1e13 }),
    /** Time to the first frame, ms; null where playback never started. */
    joinMs: Type.Union([Span, Type.Null()]),
    playedMs: Span,
    stalledMs: Span,
    stalls: Type.Integer({ minimum: 0, maximum: 1e6 }),
    /** Mean bitrate over played time, kbit/s. */
    bitrateKbps: Type.Union([Type.Number({ minimum: 0, maximum: 1e7 }), Type.Null()]),
    errors: Type.Integer({ minimum: 0, maximum: 1e6 }),
    /** Bytes of media over HTTP/3, and over HTTP/2 and HTTP/1.1. */
    h3Bytes: Bytes,
    tcpBytes: Bytes,
    /** Pathway that the page was assigned, by `cohort`; null where only the steering server knows it. */
    cohort: Type.Optional(Pathway),
    /** Pathway with the largest part of the media bytes; null where it is not known. */
    pathway: Type.Optional(Pathway),
    /** Class of the network in the operator's words, such as `mobile`. */
    networkClass: Type.Union([
      Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z0-9-]+$' }),
      Type.Null(),
    ]),
  },
  { additionalProperties: false, $id: BEACON_SCHEMA },
);

export type Beacon = Static<typeof Beacon>;
