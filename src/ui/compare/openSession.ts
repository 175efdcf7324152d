import type { LogSource } from './logSource.ts';
import type { ReadLog } from './readLog.ts';

/** A session on show in the compare view. */
export interface OpenSession {
  readonly source: LogSource;
  readonly log: ReadLog;
}
