import { failed, ok, type Result } from '../../result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import type { NetLogFacts } from '../../telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../telemetry/netlog/readNetLog.ts';
import { transportOfNetLog } from '../../telemetry/netlog/transportOfNetLog.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

export interface RacesWanted {
  readonly log: SessionLog;
  readonly netLog: File;
}

/** Reads a NetLog beside the page; a worker of its own, because few visitors ever open one. */
addEventListener('message', ({ data }: MessageEvent<RacesWanted>) => {
  void racesOf(data).then((races) => postMessage(races));
});

async function racesOf({ log, netLog }: RacesWanted): Promise<Result<Draft<TransportEvent>[]>> {
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
