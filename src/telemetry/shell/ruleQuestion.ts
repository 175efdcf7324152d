import type { RulesContext } from 'dashjs';
import type { DashRepresentation } from './dashRequest.ts';

/** A rule that stood ready when dash.js had to choose, and what it answered. */
export interface AskedRule {
  /** Class name in dash.js. */
  readonly rule: string;
  readonly builtIn: boolean;
  readonly asked: boolean;
  /** null is "no change". */
  readonly representation: DashRepresentation | null;
  readonly reason: Readonly<Record<string, unknown>>;
  /** Its wish is the one that dash.js took. */
  readonly won: boolean;
}

/** One question of dash.js to its rules. */
export interface RuleQuestion {
  readonly context: RulesContext;
  readonly rules: readonly AskedRule[];
  readonly tookMs: number;
  /** The question was whether to give up the running download, and the answer yes. */
  readonly abandons: boolean;
}
