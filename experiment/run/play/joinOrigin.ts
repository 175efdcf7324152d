import type { JoinedTruth } from './joinTruth.ts';
import type { Place } from './place.ts';
import { transportSamples } from '../../../lab/origin/transportSamples.ts';
import { withTransport } from '../../../src/telemetry/join/joinTransport.ts';
import { requestsByConnection, transportOfOrigin } from '../../../src/telemetry/join/transportOfOrigin.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

/**
 * A session's log with what its origin recorded of the connections. A file that cannot be read, or that knows none of
 * them, is a fault, not an error; an origin without a transport log is neither.
 */
export async function joinOrigin(log: SessionLog, transportLog: Place['transportLog']): Promise<JoinedTruth> {
  if (!transportLog) return { log, faults: [] };
  const { file, fromByte, isShared } = transportLog;
  const requests = requestsByConnection(log);
  try {
    const isWanted = (connection: number): boolean => !isShared || requests.has(connection);
    const reported = await transportSamples(file, { fromByte, isWanted });
    const seen = new Set(reported.map(({ connection }) => connection));
    const unseen = [...requests.keys()].filter((connection) => !seen.has(connection));
    return {
      log: withTransport(log, 'origin', transportOfOrigin(log, reported, { isShared })),
      faults: unseen.map((id) => `the origin's transport log has nothing of connection ${id}`),
    };
  } catch (error) {
    return { log, faults: [`the origin's transport log: ${(error as Error).message}`] };
  }
}
