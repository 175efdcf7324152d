import { failed, ok, type Result } from '../../result.ts';
import { createNetLogReader } from '../../telemetry/netlog/readNetLog.ts';
import { transportOfNetLog } from '../../telemetry/netlog/transportOfNetLog.ts';
import type { NetLogFacts } from '../../telemetry/netlog/netLogFacts.ts';
import { withTransport } from '../../telemetry/netlog/withTransport.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

export interface ReadRequest {
  /** The session file's text. */
  readonly text: string;
  readonly netLog: File | null;
}

/** A fault of the NetLog says so: the sentence names that file then. */
export type ReadAnswer = Result<SessionLog> & { readonly ofNetLog?: true };

/** Reads a session file beside the page: parsing and checking a day of recording takes seconds. */
addEventListener('message', (event: MessageEvent<ReadRequest>) => {
  void answerTo(event.data).then((answer) => postMessage(answer));
});

async function answerTo({ text, netLog }: ReadRequest): Promise<ReadAnswer> {
  const session = readSession(text);
  if (!session.ok || !netLog) return session;
  const races = await withRaces(session.value, netLog);
  return races.ok ? races : { ...races, ofNetLog: true };
}

async function withRaces(log: SessionLog, netLog: File): Promise<Result<SessionLog>> {
  const facts = await factsOf(netLog).catch((fault: unknown) =>
    failed(`The browser could not read it (${String(fault)}).`),
  );
  if (!facts.ok) return facts;
  const transports = transportOfNetLog(log, facts.value);
  if (transports.length === 0)
    return failed('No request of the session is in it: it is the NetLog of another one.');
  return ok(withTransport(log, 'netlog', transports));
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
