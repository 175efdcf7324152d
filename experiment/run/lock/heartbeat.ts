import { Worker } from 'node:worker_threads';

/** Tells others that the owner of a lock lives. */
export interface Heartbeat {
  stop(): void;
}

export interface HeartbeatOptions {
  /** What the file says while it is ours. */
  readonly text: string;
  readonly everyMs: number;
  /** Called once, when the file is gone or somebody else's. */
  onLost(): void;
}

/**
 * A thread, for the main one may read logs for a minute without a pause. It writes the same bytes once more instead of setting
 * a time: so the clock of the disk's owner says when, which all machines see alike. Through the file that it has opened: a
 * lock that somebody else has made in its place stays untouched.
 */
const code = `
const { parentPort, workerData } = require('node:worker_threads');
const { openSync, readFileSync, writeSync } = require('node:fs');
const { file, text, everyMs } = workerData;
const lost = () => { clearInterval(timer); parentPort.postMessage('lost'); };
let handle = null;
const timer = setInterval(() => {
  try {
    handle ??= openSync(file, 'r+');
    if (readFileSync(file, 'utf8') !== text) return lost();
    writeSync(handle, text, 0);
  } catch (error) {
    if (error.code === 'ENOENT') lost();
  }
}, everyMs);
`;

export function startHeartbeat(file: string, { text, everyMs, onLost }: HeartbeatOptions): Heartbeat {
  const thread = new Worker(code, { eval: true, execArgv: [], workerData: { file, text, everyMs } });
  thread.once('message', onLost);
  // Without a thread other machines see no renewal: that is no reason to stop.
  thread.on('error', () => {});
  thread.unref();
  return { stop: () => void thread.terminate() };
}
