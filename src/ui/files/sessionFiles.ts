import { decisionsCsv, requestsCsv, type CsvTable } from '../../telemetry/csv.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { createSessionText } from '../../telemetry/sessionText.ts';
import { sessionBlob, sessionCsvBlob } from '../../telemetry/shell/sessionBlob.ts';
import type { SessionStore } from '../../telemetry/shell/sessionStore.ts';

/** What a session can be saved as: the whole of it, or one kind of event as a table. */
export type FileKind = 'session' | 'request' | 'decision';

/** A file of a session in the store, read batch by batch. */
export function storedFile(store: SessionStore, id: string, kind: FileKind): Promise<Blob> {
  return kind === 'session' ? sessionBlob(store, id) : sessionCsvBlob(store, { id, kind });
}

/** The same of a log in memory. */
export function logFile({ events, ...header }: SessionLog, kind: FileKind): Blob {
  if (kind === 'session') {
    const text = createSessionText();
    const pieces = [text.begin(header), ...lots(events).map((lot) => text.events(lot)), text.end()];
    return new Blob(pieces, { type: 'application/json' });
  }
  const table = (kind === 'request' ? requestsCsv : decisionsCsv) as CsvTable<SessionEvent>;
  const rows = events.filter((event) => event.kind === kind);
  return new Blob([table.head, ...lots(rows).map((lot) => table.rows(lot))], { type: 'text/csv' });
}

const LOT = 2000;

/** A day of recording in one string would be larger than a string may be. */
function lots(events: readonly SessionEvent[]): readonly (readonly SessionEvent[])[] {
  const count = Math.ceil(events.length / LOT);
  return Array.from({ length: count }, (_, index) => events.slice(index * LOT, (index + 1) * LOT));
}
