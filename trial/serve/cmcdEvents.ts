import { decodeCmcd } from '@svta/cml-cmcd';
import { assignArm } from '../assign/assign.ts';
import { hashId, type Received } from '../design/beacon.ts';
import type { CmcdRow, PlayerState } from '../design/cmcdSessions.ts';
import type { Trial } from '../design/trialFile.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';

/**
 * Custom keys that a trial reads; each value is a string, as CTA-5004-B asks. Bytes count from the start of the session, so that a lost
 * event loses none.
 */
export const CUSTOM_KEYS = {
  trial: 'com.pitwall-trial',
  viewer: 'com.pitwall-viewer',
  h3Bytes: 'com.pitwall-h3-bytes',
  tcpBytes: 'com.pitwall-tcp-bytes',
  pathway: 'com.pitwall-pathway',
  networkClass: 'com.pitwall-network-class',
} as const;

const MAX_EVENTS = 1000;
/** The longest line: the parser takes more than linear time. */
const MAX_LINE = 4000;
const MAX_MS = 7 * 86_400_000;
const STATES = 'spkraefqd';

type Data = Readonly<Record<string, unknown>>;

/** Reads the body of CMCD version 2 event mode, `application/cmcd`: an event a line. The error names the line, and repeats no value. */
export function decodeCmcdEvents(text: string, trial: Trial, received: Received): Result<CmcdRow[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return failed('The body has no event.');
  if (lines.length > MAX_EVENTS) return failed(`The body has more than ${MAX_EVENTS} events.`);
  const rows: CmcdRow[] = [];
  for (const [index, line] of lines.entries()) {
    const row = decodeEvent(line.trim(), trial, received);
    if (!row.ok) return failed(`Line ${index + 1}: ${row.error}`);
    rows.push(row.value);
  }
  return ok(rows);
}

function decodeEvent(line: string, trial: Trial, received: Received): Result<CmcdRow> {
  if (line.length > MAX_LINE) return failed(`It has more than ${MAX_LINE} characters.`);
  let data: Data;
  try {
    data = decodeCmcd(line) as Data;
  } catch {
    return failed('It is no structured field.');
  }
  const fault = faultOf(data, trial);
  return fault === null ? ok(rowOf(data, trial, received)) : failed(fault);
}

const ID = /^[\x21-\x7e]{1,128}$/;
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

function faultOf(data: Data, trial: Trial): string | null {
  if (data['v'] !== 2) return 'Its version, "v", is not 2.';
  if (!isId(data['sid'])) return 'It has no session id, "sid", of 1 to 128 characters.';
  const atMs = data['ts'];
  if (typeof atMs !== 'number' || !(atMs >= 1e12 && atMs <= 1e13)) return 'It has no time, "ts", in ms.';
  if (typeof data['e'] !== 'string') return 'It has no event, "e".';
  const named = data[CUSTOM_KEYS.trial];
  return named === undefined || named === trial.name ? null : 'It is of another trial.';
}

function rowOf(data: Data, trial: Trial, { hash, network, receivedMs }: Received): CmcdRow {
  const session = data['sid'] as string;
  const named = data[CUSTOM_KEYS.viewer];
  const viewer = isId(named) ? named : null;
  const atMs = data['ts'] as number;
  const byId = trial.unit.kind !== 'switchback';
  const assigned = byId ? assignArm(trial, { session, viewer, beganMs: atMs }, hash) : null;
  const state = stateOf(data['sta']);
  return {
    session: hashId(trial, { kind: 'session', id: session }, hash),
    viewer: viewer === null ? null : hashId(trial, { kind: 'viewer', id: viewer }, hash),
    network,
    arm: assigned?.arm.pathway ?? null,
    receivedMs,
    pathway: pathwayOf(data[CUSTOM_KEYS.pathway]),
    networkClass: classOf(data[CUSTOM_KEYS.networkClass]),
    atMs,
    state,
    joinMs: numberOf(data['msd'], MAX_MS),
    starvedMs: sumOf(data['bsd']),
    bitrateKbps: videoOf(data['br']),
    isError: data['e'] === 'e' || state === 'f',
    h3Bytes: numberOf(data[CUSTOM_KEYS.h3Bytes], 1e14),
    tcpBytes: numberOf(data[CUSTOM_KEYS.tcpBytes], 1e14),
  };
}

const stateOf = (value: unknown): PlayerState | null =>
  typeof value === 'string' && value.length === 1 && STATES.includes(value) ? (value as PlayerState) : null;

function numberOf(value: unknown, max: number): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= max ? number : null;
}

const classOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z0-9-]{1,32}$/.test(value) ? value : null;

const pathwayOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value) ? value : null;

interface Item {
  readonly value: number;
  /** Object types, such as `v` for video. */
  readonly params: Data;
}

/** An inner list: each entry a number, or a number with its object type. */
const itemsOf = (value: unknown): Item[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry) => {
    const item = typeof entry === 'number' ? { value: entry } : (entry as { value?: unknown; params?: Data });
    return typeof item.value === 'number' && item.value >= 0
      ? [{ value: item.value, params: ('params' in item && item.params) || {} }]
      : [];
  });

function sumOf(value: unknown): number | null {
  const items = itemsOf(value);
  return items.length === 0
    ? null
    : Math.min(
        MAX_MS,
        items.reduce((sum, item) => sum + item.value, 0),
      );
}

/** The bitrate of video where the list names it, else its first entry. */
function videoOf(value: unknown): number | null {
  const items = itemsOf(value);
  return (items.find(({ params }) => params['v'] === true) ?? items[0])?.value ?? null;
}
