import { failed, ok, type Result } from '../../shared/result.ts';
import type { SessionLog, SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { ShownSession } from '../session/shownSession.ts';
import type { Draft, TransportEvent } from '../../telemetry/event.ts';
import { withTransport } from '../../telemetry/join/joinTransport.ts';
import type { SessionPart, Wanted } from './fileReader.worker.ts';
import { LARGEST_BYTES } from './loadSession.ts';
import { startReader } from './startReader.ts';

export interface OpenedFile {
  readonly log: SessionLog;
  /** Name of the session's file. */
  readonly name: string;
  /** Name of the NetLog whose races are in it now; null without one. */
  readonly netLog: string | null;
}

/**
 * Opens a session, a session with its NetLog, or a NetLog for the session on show: then its races are added to that
 * session's own log. Several sessions are `many`: they open in another view. A fault is one sentence and changes nothing.
 */
export async function openFiles(
  files: readonly File[],
  shown: ShownSession | null,
): Promise<Result<OpenedFile | 'many'>> {
  const isNetLog = await Promise.all(files.map(looksLikeNetLog));
  const netLogs = files.filter((_, index) => isNetLog[index]);
  const sessions = files.filter((_, index) => !isNetLog[index]);
  const [netLog = null] = netLogs;
  if (sessions.length > 1) return ok('many');
  if (netLogs.length > 1) return failed('More than one NetLog was dropped: one session has one.');
  const session = sessions[0] ?? (await fileOf(netLog, shown));
  if (!(session instanceof File)) return session;
  const plain = await readFile(session);
  if (!plain.ok || !netLog)
    return plain.ok ? ok({ log: plain.value, name: session.name, netLog: null }) : plain;
  const log = await readRaces(plain.value, netLog);
  return log.ok ? ok({ log: log.value, name: session.name, netLog: netLog.name }) : log;
}

/** Chromium writes its constants first. */
async function looksLikeNetLog(file: File): Promise<boolean> {
  const head = await file
    .slice(0, 200)
    .text()
    .catch(() => '');
  return /^\s*\{\s*"constants"/.test(head);
}

/** The session on show as its own file would be. */
async function fileOf(netLog: File | null, shown: ShownSession | null): Promise<File | Result<never>> {
  const refused = (why: string): Result<never> =>
    failed(`${netLog?.name} was not opened. It is a NetLog, and ${why} Nothing was changed.`);
  if (!shown) return refused('there is no open session for its races: open that first, or both at once.');
  if (shown.growing()) return refused('the open session is still being recorded: stop it first.');
  return new File([await shown.file('session')], shown.name);
}

/** Reads a session file in a worker. Every fault is one sentence that begins with the file's name. */
async function readFile(file: File): Promise<Result<SessionLog>> {
  const refused = (why: string): Result<never> =>
    failed(`${file.name} was not opened. ${why} Nothing was changed.`);
  if (file.size > LARGEST_BYTES)
    return refused('It is larger than 500 MB, which a page cannot read at once.');
  const events: SessionLog['events'] = [];
  const result = await inWorker<SessionLog>({ open: file }, (part) => void events.push(...part));
  return result.ok ? ok({ ...result.value, events }) : refused(result.error);
}

/** A session's log with the races of its NetLog in it. The NetLog may have any size. A fault is one sentence. */
async function readRaces(log: SessionLog, netLog: File): Promise<Result<SessionLog>> {
  const races = await inWorker<Draft<TransportEvent>[]>({ log, netLog });
  return races.ok
    ? ok(withTransport(log, 'netlog', races.value))
    : failed(`${netLog.name} was not opened. ${races.error} Nothing was changed.`);
}

/** What the reader makes of a file; `onPart` takes what it sends ahead. Without a worker, or when it stops, that is the fault. */
function inWorker<Value>(
  wanted: Wanted,
  onPart: (events: readonly SessionEvent[]) => void = () => undefined,
): Promise<Result<Value>> {
  return read<Value>(wanted, onPart).catch((fault: unknown) => failed(String(fault)));
}

async function read<Value>(
  wanted: Wanted,
  onPart: (events: readonly SessionEvent[]) => void,
): Promise<Result<Value>> {
  const worker = startReader();
  return new Promise<Result<Value>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Result<Value> | SessionPart>) =>
      'part' in data ? onPart(data.part) : resolve(data);
    worker.onerror = (event) => reject(new Error(`The reader stopped: ${event.message}`));
    worker.postMessage(wanted);
  }).finally(() => worker.terminate());
}
