import { eventsOf } from '../../analysis/eventsOf.ts';
import { transportView } from '../../telemetry/transportView.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { CellType } from '../table.ts';
import { cellOf, tableOf, unitIn, type SourceColumn } from '../tableOf.ts';

/** State of a connection at the server, from whichever source; what a source does not tell is absent. */
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
    'a row per account that a server gave of a connection: the lab’s origin ten times a second, others in their responses',
  sources: (log) => [...originSamples(log), ...responseSamples(log)],
  columns: [
    column('source', 'text', 'origin, Server-Timing, cfL4 or CMSD'),
    column('connection', 'text', 'the server’s name of the connection'),
    column('requestId', 'text', 'the response that told it; empty for the origin’s own log'),
    column('protocol', 'text', 'ALPN id'),
    column('controller', 'text', 'congestion controller'),
    column('atMs', 'number', 'when; of a response its first byte'),
    column('rttMs', 'number', 'smoothed round trip'),
    column('minRttMs', 'number', 'least round trip'),
    column('rttVarMs', 'number', 'variation of the round trip'),
    column('cwndBytes', 'integer', 'congestion window'),
    column('cwndPackets', 'integer', 'congestion window, where the server counts packets'),
    column('inFlightBytes', 'integer', 'sent and not acknowledged'),
    column('lostPackets', 'integer', 'so far; in responses over TCP those sent again'),
    column('retransmittedPackets', 'integer', 'so far, TCP alone'),
    column('sentPackets', 'integer', 'so far'),
    column('deliveryRateKbps', 'number', 'as the server estimates it'),
    column('appLimited', 'boolean', 'held down by what there was to send'),
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
