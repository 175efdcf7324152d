import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Removes the namespaces of processes that are gone: `kill -9` leaves them no chance to do it themselves. */
export async function sweepPaths(): Promise<void> {
  const { stdout } = await run('ip', ['netns', 'list']);
  for (const line of stdout.split('\n')) {
    const [name, owner] = /^pitwall-(\d+)-\d+[crs]/.exec(line) ?? [];
    if (name && !isAlive(Number(owner))) await run('ip', ['netns', 'del', name]).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
