/** `@pitwall/abr/hlsjs`: a rule decides in hls.js, as its `abrController`. */
import type { HlsConfig } from 'hls.js';
import type { Rule } from '../../src/abr/rule.ts';
import { createHlsRule } from '../../src/player/host/hlsController.ts';
import type { HostOptions } from '../../src/player/host/ruleHost.ts';
import { decidable } from './decidable.ts';

export type { HostOptions };

/** A rule that decides for every player that was made with its `config`. */
export interface HlsRuleInUse {
  /** For `new Hls(config)`: the controller, and low latency off, see the README. */
  readonly config: Pick<HlsConfig, 'abrController' | 'lowLatencyMode'>;
  /** Switches to another rule, also during playback. Takes the same values as `useRule`. */
  use(rule: Rule | string): void;
}

/**
 * Prepares a rule for hls.js 1.7 or newer: `new Hls({ ...useRule('bba-2').config })`. `rule` is a rule, or a text as `parseRule`
 * takes it.
 * @throws Error with one sentence for a text that names no rule, and for a rule that has no weights yet
 */
export function useRule(rule: Rule | string, options: HostOptions = {}): HlsRuleInUse {
  const { abrController, use } = createHlsRule(decidable(rule), options);
  return {
    config: { abrController, lowLatencyMode: false },
    use: (next) => use(decidable(next)),
  };
}
