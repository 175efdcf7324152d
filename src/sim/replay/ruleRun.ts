import type { MediaType, Moment, RuleContext, RuleEvent } from '../../abr/rule.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';

/**
 * One media type of one rule span of the recorded session: the inputs of the rule and its questions, in order. No run
 * depends on another.
 */
export interface RuleRun {
  /** Whether the log contains the rule's inputs, or they are what a rule of ours would have received. */
  readonly input: 'recorded' | 'derived';
  /** null when the log does not say what there was to choose from: then nobody can be asked. */
  readonly context: RuleRunContext | null;
  readonly steps: readonly Step[];
}

export type RuleRunContext = Omit<RuleContext, 'sizeBytes' | 'sizesFrom'>;

export type Step =
  | { readonly kind: 'input'; readonly event: RuleEvent }
  | { readonly kind: 'asked'; readonly decision: DecisionEvent; readonly moment: Moment };

export const MEDIA_TYPES: readonly MediaType[] = ['video', 'audio'];
