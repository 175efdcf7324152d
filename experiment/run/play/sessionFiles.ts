import path from 'node:path';

/** Where a session of a campaign or comparison leaves what; README.md says when. */
export interface SessionFiles {
  /** The whole log. */
  readonly log: string;
  /** The log of a try that failed, as far as it came. */
  readonly partial: string;
  /** Why each try failed that did, a line each. */
  readonly failures: string;
  readonly console: string;
  /** The NetLog while the browser writes it. */
  readonly netLog: string;
  readonly netLogTail: string;
  /** The whole NetLog, gzip'd. */
  readonly netLogKept: string;
  readonly raceFaults: string;
  /** What the instrumented origin writes about the session's connections, until it is in the log. */
  readonly transportLog: string;
}

export function sessionFiles(logDir: string, id: string): SessionFiles {
  const file = (rest: string): string => path.join(logDir, `${id}.${rest}`);
  return {
    log: file('json'),
    partial: file('partial.json'),
    failures: file('failures.jsonl'),
    console: file('console.jsonl'),
    netLog: file('netlog.json'),
    netLogTail: file('netlog-tail.jsonl'),
    netLogKept: file('netlog.json.gz'),
    raceFaults: file('race-faults.json'),
    transportLog: file('transport.jsonl'),
  };
}
