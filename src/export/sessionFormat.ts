import type { Entry } from '../shared/registry.ts';
import type { Result } from '../shared/result.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** A session in a form that other programs read: one file for each session. Listed in `registry.ts`. */
export interface SessionFormat extends Entry {
  /** What the format is and what reads it, in a line. */
  readonly about: string;
  /** Extension of the format's files, without a dot in front. */
  readonly extension: string;
  /** Returns the text of the file; or why there is none, in one sentence. */
  convert(log: SessionLog, options: FormatOptions): Result<FormatText>;
}

interface FormatText {
  readonly text: string;
  /** What was assumed or left out, a sentence each. */
  readonly notes: readonly string[];
}

/** What no log knows; other formats than P.1203 ask for none of it. */
export interface FormatOptions {
  /** Width and height of the screen in pixels, as in 1920x1080. */
  readonly screen: string;
  /** Frames per second; null: as counted in the log. */
  readonly fps: number | null;
}
