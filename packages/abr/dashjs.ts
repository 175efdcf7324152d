/** `@pitwall/abr/dashjs`: the rules as custom rules of a dash.js player. */
import type { MediaPlayerClass } from 'dashjs';
import type { Rule } from '../../src/abr/rule.ts';
import { DASH_RULE_NAME } from '../../src/player/bridge/ruleBridge.ts';
import {
  createRuleSwitch,
  leaveRateTo,
  shippedRules,
  type ShippedRules,
} from '../../src/player/bridge/ruleSwitch.ts';
import type { PickableRule } from '../../src/player/rules.ts';
import type { SizesWish } from '../../src/player/sizes/sizesSource.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { decidable } from './decidable.ts';
import { createForgetfulStore } from './forgetfulStore.ts';

export interface RuleOptions {
  /** The recording of the same player; decisions and their reasons are written to it. If absent, nothing is kept. */
  readonly telemetry?: Telemetry;
  /** Random seed of the rule, a whole number from 0; 1 if absent. */
  readonly seed?: number;
  /** Where the rule learns the sizes of segments; `stream` if absent: from the index, or the side file that the MPD names. */
  readonly sizes?: SizesWish;
}

/** A rule that decides for a player. */
export interface RuleInUse {
  /** Switches to another rule, also during playback. Takes the same values as `useRule`. */
  use(rule: Rule | string): void;
  /** Takes the rule off: dash.js' own rules decide again, as its settings were. To be called before `player.reset()`. */
  stop(): Promise<void>;
}

export type { SizesWish };

/**
 * Puts a rule in charge of a dash.js player, by `player.addABRCustomRule`, and switches dash.js' own rules off. Call it, and
 * wait for it, after `MediaPlayer().create()` and `updateSettings`, and before `initialize`. `rule` is a rule, or a text as
 * `parseRule` takes it. Rules receive downloads with their timing from `@pitwall/telemetry`, which has to be installed.
 * @throws Error with one sentence for a text that names no rule, and for a rule that has no weights yet
 */
export async function useRule(
  player: MediaPlayerClass,
  video: HTMLVideoElement,
  rule: Rule | string,
  { telemetry, ...setup }: RuleOptions = {},
): Promise<RuleInUse> {
  const first = pickable(rule);
  const recording = telemetry ?? (await attachForgetful(player, video));
  const shipped = shippedRules(player);
  const ruleSwitch = createRuleSwitch({ player, telemetry: recording, setup }, shipped);
  ruleSwitch.use(first);
  return {
    use: (next) => ruleSwitch.use(pickable(next)),
    async stop() {
      giveBack(player, shipped);
      ruleSwitch.dispose();
      if (!telemetry) await recording.stop();
    },
  };
}

function pickable(rule: Rule | string): PickableRule {
  const able = decidable(rule);
  const { id, label } = able;
  return { id, label, rule: able, builtIns: null };
}

/** Loaded only here: a page that records anyway has it. */
async function attachForgetful(player: MediaPlayerClass, video: HTMLVideoElement): Promise<Telemetry> {
  const { attachTelemetry } = await import('../telemetry/index.ts');
  return attachTelemetry(player, video, { store: createForgetfulStore() });
}

/** Off the list first: dash.js makes every custom rule anew when a flag changes. */
function giveBack(player: MediaPlayerClass, shipped: ShippedRules): void {
  const { active, hybridSwitchBufferTime } = shipped;
  player.removeABRCustomRule(DASH_RULE_NAME);
  const rules = Object.fromEntries(Object.entries(active).map(([name, on]) => [name, { active: on }]));
  const settings = { streaming: { abr: { rules, hybridSwitchBufferTime } } };
  player.updateSettings(settings as Parameters<MediaPlayerClass['updateSettings']>[0]);
  leaveRateTo(player, null, shipped);
}
