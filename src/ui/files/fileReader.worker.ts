import { failed, ok, type Result } from '../../shared/result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import type { NetLogFacts } from '../../telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../telemetry/netlog/readNetLog.ts';
import { transportOfNetLog } from '../../telemetry/join/transportOfBrowser.ts';
import { readSessionLog } from '../../analysis/deriveScreen.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** A session file, or a session's log and the NetLog that has its races. */
export type Wanted = File | { readonly log: SessionLog; readonly netLog: File };

/** Some of a session's events, in order; the rest of the log comes after the last. */
export interface SessionPart {
  readonly part: readonly SessionEvent[];
}

/** Reads files beside the page: parsing and checking a day of recording takes seconds. */
addEventListener('message', ({ data }: MessageEvent<Wanted>) => {
  const answer = data instanceof File ? sessionOf(data) : racesOf(data);
  void answer.catch(unread).then((result) => postMessage(result));
});

const unread = (fault: unknown): Result<never> => failed(`The browser could not read it (${String(fault)}).`);

/** Events in one message: the page takes a message over in one task, and must answer in between. */
const EVENTS_A_MESSAGE = 2000;

/** The log without its events, which are sent ahead in `SessionPart`s. */
async function sessionOf(file: File): Promise<Result<SessionLog>> {
  const read = readSessionLog(await file.text());
  if (!read.ok) return read;
  const { events } = read.value;
  for (let from = 0; from < events.length; from += EVENTS_A_MESSAGE)
    postMessage({ part: events.slice(from, from + EVENTS_A_MESSAGE) } satisfies SessionPart);
  return ok({ ...read.value, events: [] });
}

async function racesOf({ log, netLog }: Exclude<Wanted, File>): Promise<Result<Draft<TransportEvent>[]>> {
  const facts = await factsOf(netLog);
  if (!facts.ok) return facts;
  const races = transportOfNetLog(log, facts.value);
  return races.length > 0
    ? ok(races)
    : failed('It has no request of the session: it is the NetLog of another one.');
}

/** In a stream: memory grows with the requests in it, not with its size. */
async function factsOf(netLog: File): Promise<Result<NetLogFacts>> {
  const reader = createNetLogReader();
  const chunks = netLog.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await chunks.read(); !next.done; next = await chunks.read()) {
    reader.push(next.value);
    const refused = reader.refused();
    if (refused !== null) return failed(refused);
  }
  return reader.end();
}
