import { closedHeader } from '../closedHeader.ts';
import { decisionsCsv, requestsCsv, type CsvTable } from '../csv.ts';
import type { SessionEvent } from '../schema/sessionLog.ts';
import { createSessionText } from '../sessionText.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * A stored session as a JSON file. Written batch by batch: browsers keep large blobs outside the page's memory, so a
 * day of playing is never one object or one string here.
 */
export async function sessionBlob(store: SessionStore, id: string): Promise<Blob> {
  const header = await store.header(id);
  const listed = (await store.list()).find((session) => session.id === id);
  if (!header || !listed) throw new Error(`There is no stored session ${id}.`);
  const text = createSessionText();
  return blobOf('application/json', async function* () {
    yield text.begin(closedHeader(header, listed.endMs));
    for await (const events of store.events(id)) yield text.events(events);
    yield text.events(await store.open(id));
    yield text.end();
  });
}

/** Its requests, or its decisions, as a table for spreadsheets. */
export async function sessionCsvBlob(
  store: SessionStore,
  { id, kind }: { id: string; kind: 'request' | 'decision' },
): Promise<Blob> {
  const table = (kind === 'request' ? requestsCsv : decisionsCsv) as CsvTable<SessionEvent>;
  return blobOf('text/csv', async function* () {
    yield table.head;
    for await (const events of store.events(id, [kind])) yield table.rows(events);
    yield table.rows((await store.open(id)).filter((event) => event.kind === kind));
  });
}

/** Pieces are folded into blobs as they come, so that only one lot is a string at a time. */
async function blobOf(type: string, pieces: () => AsyncIterable<string>): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const piece of pieces()) parts.push(new Blob([piece]));
  return new Blob(parts, { type });
}
