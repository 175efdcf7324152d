import { eventsOf } from '../../analysis/timeline/log.ts';
import { transportView } from '../../telemetry/transportView.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { type CellType, cellOf, tableOf, unitIn, type SourceColumn } from '../table.ts';
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

const column = (name: keyof Sample, type: CellType, meaning: string): SourceColumn<Sample> => ({
  name,
  type,
  unit: unitIn(name),
  meaning,
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

type Race = TransportEvent['races'][number];

interface RaceRow {
  readonly event: TransportEvent;
  readonly race: Race;
  readonly place: number;
}

const ofEvent = (name: 'requestId' | 'source', meaning: string): SourceColumn<RaceRow> => ({
  name,
  type: 'text',
  unit: '',
  meaning,
  of: ({ event }) => event[name],
});

const ofRace = (name: keyof Race, type: CellType, meaning: string): SourceColumn<RaceRow> => ({
  name,
  type,
  unit: unitIn(name),
  meaning,
  of: ({ race }) => cellOf(race[name]),
});

export const races = tableOf<RaceRow>({
  id: 'races',
  label: 'races',
  about: 'a row per race of QUIC and TCP, as reported by DevTools or a NetLog (docs/browsers.md)',
  sources: (log) =>
    eventsOf(log, 'transport').flatMap((event) => event.races.map((race, place) => ({ event, race, place }))),
  columns: [
    ofEvent('requestId', 'the request; empty for entries on broken Alt-Svc'),
    ofEvent('source', 'devtools, netlog or origin'),
    {
      name: 'place',
      type: 'integer',
      unit: '',
      meaning: '0 for the first race of the request',
      of: ({ place }) => place,
    },
    ofRace('outcome', 'text', 'outcome, as named by its source'),
    {
      name: 'connectionId',
      type: 'text',
      unit: '',
      meaning: 'the connection that resulted from the race',
      of: ({ event, race }) => race.connectionId ?? event.connectionId,
    },
    ofRace('mainDelayMs', 'number', 'how long TCP had to wait at first'),
    ofRace('startMs', 'number', 'when the race started'),
    ofRace('endMs', 'number', 'when the race was decided'),
    ofRace('mainResumedMs', 'number', 'when TCP was allowed to start after its wait'),
    ofRace('orphanEndMs', 'number', 'when the losing attempt ended'),
    ofRace('netError', 'integer', 'net error that ended the stream'),
    ofRace(
      'cause',
      'text',
      'cause: of a broken period as named by the browser, of a race as in docs/browsers.md',
    ),
  ],
});
