import { failed, ok, type Result } from '../../shared/result.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** A session file, one to measure, or a session's log and the NetLog that has its races. */
export type Wanted =
  { readonly open: File } | { readonly measure: Blob } | { readonly log: SessionLog; readonly netLog: File };

/** Some of a session's events, in order; the rest of the log comes after the last. */
export interface SessionPart {
  readonly part: readonly SessionEvent[];
}

/** Reads files beside the page, one after the other: parsing and checking a day of recording takes seconds. */
addEventListener('message', ({ data }: MessageEvent<Wanted>) => {
  void answerTo(data)
    .catch((fault: unknown) => failed(`The browser could not read it (${String(fault)}).`))
    .then((result) => postMessage(result));
});

/** What only some files need is loaded with the first of them. */
async function answerTo(wanted: Wanted): Promise<Result<unknown>> {
  if ('open' in wanted) return open(wanted.open);
  if ('netLog' in wanted) {
    const { readRaces } = await import('./readRaces.ts');
    return readRaces(wanted.log, wanted.netLog);
  }
  const log = readSession(await wanted.measure.text());
  const { measureLog } = await import('../compare/measureLog.ts');
  return log.ok ? ok(measureLog(log.value)) : log;
}

/** Events in one message: the page takes a message over in one task, and must answer in between. */
const EVENTS_A_MESSAGE = 2000;

/** The log without its events, which are sent ahead in `SessionPart`s. */
async function open(file: File): Promise<Result<SessionLog>> {
  const read = readSession(await file.text());
  if (!read.ok) return read;
  const { events } = read.value;
  for (let from = 0; from < events.length; from += EVENTS_A_MESSAGE)
    postMessage({ part: events.slice(from, from + EVENTS_A_MESSAGE) } satisfies SessionPart);
  return ok({ ...read.value, events: [] });
}
