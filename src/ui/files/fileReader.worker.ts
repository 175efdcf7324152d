import { failed, ok, type Result } from '../../result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import type { NetLogFacts } from '../../telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../telemetry/netlog/readNetLog.ts';
import { transportOfNetLog } from '../../telemetry/netlog/transportOfNetLog.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** The text of a session file, or a session's log and the NetLog that has its races. */
export type Wanted = string | { readonly log: SessionLog; readonly netLog: File };

/** Reads files beside the page: parsing and checking a day of recording takes seconds. */
addEventListener('message', ({ data }: MessageEvent<Wanted>) => {
  const answer = typeof data === 'string' ? Promise.resolve(readSession(data)) : racesOf(data);
  void answer.then((result) => postMessage(result));
});

async function racesOf({ log, netLog }: Exclude<Wanted, string>): Promise<Result<Draft<TransportEvent>[]>> {
  const unread = (fault: unknown): Result<never> =>
    failed(`The browser could not read it (${String(fault)}).`);
  const facts = await factsOf(netLog).catch(unread);
  if (!facts.ok) return facts;
  const races = transportOfNetLog(log, facts.value);
  return races.length > 0
    ? ok(races)
    : failed('No request of the session is in it: it is the NetLog of another one.');
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
