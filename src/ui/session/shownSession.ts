import type { Diagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { SessionEvent, SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import type { FileKind } from '../../telemetry/shell/store/sessionSource.ts';

/** What the views show, whether it is being recorded or was opened from a file: they need not know which. */
export interface ShownSession {
  readonly name: string;
  /** True while it grows. */
  growing(): boolean;
  readonly series: SessionSeries;
  readonly diagnostics: Diagnostics;
  header(): SessionHeader;
  /** The full event behind a row of the series; null while it is not finished. */
  event(id: string): Promise<SessionEvent | null>;
  file(kind: FileKind): Promise<Blob>;
  /** Session time while it is being recorded, null once that ended; absent for an opened session. */
  readonly nowMs?: () => number | null;
  /** What is unfinished now: requests in flight, a stall. */
  readonly openEvents?: () => readonly SessionEvent[];
}

/** A part of the page that draws a session. */
export interface View {
  /** Changes to another session, or to none. */
  show(session: ShownSession | null): void;
  /** Something may have happened since; called at most four times a second, and not while the page is hidden. */
  update(): void;
}
