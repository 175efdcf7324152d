import { eventsOf } from '../../analysis/eventsOf.ts';
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
  about: 'a row per race of QUIC and TCP, as DevTools or a NetLog tells it (docs/race-truth.md)',
  sources: (log) =>
    eventsOf(log, 'transport').flatMap((event) => event.races.map((race, place) => ({ event, race, place }))),
  columns: [
    ofEvent('requestId', 'the request; empty where Alt-Svc was marked broken'),
    ofEvent('source', 'devtools, netlog or origin'),
    {
      ...{ name: 'place', type: 'integer', unit: '', meaning: '0 for the first race of the request' },
      of: ({ place }) => place,
    },
    ofRace('outcome', 'text', 'in the words of its source'),
    {
      ...{ name: 'connectionId', type: 'text', unit: '', meaning: 'connection that came of it' },
      of: ({ event, race }) => race.connectionId ?? event.connectionId,
    },
    ofRace('mainDelayMs', 'number', 'the wait that TCP was given first'),
    ofRace('startMs', 'number', 'began'),
    ofRace('endMs', 'number', 'was decided'),
    ofRace('mainResumedMs', 'number', 'TCP was let go after its wait'),
    ofRace('orphanEndMs', 'number', 'the loser went on until here'),
    ofRace('netError', 'integer', 'net error that ended the stream'),
    ofRace('cause', 'text', 'why, in the browser’s words'),
  ],
});
