import type { Hash } from '../../src/shared/assignment.ts';
import { isObject } from '../../src/shared/jsonObject.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { hexOf } from '../../src/shared/sha256.ts';
import { checkOf, type Fault } from '../../src/telemetry/schema/checkOf.ts';
import { Beacon } from '../../src/telemetry/schema/trialBeacon.ts';
import { assignArm } from '../assign/assign.ts';
import type { FieldSession } from './fieldSession.ts';
import type { Trial } from './trialFile.ts';

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

/**
 * Finds a beacon whose page assigned another arm than its id has: the key, the shares or the order of arms differ there, and its
 * session is in no arm of this trial. −1: there is none.
 */
export const findForeignCohort = (trial: Trial, beacons: readonly Beacon[], hash: Hash): number =>
  beacons.findIndex(({ cohort = null, ...beacon }) => {
    if (cohort === null || trial.unit.kind === 'switchback') return false;
    const { session, viewer, startedMs } = beacon;
    return assignArm(trial, { session, viewer, beganMs: startedMs }, hash)?.arm.pathway !== cohort;
  });

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
  const assigned = byId ? assignArm(trial, { session, viewer, beganMs: startedMs }, hash) : null;
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
    pathway: beacon.pathway ?? null,
    networkClass: beacon.networkClass,
  };
}

interface NamedId {
  readonly kind: 'session' | 'viewer' | 'network';
  readonly id: string;
}

/** Hashes an id with the salt of the trial: 24 hexadecimal digits. Nobody without the salt can find the id by trying. */
export function hashId({ salt }: Pick<Trial, 'salt'>, { kind, id }: NamedId, hash: Hash): string {
  return hexOf(hash(`${salt}\nid\n${kind}\n${id}`), ID_BYTES);
}

const ID_BYTES = 12;
