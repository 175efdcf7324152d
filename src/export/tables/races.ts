import { eventsOf } from '../../analysis/timeline/log.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import type { CellType } from '../table.ts';
import { cellOf, tableOf, unitIn, type SourceColumn } from '../tableOf.ts';

type Race = TransportEvent['races'][number];

interface RaceRow {
  readonly event: TransportEvent;
  readonly race: Race;
  readonly place: number;
}

const ofEvent = (name: 'requestId' | 'source', meaning: string): SourceColumn<RaceRow> => ({
  ...{ name, type: 'text', unit: '', meaning },
  of: ({ event }) => event[name],
});

const ofRace = (name: keyof Race, type: CellType, meaning: string): SourceColumn<RaceRow> => ({
  ...{ name, type, unit: unitIn(name), meaning },
  of: ({ race }) => cellOf(race[name]),
});

export const races = tableOf<RaceRow>({
  id: 'races',
  label: 'races',
  about: 'a row per race of QUIC and TCP, as reported by DevTools or a NetLog (docs/race-truth.md)',
  sources: (log) =>
    eventsOf(log, 'transport').flatMap((event) => event.races.map((race, place) => ({ event, race, place }))),
  columns: [
    ofEvent('requestId', 'the request; empty for entries on broken Alt-Svc'),
    ofEvent('source', 'devtools, netlog or origin'),
    {
      ...{ name: 'place', type: 'integer', unit: '', meaning: '0 for the first race of the request' },
      of: ({ place }) => place,
    },
    ofRace('outcome', 'text', 'outcome, as named by its source'),
    {
      ...{
        name: 'connectionId',
        type: 'text',
        unit: '',
        meaning: 'the connection that resulted from the race',
      },
      of: ({ event, race }) => race.connectionId ?? event.connectionId,
    },
    ofRace('mainDelayMs', 'number', 'how long TCP had to wait at first'),
    ofRace('startMs', 'number', 'when the race started'),
    ofRace('endMs', 'number', 'when the race was decided'),
    ofRace('mainResumedMs', 'number', 'when TCP was allowed to start after its wait'),
    ofRace('orphanEndMs', 'number', 'when the losing attempt ended'),
    ofRace('netError', 'integer', 'net error that ended the stream'),
    ofRace('cause', 'text', 'cause, as named by the browser'),
  ],
});
