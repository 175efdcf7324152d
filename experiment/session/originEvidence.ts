/**
 * Holds the log of a session against what its page cannot write: the requests that the origin logged, and the levels of the MPD. A
 * page is of whoever is compared, and so is the log that it writes.
 */
import { statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessLogPart, Place } from './place.ts';
import { isOwn, ORIGIN_HOST, type CompareCell, type ComparePlan } from './plan.ts';
import { priorityFault } from './priorities.ts';
import { SessionFailure } from './sessionFailure.ts';
import { levelsOfMpd, type MpdLevel } from '../simulate/mpd/contentFromMpd.ts';
import { parseAccessLog, type AccessRecord } from '../../lab/caddy/accessLog.ts';
import { MULTIVARIANT } from '../../lab/content/hls.ts';
import { formatInteger } from '../../src/shared/format.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

type Sent = Pick<AccessRecord, 'uri' | 'host' | 'status' | 'sizeBytes'>;

/** Returns the part of a log that is written from now on. */
export const fromHereOn = (file: string): Pick<AccessLogPart, 'file' | 'fromByte'> => ({
  file,
  fromByte: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
});

interface Level extends Pick<MpdLevel, 'bitrateKbps'> {
  /** Paths of the level's files; null for a live stream, whose segments are made while it plays. */
  readonly paths: MpdLevel['paths'] | null;
}

interface Evidence {
  /** Requests of this session that its origins responded to. */
  readonly sent: readonly Sent[];
  /** Levels of the video; null where they are not known. */
  readonly levels: readonly Level[] | null;
  /** Whether the session may have had segments from servers whose log nobody has. */
  readonly hasOtherServers: boolean;
}

/** Time to wait for late lines, ms: an origin may write the line of a response after the page has read its log. */
const LATE_LINES_MS = 1000;

/** @throws SessionFailure in one sentence where the log says what the origin's log, or the MPD, shows to be false */
export async function mustAgreeWithOrigin(
  log: SessionLog,
  { plan, cell, place }: { plan: ComparePlan; cell: CompareCell; place: Place },
): Promise<void> {
  if (place.accessLogs === undefined || !isOwn(cell)) return;
  const levels = await levelsOf(plan, cell);
  const hasOtherServers = (cell.pathways ?? []).length > 0;
  const look = async (): Promise<string | null> => {
    const sent = await readSent(place.accessLogs!);
    return contradiction(log, { sent, levels, hasOtherServers }) ?? priorityFault(log, cell, sent);
  };
  if ((await look()) === null) return;
  await pause(LATE_LINES_MS);
  const found = await look();
  if (found !== null) throw new SessionFailure('log-contradicted', found);
}

/** Reads the levels of the MPD that a cell's stream is served from, or made from. */
async function levelsOf(
  { mounts }: Pick<ComparePlan, 'mounts'>,
  { mpd, live, player }: CompareCell,
): Promise<Level[] | null> {
  if (live) {
    const levels = live.isPadded ? await levelsIn(path.join(live.folder, 'manifest.mpd'), mpd) : null;
    return levels && levels.map(({ bitrateKbps }) => ({ bitrateKbps, paths: null }));
  }
  const file = mountedFile(mounts, mpd);
  if (file === null || !mpd.endsWith('.mpd')) return null;
  const levels = await levelsIn(file, mpd);
  return player === 'hlsjs' ? withAverages(levels, await readFile(playlistBeside(file), 'utf8')) : levels;
}

const playlistBeside = (file: string): string => path.join(path.dirname(file), MULTIVARIANT);

/** The bitrate of a level of hls.js is that of its variant, with the sound. Our playlists have the levels of the MPD in its order. */
function withAverages(levels: readonly MpdLevel[], playlist: string): Level[] {
  const averages = [...playlist.matchAll(/\bAVERAGE-BANDWIDTH=(\d+)/g)].map(([, bps]) => Number(bps) / 1000);
  return levels.map(({ paths }, rung) => ({ paths, bitrateKbps: averages[rung]! }));
}

/** Returns the file that an origin serves at a path; null where nothing is mounted. */
export function mountedFile(mounts: Readonly<Record<string, string>>, urlPath: string): string | null {
  const prefix = Object.keys(mounts)
    .filter((each) => urlPath.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length)[0];
  return prefix === undefined ? null : path.join(mounts[prefix]!, urlPath.slice(prefix.length));
}

const levelsIn = async (file: string, mpd: string): Promise<MpdLevel[]> =>
  levelsOfMpd(await readFile(file, 'utf8'), `https://${ORIGIN_HOST}${mpd}`);

