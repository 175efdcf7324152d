import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { isObject } from '../../src/shared/jsonObject.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { checkOf, type Fault } from '../../src/telemetry/schema/checkOf.ts';
import { assign, type Hash } from '../assign/assign.ts';
import type { FieldSession } from './fieldSession.ts';
import type { Trial } from './trialFile.ts';

export const BEACON_SCHEMA = 'pitwall-beacon/1';
/** Time of a session, ms: a week. */
const MAX_MS = 7 * 86_400_000;
const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' });
const Span = Type.Number({ minimum: 0, maximum: MAX_MS });
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
    /** Class of the network in the operator's words, such as `mobile`. */
    networkClass: Type.Union([
      Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z0-9-]+$' }),
      Type.Null(),
    ]),
  },
  { additionalProperties: false, $id: BEACON_SCHEMA },
);

export type Beacon = Static<typeof Beacon>;

const check = checkOf(Beacon);

/** Beacons of one body at most. */
export const MAX_LINES = 200;

/** Writes beacons as JSON lines: the body of `POST /events`. */
export const encodeBeacons = (beacons: readonly Beacon[]): string =>
  beacons.map((beacon) => `${JSON.stringify(beacon)}\n`).join('');

/** Reads beacons. The error names the line and what is wrong there, and repeats no value of the body. */
export function decodeBeacons(text: string, { name }: Pick<Trial, 'name'>): Result<Beacon[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return failed('The body has no line.');
  if (lines.length > MAX_LINES) return failed(`The body has more than ${MAX_LINES} lines.`);
  const beacons: Beacon[] = [];
  for (const [index, line] of lines.entries()) {
    const read = decodeLine(line, name);
    if (!read.ok) return failed(`Line ${index + 1}: ${read.error}`);
    beacons.push(read.value);
  }
  return ok(beacons);
}

function decodeLine(line: string, trial: string): Result<Beacon> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return failed('It is not JSON.');
  }
  if (!isObject(value)) return failed('It is not a JSON object.');
  const fault = check(value);
  if (fault !== null) return failed(formatFault(fault));
  return value['trial'] === trial ? ok(value as Beacon) : failed('It is of another trial.');
}

/** A name of a field may be anything, and is not repeated. */
const formatFault = ({ path, wanted }: Fault): string =>
  wanted === null ? 'It has a field that beacons do not have.' : `${path} should be ${wanted}.`;

/** What the collector knows beside the beacon. */
export interface Received {
  readonly receivedMs: number;
  /** Salted hash of the prefix of the address; null where there is none. */
  readonly network: string | null;
  readonly hash: Hash;
}

/** Makes the row that is stored: ids hashed, the arm computed from the id where the id alone says it. */
export function storedSession(trial: Trial, beacon: Beacon, received: Received): FieldSession {
  const { hash, receivedMs, network } = received;
  const { session, viewer, startedMs } = beacon;
  const byId = trial.unit.kind !== 'switchback';
  const assigned = byId ? assign(trial, { session, viewer, beganMs: startedMs }, hash) : null;
  return {
    session: hashId(trial, { kind: 'session', id: session }, hash),
    viewer: viewer === null ? null : hashId(trial, { kind: 'viewer', id: viewer }, hash),
    network,
    arm: assigned?.arm.pathway ?? null,
    startedMs,
    receivedMs,
    joinMs: beacon.joinMs,
    playedMs: beacon.playedMs,
    stalledMs: beacon.stalledMs,
    stalls: beacon.stalls,
    bitrateKbps: beacon.bitrateKbps,
    errors: beacon.errors,
    h3Bytes: beacon.h3Bytes,
    tcpBytes: beacon.tcpBytes,
    networkClass: beacon.networkClass,
  };
}

interface NamedId {
  readonly kind: 'session' | 'viewer' | 'network';
  readonly id: string;
}

/** Hashes an id with the salt of the trial: 24 hexadecimal digits. Nobody without the salt can find the id by trying. */
export function hashId({ salt }: Pick<Trial, 'salt'>, { kind, id }: NamedId, hash: Hash): string {
  const digest = hash(`${salt}\nid\n${kind}\n${id}`);
  let text = '';
  for (let index = 0; index < ID_BYTES; index++) text += HEX[digest[index]!]!;
  return text;
}

const ID_BYTES = 12;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
