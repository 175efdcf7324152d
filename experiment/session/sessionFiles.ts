import path from 'node:path';
import { rm, rename, mkdir, writeFile } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

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
  /** The log of another viewer on the same link, from 1. */
  beside(player: number): string;
  /** Questions of the session's browsers to the lab's DNS server, a line each. */
  readonly dns: string;
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
    beside: (player) => file(`beside-${player}.json`),
    dns: file('dns.jsonl'),
    transportLog: file('transport.jsonl'),
  };
}

const MAX_LINES = 3;

/** Keeps the faults of a session's transport sources beside its log; returns lines about them for the terminal. */
export async function keepFaults(
  { raceFaults }: Pick<SessionFiles, 'raceFaults'>,
  faults: readonly string[],
): Promise<string[]> {
  if (faults.length === 0) {
    await rm(raceFaults, { force: true });
    return [];
  }
  await writeWhole(raceFaults, `${JSON.stringify(faults, null, 1)}\n`);
  const more = faults.length - MAX_LINES;
  return [
    ...faults.slice(0, MAX_LINES).map((fault) => `${path.basename(raceFaults)}: ${fault}`),
    ...(more > 0 ? [`${path.basename(raceFaults)}: and ${more} more`] : []),
  ];
}

/** A NetLog whose browser has closed is kept, gzip'd, or removed: a minute of playing is about 5 MB of it. */
export async function settleNetLog(
  { netLog, netLogKept }: Pick<SessionFiles, 'netLog' | 'netLogKept'>,
  { keep }: { keep: boolean },
): Promise<void> {
  if (keep) {
    const part = `${netLogKept}.part`;
    // Fast: the cores are there for other sessions, and it shrinks tenfold all the same.
    try {
      await pipeline(createReadStream(netLog), createGzip({ level: 1 }), createWriteStream(part));
      await rename(part, netLogKept);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
  await rm(netLog, { force: true });
}

/** Written beside and moved into place: a killed run leaves whole files only, and a full disk no empty ones. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.part`;
  try {
    await writeFile(part, text);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
