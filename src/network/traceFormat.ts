import type { Entry } from '../shared/registry.ts';
import type { Result } from '../shared/result.ts';
import type { RateTrace } from './rateTrace.ts';

/** A way to write a trace down. `docs/traces.md` describes them for people. */
export interface TraceFormat extends Entry {
  /** What a file of it holds, in a line for `--help`. */
  readonly meaning: string;
  /** Whether a text may be of this format, from its beginning. Faults further down do not matter: `read` names them. */
  looksLike(text: string): boolean;
  /** `name` is the file's, for the trace and for the one sentence of the error. */
  read(text: string, name: string): Result<RateTrace>;
}
