import { eventsOf } from '../../analysis/timeline/log.ts';
import { transportView } from '../../telemetry/transportView.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { field, tableOf } from '../table.ts';
import type { TransportEvent } from '../../telemetry/event.ts';

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

export const transport = tableOf<Sample>({
  id: 'transport',
  label: 'transport samples',
  about:
    'a row per report of a server on a connection: the lab’s origin reports ten times a second, others in their responses',
  sources: (log) => [...originSamples(log), ...responseSamples(log)],
  columns: [
    field('source', 'text', 'origin, Server-Timing, cfL4 or CMSD'),
    field('connection', 'text', 'the server’s name for the connection'),
    field('requestId', 'text', 'the response that contained the report; empty for the origin’s own log'),
    field('protocol', 'text', 'ALPN id'),
    field('controller', 'text', 'congestion controller'),
    field('atMs', 'number', 'time of the report; for a response, of its first byte'),
    field('rttMs', 'number', 'smoothed round-trip time'),
    field('minRttMs', 'number', 'lowest round-trip time'),
    field('rttVarMs', 'number', 'variation of the round-trip time'),
    field('cwndBytes', 'integer', 'congestion window'),
    field('cwndPackets', 'integer', 'congestion window, if the server counts packets'),
    field('inFlightBytes', 'integer', 'bytes sent but not acknowledged'),
    field('lostPackets', 'integer', 'lost so far; in responses over TCP: retransmitted so far'),
    field('retransmittedPackets', 'integer', 'retransmitted so far; TCP only'),
    field('sentPackets', 'integer', 'sent so far'),
    field('deliveryRateKbps', 'number', 'delivery rate as estimated by the server'),
    field(
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
      source: 'origin',
      connection: connectionId,
      protocol: origin!.protocol,
      controller: origin!.controller,
    })),
  );

const responseSamples = (log: SessionLog): Sample[] =>
  eventsOf(log, 'request').flatMap((request) => {
    const view = transportView(request);
    if (!view) return [];
    const atMs = request.firstByteMs ?? request.endMs ?? request.atMs;
    return [{ ...view, requestId: request.id, protocol: request.protocol, atMs }];
  });

/** A race with what its event says of it. */
type RaceRow = TransportEvent['races'][number] &
  Pick<TransportEvent, 'requestId' | 'source'> & { readonly place: number };

export const races = tableOf<RaceRow>({
  id: 'races',
  label: 'races',
  about: 'a row per race of QUIC and TCP, as reported by DevTools or a NetLog (docs/browsers.md)',
  sources: (log) =>
    eventsOf(log, 'transport').flatMap(({ requestId, source, connectionId, races: found }) =>
      found.map((race, place) => ({
        ...race,
        requestId,
        source,
        place,
        connectionId: race.connectionId ?? connectionId,
      })),
    ),
  columns: [
    field('requestId', 'text', 'the request; empty for entries on broken Alt-Svc'),
    field('source', 'text', 'devtools, netlog or origin'),
    field('place', 'integer', '0 for the first race of the request'),
    field('outcome', 'text', 'outcome, as named by its source'),
    field('connectionId', 'text', 'the connection that resulted from the race'),
    field('mainDelayMs', 'number', 'how long TCP had to wait at first'),
    field('startMs', 'number', 'when the race started'),
    field('endMs', 'number', 'when the race was decided'),
    field('mainResumedMs', 'number', 'when TCP was allowed to start after its wait'),
    field('orphanEndMs', 'number', 'when the losing attempt ended'),
    field('netError', 'integer', 'net error that ended the stream'),
    field(
      'cause',
      'text',
      'cause: of a broken period as named by the browser, of a race as in docs/browsers.md',
    ),
  ],
});
