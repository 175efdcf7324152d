/** Runs `work` while this process alone holds `lockFile`; waits for a living holder, takes over from a dead one. */
export function whileLocked<Result>(lockFile: string, work: () => Result): Result;

/** Whether this process holds `lockFile` from now on; whoever does removes it. A dead holder loses it at the next try. */
export function takesLock(lockFile: string): boolean;
