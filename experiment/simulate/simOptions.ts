import type { PlayerOptions } from './playerOptions.ts';

/** What `pitwall sim` was asked for. */
export interface SimOptions extends PlayerOptions {
  readonly rules: string;
  readonly traces: readonly string[];
  readonly format?: string;
  readonly video: string;
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
  readonly qoe: string;
  readonly model: string;
  readonly json?: string;
  readonly log?: string;
  /** With `--paired`, and a file where one is named. */
  readonly paired?: string | true;
  readonly seed: number;
  readonly jobs: number;
  /** False with `--no-optimum`. */
  readonly optimum: boolean;
}
