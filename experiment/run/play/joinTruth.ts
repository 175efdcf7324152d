import { readNetLogFile } from '../../../lab/browser/readNetLogFile.ts';
import { inconsistencies, sourceGaps } from '../../../src/telemetry/join/transportSources.ts';
import { withTransport } from '../../../src/telemetry/join/joinTransport.ts';
import {
  transportOfDevTools,
  type DevToolsResponse,
  transportOfNetLog,
} from '../../../src/telemetry/join/transportOfBrowser.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

export interface JoinedTruth {
  readonly log: SessionLog;
  /**
   * Where the transport sources contradict each other (values outside the table of docs/race-truth.md) or one has no
   * value: a sentence each, empty when all is well.
   */
  readonly faults: readonly string[];
}

interface Reported {
  /** Whole once its browser has closed; read in a stream. */
  readonly netLogFile: string;
  /** null where DevTools was not asked. */
  readonly responses: readonly DevToolsResponse[] | null;
}

/** Adds the races from the transport sources to a session's log. An unreadable NetLog is a fault, not an error. */
export async function joinTruth(log: SessionLog, { netLogFile, responses }: Reported): Promise<JoinedTruth> {
  const seen = responses ? withTransport(log, 'devtools', transportOfDevTools(log, responses)) : log;
  const facts = await readNetLogFile(netLogFile);
  if (!facts.ok) return { log: seen, faults: [`the NetLog: ${facts.error}`] };
  const reported = withTransport(seen, 'netlog', transportOfNetLog(log, facts.value));
  return {
    log: reported,
    faults: [...inconsistencies(reported), ...sourceGaps(reported, { devTools: responses !== null })],
  };
}
