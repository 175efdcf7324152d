/** `@pitwall/abr/shaka`: a rule decides in Shaka Player, as its `AbrManager`. */
import type shaka from 'shaka-player';
import type { Rule } from '../../src/abr/rule.ts';
import type { HostOptions } from '../../src/player/host/ruleHost.ts';
import { createShakaRule } from '../../src/player/host/shakaManager.ts';
import { decidable } from './decidable.ts';

export type { HostOptions };

/** A rule that decides for a player. */
export interface ShakaRuleInUse {
  /** Switches to another rule, also during playback. Takes the same values as `useRule`. */
  use(rule: Rule | string): void;
  /** Takes the rule off: from the next `load()` on Shaka's own manager decides. */
  stop(): void;
}

/**
 * Puts a rule in charge of a Shaka player, 5 or newer. Call it after `new shaka.Player()` and before `load()`. `rule` is a rule,
 * or a text as `parseRule` takes it.
 * @throws Error with one sentence for a text that names no rule, and for a rule that has no weights yet
 */
export function useRule(
  player: shaka.Player,
  rule: Rule | string,
  options: HostOptions = {},
): ShakaRuleInUse {
  const { use, stop } = createShakaRule(player, decidable(rule), options);
  return { use: (next) => use(decidable(next)), stop };
}
