import { failed, ok, type Result } from '../../result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import { withTransport } from '../../telemetry/netlog/withTransport.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { RacesWanted } from './netLogReader.worker.ts';

/** A session's log with the races of its NetLog in it. The NetLog may have any size. A fault is one sentence. */
export async function readRaces(log: SessionLog, netLog: File): Promise<Result<SessionLog>> {
  const races = await inWorker({ log, netLog }).catch((fault: unknown) => failed(String(fault)));
  return races.ok
    ? ok(withTransport(log, 'netlog', races.value))
    : failed(`${netLog.name} was not opened. ${races.error} Nothing was changed.`);
}

function inWorker(wanted: RacesWanted): Promise<Result<Draft<TransportEvent>[]>> {
  const worker = new Worker(new URL('./netLogReader.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Result<Draft<TransportEvent>[]>>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<Result<Draft<TransportEvent>[]>>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(`The reader stopped: ${event.message}`));
    worker.postMessage(wanted);
  }).finally(() => worker.terminate());
}
