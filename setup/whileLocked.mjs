// One set-up at a time: `npm ci` empties node_modules first.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs `work` while this process alone holds `lockFile`; waits for a living holder, takes over from a dead one.
 * @template Result
 * @param {string} lockFile
 * @param {() => Result} work
 * @returns {Result}
 */
export function whileLocked(lockFile, work) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  while (!takesLock(lockFile)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  try {
    return work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** Whether this process holds `lockFile` from now on; whoever does removes it. A dead holder loses it at the next try. @param {string} lockFile */
export function takesLock(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives(lockFile)) rmSync(lockFile, { force: true });
    return false;
  }
}

function holderLives(lockFile) {
  try {
    // An empty file is being written at this moment: 0 asks about our own process group, which lives.
    process.kill(Number(readFileSync(lockFile, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
