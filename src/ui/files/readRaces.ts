import { failed, ok, type Result } from '../../shared/result.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import { withTransport } from '../../telemetry/join/joinTransport.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { inWorker } from './inWorker.ts';

/** A session's log with the races of its NetLog in it. The NetLog may have any size. A fault is one sentence. */
export async function readRaces(log: SessionLog, netLog: File): Promise<Result<SessionLog>> {
  const races = await inWorker<Draft<TransportEvent>[]>({ log, netLog });
  return races.ok
    ? ok(withTransport(log, 'netlog', races.value))
    : failed(`${netLog.name} was not opened. ${races.error} Nothing was changed.`);
}
