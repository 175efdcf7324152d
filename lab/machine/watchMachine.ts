import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { Static } from '@sinclair/typebox';
import type { MachineUse } from '../../src/telemetry/schema/environment.ts';
import { cpuTimes } from './cpuTimes.ts';
import { type Outcome, machineUse } from './judgeMachine.ts';
import { machineId } from './machineId.ts';
import { allProcesses, ownTimes } from './ownTimes.ts';
import { TICK_MS, WINDOW_MS, type MachineSample } from './machineSample.ts';

export interface MachineWatch {
  /** Ends the watch. null where it was too short to tell. Safe to call twice: the machine is judged up to the first. */
  stop(outcome: Outcome): Static<typeof MachineUse> | null;
}

const PROC_STAT = '/proc/stat';

/** What belongs to a session on its machine, and what does not. */
interface OnMachine {
  /** `Link.emulatorPid`; null without a link. */
  readonly emulatorPid: number | null;
  /** The process that has started the run: what it and its children use is the run's own. */
  readonly rootPid: number;
  /** How many other runs of Pitwall play on the machine now. */
  otherRuns(): number;
}

const ALONE: OnMachine = { emulatorPid: null, rootPid: process.pid, otherRuns: () => 0 };

/** Watches the machine from now on, for one session; several may at once. null where the machine does not tell (no Linux). */
export function watchMachine(about: Partial<OnMachine> = {}): MachineWatch | null {
  if (!existsSync(PROC_STAT)) return null;
  const { emulatorPid, rootPid, otherRuns } = { ...ALONE, ...about };
  const samples: MachineSample[] = [];
  const own = ownTimes(rootPid);
  let seen = nothingSeen();
  const take = (atMs: number): void => {
    const cpu = cpuTimes(readFileSync(PROC_STAT, 'utf8'));
    // Torn: the next reading has what was seen until then.
    if (!cpu) return;
    samples.push({ atMs, cpu, ownTicks: own(allProcesses()), otherRuns: otherRuns(), ...seen });
    seen = nothingSeen();
  };
  const waited = waitsOf(emulatorPid);
  const end = onTick((atMs, delayMs) => {
    seen.timerDelaysMs.push(delayMs);
    seen.emulatorWaitsMs.push(...waited());
    // Half a tick: a timer that came early by the clock's grain is no reason to wait for the next.
    if (atMs - (samples.at(-1)?.atMs ?? -Infinity) >= WINDOW_MS - TICK_MS / 2) take(atMs);
  });
  take(performance.now());
  let stopped = false;
  return {
    stop(outcome) {
      if (!stopped) {
        end();
        take(performance.now());
        stopped = true;
      }
      return machineUse(samples, outcome, machineId());
    },
  };
}

const nothingSeen = (): { timerDelaysMs: number[]; emulatorWaitsMs: number[] } => ({
  timerDelaysMs: [],
  emulatorWaitsMs: [],
});

/** Since the call before, in a list of one; an empty list where there is nothing to compare. */
function waitsOf(pid: number | null): () => number[] {
  let before = pid === null ? null : waitedMs(pid);
  return () => {
    const now = pid === null ? null : waitedMs(pid);
    const waits = before === null || now === null ? [] : [Math.max(0, now - before)];
    before = now;
    return waits;
  };
}

/** Called with the clock, and how late the timer came. */
type Listener = (atMs: number, delayMs: number) => void;

const listeners = new Set<Listener>();
let timer: NodeJS.Timeout | undefined;

/** One timer for the whole process, while somebody listens. Returns what ends the listening. */
function onTick(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) wait();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** Each from the one before, so that a late one does not make the next early. Nobody's process lives on for it. */
function wait(): void {
  const dueMs = performance.now() + TICK_MS;
  timer = setTimeout(() => {
    const atMs = performance.now();
    wait();
    for (const listener of listeners) listener(atMs, Math.max(0, atMs - dueMs));
  }, TICK_MS);
  timer.unref();
}

/**
 * How long the threads of a process have been ready to run and waited for a core, together, since they began
 * (proc(5), `schedstat`: ns on a core, ns waited, turns). null where the process is gone or the kernel does not count.
 */
export function waitedMs(pid: number): number | null {
  try {
    const waits = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]),
    );
    return waits.length > 0 ? waits.reduce((sum, each) => sum + each, 0) / 1e6 : null;
  } catch (error) {
    // A thread that ended while it was read says ESRCH.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
