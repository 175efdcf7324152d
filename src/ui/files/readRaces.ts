import { failed, ok, type Result } from '../../shared/result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import { transportOfNetLog } from '../../telemetry/join/transportOfBrowser.ts';
import type { NetLogFacts } from '../../telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../telemetry/netlog/readNetLog.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** The races of a session's requests, from the NetLog of the browser that played it. */
export async function readRaces(log: SessionLog, netLog: File): Promise<Result<Draft<TransportEvent>[]>> {
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
