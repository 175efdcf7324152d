import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatFileError } from '../../node/files.ts';

const LOCK = 'changing.lock';

/**
 * Holds the lock of what rewrites finished days, so that a roll and a removal do not undo each other. A server only appends, and needs
 * none. Returns the function that releases it.
 * @throws Error in one sentence while another process holds it
 */
export function holdStoreLock(folder: string): () => void {
  const file = path.join(folder, LOCK);
  const take = (): boolean => {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Error(formatFileError(file, error), { cause: error });
      return false;
    }
  };
  if (!take()) {
    const holder = Number(readFileSync(file, 'utf8'));
    if (isRunning(holder))
      throw new Error(`${folder}: Process ${holder} is changing its days. Wait until it has ended.`);
    rmSync(file, { force: true });
    if (!take()) throw new Error(`${folder}: Another process is changing its days. Wait until it has ended.`);
  }
  return () => rmSync(file, { force: true });
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
