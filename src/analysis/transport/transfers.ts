import { groupBy } from '../../shared/groupBy.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { parseTransfer, type Transfer } from '../../shared/transfer.ts';
import { eventsOf, oncePerLog } from '../timeline/log.ts';

/** One object that a session without media downloaded: one request, or several for its ranges. */
export interface TransferredObject {
  /** Number of the object's stream, from 0. */
  readonly stream: number;
  /** Place of the object in its stream, from 0. */
  readonly object: number;
  readonly sizeBytes: number;
  readonly requests: readonly RequestEvent[];
  /** Start of the first request. */
  readonly startMs: number;
  /** Earliest first byte of the requests. */
  readonly firstByteMs: number;
  /** Latest last byte of the requests. */
  readonly lastByteMs: number;
}

/** The transfer of a session; null where it played a stream. */
export function transferOf({ environment }: Pick<SessionLog, 'environment'>): Transfer | null {
  const parsed = environment.transfer === undefined ? null : parseTransfer(environment.transfer);
  return parsed?.ok ? parsed.value : null;
}

/** The objects of a session that arrived whole and whose times are known, by stream and place. */
export const transferredObjects = oncePerLog((log): readonly TransferredObject[] => {
  const transferred = eventsOf(log, 'request').filter(({ transfer }) => transfer);
  const groups = groupBy(transferred, ({ transfer }) => `${transfer!.stream}/${transfer!.object}`);
  return [...groups.values()]
    .flatMap((requests) => objectOf(requests) ?? [])
    .sort((one, other) => one.stream - other.stream || one.object - other.object);
});

/** Returns the object of some requests; null unless every byte of it arrived, and all times are known. */
function objectOf(requests: readonly RequestEvent[]): TransferredObject | null {
  const { stream, object, sizeBytes, parts } = requests[0]!.transfer!;
  const arrived = requests.reduce((sum, { receivedBytes }) => sum + (receivedBytes ?? 0), 0);
  const isWhole = requests.length === parts && arrived === sizeBytes;
  const starts = requests.flatMap(({ startMs }) => startMs ?? []);
  const firsts = requests.flatMap(({ firstByteMs }) => firstByteMs ?? []);
  const lasts = requests.flatMap(({ lastByteMs }) => lastByteMs ?? []);
  const isKnown = [starts, firsts, lasts].every(({ length }) => length === parts);
  if (!isWhole || !isKnown || requests.some(({ outcome }) => outcome !== 'ok')) return null;
  return {
    stream,
    object,
    sizeBytes,
    requests,
    startMs: Math.min(...starts),
    firstByteMs: Math.min(...firsts),
    lastByteMs: Math.max(...lasts),
  };
}

/** How many bytes of a request had arrived at a time, between two samples as if they came evenly. */
export function receivedBytesAt(
  { progress = [], firstByteMs, lastByteMs, receivedBytes }: RequestEvent,
  ms: number,
): number {
  const points = [
    ...(firstByteMs === null ? [] : [{ atMs: firstByteMs, bytes: 0 }]),
    ...progress.filter(({ atMs }) => atMs > (firstByteMs ?? 0) && atMs < (lastByteMs ?? Infinity)),
    ...(lastByteMs === null || receivedBytes === null ? [] : [{ atMs: lastByteMs, bytes: receivedBytes }]),
  ];
  const next = points.findIndex(({ atMs }) => atMs > ms);
  if (next === 0 || points.length === 0) return 0;
  if (next < 0) return points.at(-1)!.bytes;
  const [from, to] = [points[next - 1]!, points[next]!];
  return from.bytes + ((ms - from.atMs) / (to.atMs - from.atMs)) * (to.bytes - from.bytes);
}
