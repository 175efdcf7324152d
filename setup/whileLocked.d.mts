/** Runs `work` while this process alone holds `lockFile`; waits for a living holder, takes over from a dead one. */
export function whileLocked<Result>(lockFile: string, work: () => Result): Result;
