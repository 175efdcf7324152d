import { decisionsCsv, requestsCsv, type CsvTable } from '../csv.ts';
import type { SessionEvent } from '../schema/sessionLog.ts';
import { createSessionText } from '../sessionText.ts';
import type { SessionSource } from './sessionSource.ts';

/** What a session can be saved as: the whole of it as JSON, or its requests or decisions as a table for spreadsheets. */
export type FileKind = 'session' | 'request' | 'decision';

/**
 * A session as a file. Written batch by batch: browsers keep large blobs outside the page's memory, so a day of playing
 * is never one object or one string here.
 */
export function sessionBlob(session: SessionSource, kind: FileKind): Promise<Blob> {
  if (kind === 'session') return blobOf('application/json', jsonOf(session));
  const table = (kind === 'request' ? requestsCsv : decisionsCsv) as CsvTable<SessionEvent>;
  return blobOf('text/csv', rowsOf(session.events([kind]), table));
}

async function* jsonOf({ header, events }: SessionSource): AsyncIterable<string> {
  const text = createSessionText();
  yield text.begin(header);
  for await (const batch of events()) yield text.events(batch);
  yield text.end();
}

async function* rowsOf(
  batches: AsyncIterable<readonly SessionEvent[]>,
  { head, rows }: CsvTable<SessionEvent>,
): AsyncIterable<string> {
  yield head;
  for await (const batch of batches) yield rows(batch);
}

/** Pieces are folded into blobs as they come, so that only one batch is a string at a time. */
async function blobOf(type: string, pieces: AsyncIterable<string>): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const piece of pieces) parts.push(new Blob([piece]));
  return new Blob(parts, { type });
}
