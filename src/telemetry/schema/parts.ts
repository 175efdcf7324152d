import type { TSchema } from '@sinclair/typebox';
// As a namespace, here and beside: `{ Type }` is an object that no bundler can thin out (9 kB more, brotli).
import * as Type from '@sinclair/typebox';

/**
 * The small pieces of the session log. Bounds are generous but finite: a hostile file must not make a chart
 * allocate for ever. Times are ms of session time (0 = `clock.startedAtUnixMs`), sizes bytes, rates kbit/s.
 */

/** A year of session: nobody records longer, and every axis stays finite. */
const LONGEST_MS = 366 * 24 * 3600 * 1000;
const LARGEST_BYTES = 1e13;
const FASTEST_KBPS = 1e9;

export const TimeMs = Type.Number({ minimum: 0, maximum: LONGEST_MS });
export const DurationMs = Type.Number({ minimum: 0, maximum: LONGEST_MS });
/** A place in the presentation; negative is legal around period starts, unix-based live time is large. */
export const MediaTimeMs = Type.Number({ minimum: -1e13, maximum: 1e13 });
export const UnixMs = Type.Number({ minimum: 0, maximum: 1e13 });
export const SizeBytes = Type.Integer({ minimum: 0, maximum: LARGEST_BYTES });
export const RateKbps = Type.Number({ minimum: 0, maximum: FASTEST_KBPS });
export const Count = Type.Integer({ minimum: 0, maximum: 1e9 });
export const RungIndex = Type.Integer({ minimum: 0, maximum: 999 });
export const SegmentNumber = Type.Integer({ minimum: 0, maximum: 1e12 });
export const Text = Type.String({ maxLength: 4000 });
export const Url = Type.String({ maxLength: 16_000 });
export const Id = Type.String({ minLength: 1, maxLength: 80, pattern: '^[A-Za-z0-9_.:-]+$' });

/** Names to values. A pattern, because TypeBox forgets the `maxLength` of a key; closed, so that every name fits it. */
export const dictionary = <T extends TSchema>(values: T) =>
  Type.Record(Type.String({ pattern: '^[\\s\\S]{0,400}$' }), values, { additionalProperties: false });
export const Numbers = dictionary(Type.Union([Type.Number(), Type.Null()]));

export const MediaType = Type.Union([Type.Literal('video'), Type.Literal('audio')]);

/** Why a field is null. Each null field of an event stands in its `missing` with one of these. */
const MissingReason = Type.Union([
  Type.Literal('no-tao'), // the origin sends no Timing-Allow-Origin
  Type.Literal('no-entry'), // the browser made no Resource Timing entry
  Type.Literal('range-ambiguous'), // several entries fit and nothing tells them apart
  Type.Literal('range-cache'), // a byte range asked for through the browser's cache, which names no protocol
  Type.Literal('cached'), // answered by the browser's cache, no connection was used
  Type.Literal('revalidated'), // the server confirmed the cache's copy (304), and the browser names no protocol
  Type.Literal('service-worker'), // answered by a service worker of the page, from wherever it had it
  Type.Literal('not-supported'), // this browser or dash.js does not tell
  Type.Literal('not-exposed'), // a response header that CORS hides
  Type.Literal('not-sent'), // the server did not send it
  Type.Literal('not-applicable'), // has no meaning for this event
  Type.Literal('failed'), // the request ended before there was a value
  Type.Literal('aborted'), // the player cancelled the request before there was a value
  Type.Literal('in-flight'), // not finished when the log was written
  Type.Literal('too-early'), // not known yet at that moment
  Type.Literal('not-reported'), // no source reported it (e.g. a mode that only the lab knows)
  Type.Literal('out-of-range'), // the reported value is no number, or beyond the bounds of the log
]);

export const Missing = dictionary(MissingReason);

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An event: distinguished by `kind`, with an id unique in the log, its session time, and reasons for its nulls. */
export const event = <K extends string, P extends Record<string, TSchema>>(kind: K, fields: P) =>
  Type.Object(
    { kind: Type.Literal(kind), id: Id, atMs: TimeMs, missing: Missing, ...fields },
    { additionalProperties: false },
  );
