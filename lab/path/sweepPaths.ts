import { ip } from '../namespaces.ts';

/** Removes the namespaces of processes that are gone: `kill -9` leaves them no chance to do it themselves. */
export async function sweepPaths(): Promise<void> {
  const names = await ip('netns', 'list');
  for (const line of names.split('\n')) {
    const [name, owner] = /^pitwall-(\d+)-\d+[crs]/.exec(line) ?? [];
    if (name && !isAlive(Number(owner))) await ip('netns', 'del', name).catch(() => {});
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
