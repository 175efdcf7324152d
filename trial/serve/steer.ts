import { randomUUID } from 'node:crypto';
import type { Hash } from '../../src/shared/assignment.ts';
import { assignArm, steeringManifest, type SteeringManifest } from '../assign/assign.ts';
import { hashId } from '../design/beacon.ts';
import type { AssignmentRow } from '../design/fieldSession.ts';
import type { Trial } from '../design/trialFile.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';

/** The answer to a player, and the row to log where the session is new. */
export interface Steered {
  readonly manifest: SteeringManifest;
  readonly row: AssignmentRow | null;
}

interface Moment {
  readonly nowMs: number;
  readonly isKilled: boolean;
  readonly hash: Hash;
  /** The address at which players reach the server; null: RELOAD-URI is relative. */
  readonly url: string | null;
}

const ID = /^[\x21-\x7e]{1,128}$/;
/** A session that is older starts anew. */
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Answers a request for a steering manifest. The query has `session` and `viewer`, as the manifest's address gives them; a session
 * without an id receives one. RELOAD-URI repeats both with the time at which the session began, so that it keeps its arm. What players add
 * (`_DASH_pathway`, `_HLS_throughput` and others) is not read.
 */
export function steer(
  trial: Trial,
  query: URLSearchParams,
  { nowMs, isKilled, hash, url }: Moment,
): Result<Steered> {
  const given = query.get('session');
  // Of a viewer whom nobody knows a page may leave it empty.
  const viewer = query.get('viewer') || null;
  if ([given, viewer].some((id) => id !== null && !ID.test(id)))
    return failed('"session" and "viewer" are 1 to 128 visible ASCII characters.');
  const session = given ?? randomUUID();
  const beganMs = beganAt(query.get('began'), nowMs);
  const assigned = assignArm(trial, { session, viewer, beganMs: beganMs ?? nowMs }, hash);
  const manifest = steeringManifest(trial, {
    arm: isKilled ? null : (assigned?.arm ?? null),
    reloadUri: reloadUri({ session, viewer, beganMs: beganMs ?? nowMs }, url),
  });
  if (assigned === null || beganMs !== null) return ok({ manifest, row: null });
  return ok({
    manifest,
    row: {
      atMs: nowMs,
      session: hashId(trial, { kind: 'session', id: session }, hash),
      viewer: viewer === null ? null : hashId(trial, { kind: 'viewer', id: viewer }, hash),
      arm: assigned.arm.pathway,
      period: assigned.period,
    },
  });
}

/** The time at which a session began, of its RELOAD-URI; null for a first request, and for what nobody was given. */
function beganAt(text: string | null, nowMs: number): number | null {
  if (text === null || !/^\d{12,13}$/.test(text)) return null;
  const beganMs = Number(text);
  return beganMs <= nowMs && nowMs - beganMs <= MAX_AGE_MS ? beganMs : null;
}

interface Known {
  readonly session: string;
  readonly viewer: string | null;
  readonly beganMs: number;
}

/**
 * Without an address relative to the one that was asked (RFC 8216bis, Steering Manifest), so that it works behind any name. Shaka
 * 5.2 resolves it against the MPD or the playlist instead (ContentSteeringManager.requestInfo).
 */
function reloadUri({ session, viewer, beganMs }: Known, url: string | null): string {
  const query = new URLSearchParams({ session, ...(viewer !== null && { viewer }), began: String(beganMs) });
  return `${url === null ? '' : `${url}/`}steering?${query.toString()}`;
}
