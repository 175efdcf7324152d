import * as Type from '@sinclair/typebox';
import { Count, DurationMs, event, MediaType, orNull, RateKbps, Text, Url } from './parts.ts';

/** A manifest was read (again, for live). */
export const ManifestEvent = event('manifest', {
  url: Url,
  type: Type.Union([Type.Literal('static'), Type.Literal('dynamic')]),
  lowLatency: Type.Boolean(),
  /** null for live without an end. */
  durationMs: orNull(DurationMs),
  minBufferMs: orNull(DurationMs),
  periods: Count,
});

export const LadderRung = Type.Object(
  {
    representationId: Text,
    bitrateKbps: RateKbps,
    width: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
    height: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
    codecs: Text,
  },
  { additionalProperties: false },
);

/** The rungs a rule can choose from, ascending; written when a period or track starts and when the set changes. */
export const LadderEvent = event('ladder', {
  mediaType: MediaType,
  periodId: Text,
  language: orNull(Text),
  segmentMs: orNull(DurationMs),
  rungs: Type.Array(LadderRung, { minItems: 1, maxItems: 1000 }),
});
