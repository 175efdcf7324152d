import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Part } from './part.ts';

/** Process that a lock belongs to. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process began, in the words of its system: a process id is used again. null: not known here. */
  readonly processStart: string | null;
  /** Boot id of Linux: another one is another start of the machine, or another machine. null elsewhere. */
  readonly bootId: string | null;
  /** PID namespace of Linux: in another one, an equal process id is another process, in another container. null elsewhere. */
  readonly pidNamespace: string | null;
  /** Time at which the process became the owner, ISO 8601, by the host's clock. */
  readonly since: string;
  /** Part of the run that the process plays; null: the whole. */
  readonly part: string | null;
}

export function thisProcess(part: Part): Owner {
  return {
    host: hostname(),
    pid: process.pid,
    processStart: processStart(process.pid),
    ...machine(),
    since: new Date().toISOString(),
    part: part ?? null,
  };
}

/** Returns whether a process lives; null where this process cannot know, as for another machine or container. */
export function isLiving(owner: Owner): boolean | null {
  const { bootId, pidNamespace } = machine();
  if (owner.bootId !== bootId || owner.pidNamespace !== pidNamespace) return null;
  if (bootId === null && owner.host !== hostname()) return null;
  if (owner.processStart === null) return null;
  return processStart(owner.pid) === owner.processStart;
}

const machine = (): Pick<Owner, 'bootId' | 'pidNamespace'> => ({
  bootId: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  pidNamespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
});

/** Returns when a process began; null when there is none, it has ended and is only listed, or the system does not say. */
function processStart(pid: number): string | null {
  if (process.platform === 'linux') return orNull(() => startTicks(pid));
  if (process.platform === 'win32') return null;
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
}

/** Reads the clock ticks since the machine's start (proc(5): fields 3 and 22; the second is a name that may hold spaces). */
function startTicks(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /[ZXx]/.test(fields[0] ?? '') ? null : (fields[19] ?? null);
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Tells others that the owner of a lock lives. */
interface Heartbeat {
  stop(): void;
}

interface HeartbeatOptions {
  /** Text of the file while it is ours. */
  readonly text: string;
  readonly everyMs: number;
  /** Called once, when the file is gone or belongs to somebody else. */
  onLost(): void;
}

/**
 * Code of a thread of its own, for the main one may read logs for a minute without a pause. The thread writes the same bytes
 * once more instead of setting a time: so the clock of the disk's owner says when, which all machines see alike. It writes
 * through the file that it has opened: a lock that somebody else has made in its place stays untouched.
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
