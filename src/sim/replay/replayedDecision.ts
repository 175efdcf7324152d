import type { MediaType } from '../../abr/rule.ts';
import type { RuleRun } from './ruleRun.ts';

/** What a rule would have chosen at a recorded decision, beside what was chosen. */
export interface ReplayedDecision {
  /** Id of the decision in the log. */
  readonly id: string;
  readonly mediaType: MediaType;
  readonly atMs: number;
  readonly segment: number | null;
  readonly bufferMs: number;
  readonly recordedRule: string;
  readonly recordedRung: number | null;
  readonly recordedBitrateKbps: number | null;
  /** null when the rule could not be asked; `fault` says why. */
  readonly rung: number | null;
  readonly bitrateKbps: number | null;
  readonly because: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly holdUntilBufferMs: number | null;
  readonly input: RuleRun['input'];
  /** Why there is no answer of the rule; the player would have stayed on the last rung. null when there is one. */
  readonly fault: string | null;
  /** Whether the rung is the recorded one. */
  readonly agrees: boolean;
}
