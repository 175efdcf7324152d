import type { MediaType, Moment, RuleContext, RuleEvent } from '../../abr/rule.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';

/**
 * One seat of the recorded session, from the moment a rule took it: what that rule was told and asked there, in order.
 * Nothing of it depends on another seat.
 */
export interface RuleRun {
  /** Whether the log says what the rule was told, or it is what a rule of ours would have been told. */
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
