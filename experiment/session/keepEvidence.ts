import { joinTruth } from './joinTruth.ts';
import { partialLog, type FailedSession, type PartialLog } from './partialLog.ts';
import { type SessionFiles, settleNetLog, writeWhole } from './sessionFiles.ts';
import type { TransportSources } from './watchSources.ts';
import type { Browser } from '../../lab/browser/browser.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import { open } from 'node:fs/promises';

interface Evidence extends FailedSession {
  readonly browser: Pick<Browser, 'readRaces'>;
  /** null where the browser did not start. */
  readonly sources: TransportSources | null;
  readonly keepNetLog: boolean;
}

/**
 * Keeps what a failed try left: partial log, console, the NetLog's end. Closes the browser. Never throws, for the failure
 * itself has to be reported; returns a line for each thing that could not be kept.
 */
export async function keepEvidence(files: SessionFiles, evidence: Evidence): Promise<string[]> {
  const reported: string[] = [];
  const keep = async (what: string, step: () => Promise<unknown>): Promise<void> => {
    await step().catch((error: unknown) => reported.push(`${what}: ${String(error)}`));
  };
  const { sources } = evidence;
  // First: what a rescue does to the page is none of the session's words.
  const lines = [...(sources?.lines() ?? [])];
  const log = await partialLog(evidence);
  // Reopening writes no NetLog, so that this is still the session's.
  await keep('its partial log', async () => {
    if (!log.ok) throw new Error(log.error);
    await writeWhole(files.partial, await withTruth(log.value, { files, ...evidence }));
  });
  await keep('its console', () =>
    writeWhole(files.console, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  );
  await keep('the end of its NetLog', async () => {
    const tail = await netLogTail(files.netLog);
    // An empty file would say nothing; on a full disk it is all that can be written.
    if (tail !== '') await writeWhole(files.netLogTail, tail);
  });
  await keep('its NetLog', () => settleNetLog(files, { keep: evidence.keepNetLog }));
  return reported;
}

/** A log that is not valid is kept as it is. */
async function withTruth(
  { text }: PartialLog,
  { files, browser, sources }: { files: SessionFiles } & Pick<Evidence, 'browser' | 'sources'>,
): Promise<string> {
  const log = readSession(text);
  if (!log.ok) return text;
  const responses = sources?.responses() ?? null;
  const reported = await joinTruth(log.value, { browser, netLogFile: files.netLog, responses });
  return JSON.stringify(reported.log);
}

const TAIL_BYTES = 256 * 1024;

/**
 * The last events of a NetLog as JSON Lines: whole ones, of the last `maxBytes`. Empty when there is none: a browser that
 * did not start left nothing. The numbers of their types are named by the Chromium that wrote them
 * (`chrome://net-export`, netlog_viewer).
 */
export async function netLogTail(file: string, maxBytes = TAIL_BYTES): Promise<string> {
  const text = await lastBytes(file, maxBytes);
  const lines = text.split('\n').map((line) => line.trim().replace(/(\][,}]?)?,?$/, ''));
  return lines
    .filter(isEvent)
    .map((line) => `${line}\n`)
    .join('');
}

async function lastBytes(file: string, maxBytes: number): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Not the constants, nor the polled data behind the events, nor the first line, which the cut has torn. */
function isEvent(line: string): boolean {
  try {
    const event = JSON.parse(line) as { source?: unknown; type?: unknown } | null;
    return typeof event?.type === 'number' && typeof event.source === 'object';
  } catch {
    return false;
  }
}
