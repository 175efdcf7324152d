import type { Browser, BrowserFacts } from '../../lab/browser/browser.ts';
import { inconsistencies, sourceGaps, unknownRaces } from '../../src/telemetry/join/transportSources.ts';
import { withTransport } from '../../src/telemetry/join/joinTransport.ts';
import {
  transportOfDevTools,
  type DevToolsResponse,
  transportOfNetLog,
} from '../../src/telemetry/join/transportOfBrowser.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type { Place } from './place.ts';
import { transportSamples } from '../../lab/origin/transportSamples.ts';
import { requestsByConnection, transportOfOrigin } from '../../src/telemetry/join/transportOfOrigin.ts';

interface JoinedTruth {
  readonly log: SessionLog;
  /**
   * Where the transport sources contradict each other (values outside the table of docs/browsers.md) or one has no
   * value: a sentence each, empty when all is well.
   */
  readonly faults: readonly string[];
}

interface Reported {
  /** Its races are read where it reports any. */
  readonly browser: Pick<Browser, 'readRaces'>;
  /** Whole once its browser has closed; read in a stream. */
  readonly netLogFile: string;
  /** null where DevTools was not asked. */
  readonly responses: readonly DevToolsResponse[] | null;
}

/** Adds the races from the transport sources to a session's log. An unreadable NetLog is a fault, not an error. */
export async function joinTruth(
  log: SessionLog,
  { browser, netLogFile, responses }: Reported,
): Promise<JoinedTruth> {
  const seen = responses ? withTransport(log, 'devtools', transportOfDevTools(log, responses)) : log;
  const facts = await browser.readRaces?.(netLogFile);
  if (!facts) return { log: seen, faults: [] };
  if (!facts.ok) return { log: seen, faults: [`the NetLog: ${facts.error}`] };
  const reported = withSettings(
    withTransport(seen, 'netlog', transportOfNetLog(log, facts.value)),
    facts.value,
  );
  return {
    log: reported,
    faults: [
      ...unknownRaces(facts.value).map((sentence) => `the NetLog: ${sentence}`),
      ...inconsistencies(reported),
      ...sourceGaps(reported, { devTools: responses !== null }),
    ],
  };
}

/** What the browser says of itself: whether a mode or a factor has set what it says. */
const withSettings = (log: SessionLog, { quicSettings, happyEyeballs }: BrowserFacts): SessionLog => ({
  ...log,
  environment: {
    ...log.environment,
    ...(Object.keys(quicSettings).length > 0 && { quicSettings }),
    ...(happyEyeballs !== null && { happyEyeballs }),
  },
});

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
