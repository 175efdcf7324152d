import { readdirSync, readFileSync } from 'node:fs';

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
