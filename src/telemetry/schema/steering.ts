import * as Type from '@sinclair/typebox';
import {
  dictionary,
  DurationMs,
  event,
  Id,
  Numbers,
  orNull,
  RateKbps,
  SizeBytes,
  Text,
  TimeMs,
} from './parts.ts';

const Purpose = Type.Union([Type.Literal('media'), Type.Literal('probe')]);
const Carries = Type.Union([Type.Literal('any'), Type.Literal('tcp')]);
const closed = { additionalProperties: false };

/**
 * A choice of a steering policy that changed something: the pathway of the next request, a probe, or a request that was
 * continued over another pathway. The first choice of a session is always there.
 */
export const SteeringEvent = event('steering', {
  policy: Text,
  /** Absent for the first choice. */
  fromPathway: Type.Optional(Text),
  pathway: Text,
  because: Text,
  values: Numbers,
  /** A request for measurement alone that began with this choice. */
  probe: Type.Optional(Type.Object({ pathway: Text, bytes: SizeBytes }, closed)),
  /** The running request that was aborted, and continued as another one with `continues`. */
  rescue: Type.Optional(Type.Object({ requestId: Id }, closed)),
  /** Present where the pathway is not the one that content steering (MPD or steering server) names first. */
  pulledAway: Type.Optional(Type.Boolean()),
  /** Present where the ABR rule went on with the throughput that it had measured over `fromPathway`. */
  keepsHistory: Type.Optional(Type.Boolean()),
});

/** An input of a steering policy (`src/steering/steeringSession.ts`), when it received it: replay recomputes nothing. */
export const SteeringInputEvent = event('steering-input', {
  input: Type.Union([
    Type.Object(
      {
        kind: Type.Literal('start'),
        atMs: TimeMs,
        pathways: Type.Array(
          Type.Object(
            {
              id: Text,
              carries: Carries,
              /** As in `environment.steering`. Absent in logs of versions that did not record it. */
              base: Type.Optional(Text),
            },
            closed,
          ),
          { maxItems: 20 },
        ),
        seed: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      },
      closed,
    ),
    Type.Object(
      { kind: Type.Literal('began'), atMs: TimeMs, requestId: Id, pathway: Text, purpose: Purpose },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal('ended'),
        atMs: TimeMs,
        requestId: Id,
        pathway: Text,
        purpose: Purpose,
        outcome: Type.Union([Type.Literal('ok'), Type.Literal('aborted'), Type.Literal('failed')]),
        bytes: SizeBytes,
        startMs: TimeMs,
        firstByteMs: orNull(TimeMs),
        lastByteMs: TimeMs,
        protocol: orNull(Text),
        connectionReused: orNull(Type.Boolean()),
      },
      closed,
    ),
    Type.Object({ kind: Type.Literal('network-change'), atMs: TimeMs }, closed),
    Type.Object(
      {
        kind: Type.Literal('sample'),
        atMs: TimeMs,
        progress: Type.Array(
          Type.Object({ requestId: Id, bytes: SizeBytes, totalBytes: orNull(SizeBytes) }, closed),
          { maxItems: 100 },
        ),
        bufferMs: DurationMs,
        lowestKbps: orNull(RateKbps),
        highestKbps: orNull(RateKbps),
      },
      closed,
    ),
  ]),
});

/** The policy of a session and the pathways that it had. */
export const SteeringRun = Type.Object(
  {
    policy: Text,
    parameters: dictionary(Type.Union([Type.Number(), Type.String({ maxLength: 400 }), Type.Boolean()])),
    /** Empty where the MPD declares them: then the input `start` has them. */
    pathways: Type.Array(
      Type.Object(
        {
          id: Text,
          /** Scheme, host, port and folder, from which the files are requested. */
          base: Text,
          carries: Carries,
        },
        closed,
      ),
      { maxItems: 20 },
    ),
  },
  closed,
);
