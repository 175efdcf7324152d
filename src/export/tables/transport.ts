import { eventsOf } from '../../analysis/timeline/log.ts';
import { transportView } from '../../telemetry/transportView.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { CellType } from '../table.ts';
import { cellOf, tableOf, unitIn, type SourceColumn } from '../tableOf.ts';

/** State of a connection at the server, from whichever source; what a source does not report is absent. */
interface Sample {
  readonly source: string;
  readonly connection: string | null;
  readonly requestId?: string;
  readonly protocol: string | null;
  readonly controller: string | null;
  readonly atMs: number;
  readonly rttMs: number | null;
  readonly minRttMs: number | null;
  readonly rttVarMs: number | null;
  readonly cwndBytes: number | null;
  readonly cwndPackets?: number | null;
  readonly inFlightBytes: number | null;
  readonly lostPackets: number | null;
  readonly retransmittedPackets?: number | null;
  readonly sentPackets?: number | null;
  readonly deliveryRateKbps: number | null;
  readonly appLimited?: boolean | null;
}

const column = (name: keyof Sample, type: CellType, meaning: string): SourceColumn<Sample> => ({
  ...{ name, type, unit: unitIn(name), meaning },
  of: (sample) => cellOf(sample[name]),
});

export const transport = tableOf<Sample>({
  id: 'transport',
  label: 'transport samples',
  about:
    'a row per report of a server on a connection: the lab’s origin reports ten times a second, others in their responses',
  sources: (log) => [...originSamples(log), ...responseSamples(log)],
  columns: [
    column('source', 'text', 'origin, Server-Timing, cfL4 or CMSD'),
    column('connection', 'text', 'the server’s name for the connection'),
    column('requestId', 'text', 'the response that contained the report; empty for the origin’s own log'),
    column('protocol', 'text', 'ALPN id'),
    column('controller', 'text', 'congestion controller'),
    column('atMs', 'number', 'time of the report; for a response, of its first byte'),
    column('rttMs', 'number', 'smoothed round-trip time'),
    column('minRttMs', 'number', 'lowest round-trip time'),
    column('rttVarMs', 'number', 'variation of the round-trip time'),
    column('cwndBytes', 'integer', 'congestion window'),
    column('cwndPackets', 'integer', 'congestion window, if the server counts packets'),
    column('inFlightBytes', 'integer', 'bytes sent but not acknowledged'),
    column('lostPackets', 'integer', 'lost so far; in responses over TCP: retransmitted so far'),
    column('retransmittedPackets', 'integer', 'retransmitted so far; TCP only'),
    column('sentPackets', 'integer', 'sent so far'),
    column('deliveryRateKbps', 'number', 'delivery rate as estimated by the server'),
    column(
      'appLimited',
      'boolean',
      'whether the delivery rate was limited by the data to send, not by the network',
    ),
  ],
});

const originSamples = (log: SessionLog): Sample[] =>
  eventsOf(log, 'transport').flatMap(({ connectionId, origin }) =>
    (origin?.samples ?? []).map((sample) => ({
      ...sample,
      ...{ source: 'origin', connection: connectionId },
      ...{ protocol: origin!.protocol, controller: origin!.controller },
    })),
  );

const responseSamples = (log: SessionLog): Sample[] =>
  eventsOf(log, 'request').flatMap((request) => {
    const view = transportView(request);
    if (!view) return [];
    const atMs = request.firstByteMs ?? request.endMs ?? request.atMs;
    return [{ ...view, requestId: request.id, protocol: request.protocol, atMs }];
  });