async function readSent(logs: readonly AccessLogPart[]): Promise<AccessRecord[]> {
  const found: AccessRecord[] = [];
  for (const { file, fromByte, host } of logs)
    for (const record of parseAccessLog(await textFrom(file, fromByte)))
      if (host === null || isOf(record.host, host)) found.push(record);
  return found;
}

/** Returns whether a host name is that of a session, or one below it. */
function isOf(asked: string, host: string): boolean {
  const name = asked.replace(/:\d+$/, '');
  return name === host || name.endsWith(`.${host}`);
}

/** Reads whole lines: where other sessions use the origin, the first one may have been in the middle of being written. */
async function textFrom(file: string, fromByte: number): Promise<string> {
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes <= fromByte) return '';
  const handle = await open(file);
  try {
    const start = Math.max(0, fromByte - 1);
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(sizeBytes - start),
      position: start,
    });
    const text = buffer.toString('utf8', 0, bytesRead);
    return fromByte === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** Share by which bitrates may differ: they are rounded on their way into a log. */
const SAME_RATE = 0.01;
/** Share by which bytes of a request may differ: the frame of chunks over http/1.1. `FEW_BYTES` are allowed besides. */
const SAME_BYTES = 0.01;
const FEW_BYTES = 2000;

/** Returns what a session's log says and the evidence shows to be false, in a part of a sentence; null where they agree. */
export function contradiction(log: SessionLog, evidence: Evidence): string | null {
  return rateFault(log, evidence) ?? requestFault(log, evidence);
}

function rateFault({ events }: SessionLog, { levels, sent, hasOtherServers }: Evidence): string | null {
  if (levels === null || levels.length === 0) return null;
  const paths = new Set(sent.filter(wasSent).map(pathOf));
  for (const event of events) {
    if (event.kind !== 'switch' || event.mediaType !== 'video') continue;
    const { bitrateKbps } = event;
    const own = levels.filter(
      (level) => Math.abs(level.bitrateKbps - bitrateKbps) <= SAME_RATE * level.bitrateKbps,
    );
    if (own.length === 0)
      return `it says ${formatInteger(bitrateKbps)} kbit/s, and the stream has levels of ${formatRates(levels)} kbit/s`;
    const wasShown = event.phase === 'rendered' && !hasOtherServers;
    if (
      wasShown &&
      !own.some((level) => level.paths === null || [...level.paths].some((each) => paths.has(each)))
    )
      return `it says that ${formatInteger(bitrateKbps)} kbit/s were shown, and the origin sent no segment of this level`;
  }
  return null;
}

const formatRates = (levels: readonly Level[]): string =>
  [...new Set(levels.map(({ bitrateKbps }) => Math.round(bitrateKbps)))]
    .sort((a, b) => a - b)
    .map(formatInteger)
    .join(', ');

interface Sum {
  requests: number;
  bytes: number;
}

/** Compares segments that came whole, by file. What a page left out is not seen here, and costs it segments. */
function requestFault(log: SessionLog, evidence: Evidence): string | null {
  const logged = new Map<string, Sum>();
  for (const record of evidence.sent) if (wasSent(record)) add(logged, pathOf(record), record.sizeBytes);
  for (const [file, { requests, bytes }] of wholeSegments(log, evidence)) {
    const own = logged.get(file) ?? { requests: 0, bytes: 0 };
    if (requests > own.requests)
      return `it has ${requests} responses of ${file}, and the origin sent ${own.requests}`;
    if (bytes > own.bytes * (1 + SAME_BYTES) + FEW_BYTES)
      return `it has ${formatInteger(bytes)} bytes of ${file}, and the origin sent ${formatInteger(own.bytes)}`;
  }
  return null;
}

function wholeSegments({ events }: SessionLog, { hasOtherServers }: Evidence): ReadonlyMap<string, Sum> {
  const found = new Map<string, Sum>();
  for (const event of events) {
    if (event.kind !== 'request' || !isWholeSegment(event)) continue;
    const { hostname, pathname } = new URL(event.url);
    if (!hasOtherServers || isOf(hostname, ORIGIN_HOST)) add(found, pathname, event.receivedBytes ?? 0);
  }
  return found;
}

const isWholeSegment = ({ type, outcome, url }: RequestEvent): boolean =>
  type === 'media' && outcome === 'ok' && URL.canParse(url);

const wasSent = ({ status, sizeBytes }: Sent): boolean => status >= 200 && status < 300 && sizeBytes > 0;

const pathOf = ({ uri }: Sent): string => uri.split('?')[0]!;

function add(sums: Map<string, Sum>, name: string, bytes: number): void {
  const sum = sums.get(name) ?? { requests: 0, bytes: 0 };
  sums.set(name, { requests: sum.requests + 1, bytes: sum.bytes + bytes });
}
