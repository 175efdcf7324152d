import type { EventKind, EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { decisionsCsvHead, decisionsCsvLine } from './decisionsCsv.ts';
import { requestsCsvHead, requestsCsvLine } from './requestsCsv.ts';
import { sessionJson } from './sessionJson.ts';

/** The session file. Yields to the page between pieces. */
export async function sessionFile(log: SessionLog): Promise<Blob> {
  return new Blob(await pieces(sessionJson(log)), { type: 'application/json' });
}

export async function requestsFile(log: SessionLog): Promise<Blob> {
  return csvFile(requestsCsvHead, eventsOf(log, 'request').map(requestsCsvLine));
}

export async function decisionsFile(log: SessionLog): Promise<Blob> {
  return csvFile(decisionsCsvHead, eventsOf(log, 'decision').map(decisionsCsvLine));
}

const csvFile = (head: string, lines: readonly string[]): Blob =>
  new Blob([head, ...lines], { type: 'text/csv' });

function eventsOf<Kind extends EventKind>({ events }: SessionLog, kind: Kind): readonly EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

async function pieces(texts: Iterable<string>): Promise<string[]> {
  const all: string[] = [];
  for (const text of texts) {
    all.push(text);
    await new Promise((resume) => setTimeout(resume));
  }
  return all;
}
