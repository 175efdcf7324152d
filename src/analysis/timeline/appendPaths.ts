import type { RequestEvent, TransportEvent } from '../../telemetry/event.ts';
import { transportView, type TransportView } from '../../telemetry/transportView.ts';
import { protocolCode, protocolOf } from '../transport/protocol.ts';
import type { PathSeries, SessionSeries } from './series.ts';
import { SHAPES } from './columns.ts';
import { createTable, insertRow } from './table.ts';

/** A server that opens a connection per request would make as many tables: further ones share one per protocol. */
const MAX_PATHS = 256;

/** What the server said beside a response, at the moment when its headers came. */
export function appendReportedPath(series: SessionSeries, event: RequestEvent): void {
  const view = transportView(event);
  if (!view) return;
  const { source, controller, connection } = view;
  const teller = tellerOf(source, controller);
  const path = pathOf(series, { protocol: event.protocol, connection, teller });
  if (path.sampled) return;
  path.teller = teller;
  addRow(series, path, { ...view, atMs: event.firstByteMs ?? event.startMs ?? event.atMs });
}

/** What the origin wrote down of a connection: it says all that its responses said, and what was in between. */
export function appendSampledPath(series: SessionSeries, { origin, connectionId }: TransportEvent): void {
  if (!origin) return;
  const teller = tellerOf('origin’s log', origin.controller);
  const path = pathOf(series, { protocol: origin.protocol, connection: connectionId, teller });
  Object.assign(path, { teller, sampled: true, table: createTable(SHAPES.paths) });
  for (const { retransmittedPackets, lostPackets, ...sample } of origin.samples)
    addRow(series, path, { ...sample, cwndPackets: null, lostPackets: lostPackets ?? retransmittedPackets });
}

const tellerOf = (source: string, controller: string | null): string =>
  controller === null ? source : `${source}, ${controller.slice(0, 24)}`;

function pathOf(
  { paths }: SessionSeries,
  { protocol, connection, teller }: { protocol: string | null; connection: string | null; teller: string },
): PathSeries {
  const code = protocolCode(protocolOf(protocol));
  const name = paths.length < MAX_PATHS ? connection : null;
  const known = paths.find((path) => path.protocol === code && path.connection === connection);
  const path = known ?? paths.find((other) => other.protocol === code && other.connection === name);
  if (path) return path;
  const made = { connection: name, protocol: code, teller, sampled: false, table: createTable(SHAPES.paths) };
  paths.push(made);
  return made;
}

type ReportedPath = Pick<TransportView, 'rttMs' | 'cwndBytes' | 'cwndPackets' | 'lostPackets'> & {
  atMs: number;
};

function addRow(series: SessionSeries, path: PathSeries, reported: ReportedPath): void {
  const { atMs, rttMs, cwndBytes, cwndPackets, lostPackets } = reported;
  insertRow(path.table, {
    atMs,
    rttMs: rttMs ?? NaN,
    cwndBytes: cwndBytes ?? NaN,
    cwndPackets: cwndPackets ?? NaN,
    // Counts of several connections do not go on from one another.
    lostPackets: path.connection === null ? NaN : (lostPackets ?? NaN),
  });
  const { maxPath: max } = series;
  max.rttMs = Math.max(max.rttMs, rttMs ?? 0);
  max.cwndBytes = Math.max(max.cwndBytes, cwndBytes ?? 0);
  max.cwndPackets = Math.max(max.cwndPackets, cwndPackets ?? 0);
}
