/** What Playwright's exit code does not tell of a run. */
export interface RunEnd {
  /** Sessions that have a log and never showed a frame. */
  readonly notShown: number;
  /** Whether it ended early because a disk is full. */
  readonly isDiskFull: boolean;
}

/** Tells the process that has started the run; not by a file, as the disk may be full. */
export const tellRunEnd = (end: RunEnd): Promise<void> =>
  new Promise((reported) => {
    if (process.send) process.send(end, () => reported());
    else reported();
  });

/** What a killed run has reported. */
export const NOTHING_REPORTED: RunEnd = { notShown: 0, isDiskFull: false };
