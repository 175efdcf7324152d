import type { MediaPlayerClass } from 'dashjs';
import type { Rule } from '../../abr/rule.ts';
import type { PathwayChange } from '../../abr/ruleInput.ts';
import type { SettingsTree } from '../presets.ts';
import type { HybridRules, PickableRule } from '../rules.ts';
import { createDashRule, DASH_RULE_NAME } from './ruleBridge.ts';
import { seedOf, type BridgeContext } from './informedRunners.ts';

/** Puts rules in charge, before and during play: dash.js' own or ours behind one custom rule. */
interface RuleSwitch {
  use(rule: PickableRule): void;
  /** The requests to come go over another pathway: rules of ours begin anew with what was measured over it, or go on. */
  usePathway(change: PathwayChange): void;
  /** From now on play is under way: see `pinned`. */
  attached(): void;
  dispose(): void;
}

type Activity = Readonly<Record<string, boolean>>;

/** What the preset left of `streaming.abr` and of `streaming.liveCatchup`: what dash.js' own rules run with. */
export interface ShippedRules {
  readonly active: Activity;
  readonly hybridSwitchBufferTime: number;
  readonly catchupMode: string;
  /** null: dash.js catches up where the stream has low latency. */
  readonly catchupEnabled: boolean | null;
}

export function createRuleSwitch(around: BridgeContext, shipped: ShippedRules): RuleSwitch {
  const { player, telemetry, setup } = around;
  const dashRule = createDashRule(around);
  let playing = false;
  let inCharge: PickableRule | null = null;
  const recordRule = (rule: PickableRule): void =>
    void telemetry.record({
      kind: 'rule',
      atMs: telemetry.nowMs(),
      missing: {},
      rule: rule.id,
      parameters: parametersOf(rule, player),
      ...(rule.rule && { seed: seedOf(setup) }),
    });
  return {
    use(rule) {
      inCharge = rule;
      dashRule.use(rule.rule);
      const streaming = streamingSettingsFor(rule, shipped, playing);
      // Each flag that changes makes dash.js create every registered custom rule once more and keep the old instance
      // (ABRRulesCollection._updateRules pushes without looking). Not registered meanwhile, ours is left alone.
      player.removeABRCustomRule(DASH_RULE_NAME);
      player.updateSettings({ streaming } as Parameters<typeof player.updateSettings>[0]);
      leaveRateTo(player, rule.rule, shipped);
      player.addABRCustomRule('qualitySwitchRules', DASH_RULE_NAME, dashRule.factory);
      recordRule(rule);
    },
    usePathway(change) {
      dashRule.usePathway(change);
      // A replay begins anew where the rule did.
      if (inCharge?.rule && !change.keepsHistory) recordRule(inCharge);
    },
    attached: () => void (playing = true),
    dispose: dashRule.dispose,
  };
}

/**
 * Turns dash.js' catch-up off for a rule that sets the playback rate of live streams, and back to what it was for all others. It
 * is only set where it changes: dash.js then sets the rate to 1 (CatchupController), also one that the viewer chose.
 */
export function leaveRateTo(
  player: Pick<MediaPlayerClass, 'getSettings' | 'updateSettings'>,
  rule: Rule | null,
  { catchupEnabled }: Pick<ShippedRules, 'catchupEnabled'>,
): void {
  const enabled = rule?.setsPlaybackRate ? false : catchupEnabled;
  if (catchupEnabledIn(player) === enabled) return;
  // Its types have no null, which is its default.
  const settings = { streaming: { liveCatchup: { enabled } } } as SettingsTree;
  player.updateSettings(settings as Parameters<MediaPlayerClass['updateSettings']>[0]);
}

const catchupEnabledIn = (player: Pick<MediaPlayerClass, 'getSettings'>): boolean | null =>
  player.getSettings().streaming?.liveCatchup?.enabled ?? null;

/** The numbers that a rule runs with, for the log. */
export function parametersOf(
  rule: PickableRule,
  player: MediaPlayerClass,
): Record<string, string | number | boolean> {
  if (rule.rule) return { ...rule.rule.parameters };
  const { abr, buffer } = player.getSettings().streaming ?? {};
  return {
    ...(rule.id === 'dashjs-dynamic' && { hybridSwitchBufferTimeS: hybridOf(player) }),
    ...catchupParametersOf(rule),
    ...(abr?.throughput?.bandwidthSafetyFactor !== undefined && {
      throughputSafetyFactor: abr.throughput.bandwidthSafetyFactor,
    }),
    ...(buffer?.bufferTimeDefault !== undefined && { bufferTimeDefaultS: buffer.bufferTimeDefault }),
  };
}

const catchupParametersOf = ({ builtIns }: PickableRule): Record<string, string> =>
  builtIns?.kind === 'lone' ? { liveCatchupMode: builtIns.catchupMode } : {};

/** What of `streaming` a rule in charge decides about. `playing`: play is under way, see `pinned`. */
export function streamingSettingsFor(
  rule: PickableRule,
  shipped: ShippedRules,
  playing: boolean,
): { readonly abr: SettingsTree; readonly liveCatchup: SettingsTree } {
  const { builtIns } = rule;
  if (builtIns === null) return { abr: onlyActive([], shipped), liveCatchup: { mode: shipped.catchupMode } };
  return builtIns.kind === 'lone'
    ? { abr: onlyActive([builtIns.rule], shipped), liveCatchup: { mode: builtIns.catchupMode } }
    : { abr: activeFor(builtIns, shipped, playing), liveCatchup: { mode: shipped.catchupMode } };
}

function activeFor(builtIns: HybridRules, shipped: ShippedRules, playing: boolean): SettingsTree {
  const { throughputRule, bolaRule } = builtIns;
  const asked = playing ? { throughputRule: true, bolaRule: true } : { throughputRule, bolaRule };
  const hybridSwitchBufferTime = playing ? pinned(builtIns, shipped) : shipped.hybridSwitchBufferTime;
  return { rules: flags({ ...shipped.active, ...asked }), hybridSwitchBufferTime };
}

/**
 * dash.js decides once per media type, when a stream starts, whether BOLA or Throughput is asked, and later only with
 * both active, by the buffer level against `hybridSwitchBufferTime` (AbrController._updateDynamicAbrStrategy). During
 * play one of them is therefore chosen by a level that is always, or never, reached: with one flag off the other
 * would never be asked.
 */
function pinned({ throughputRule, bolaRule }: HybridRules, { hybridSwitchBufferTime }: ShippedRules): number {
  if (throughputRule && bolaRule) return hybridSwitchBufferTime;
  return bolaRule ? 0 : Number.POSITIVE_INFINITY;
}

function onlyActive(
  names: readonly string[],
  { active, hybridSwitchBufferTime }: ShippedRules,
): SettingsTree {
  const only = Object.fromEntries(Object.keys(active).map((name) => [name, names.includes(name)]));
  return { rules: flags(only), hybridSwitchBufferTime };
}

const flags = (active: Activity): SettingsTree =>
  Object.fromEntries(Object.entries(active).map(([name, on]) => [name, { active: on }]));

/** To be read after the preset is set and before any rule is. */
export function shippedRules(player: MediaPlayerClass): ShippedRules {
  const rules = (player.getSettings().streaming?.abr?.rules ?? {}) as Record<string, { active?: boolean }>;
  const active = Object.fromEntries(
    Object.entries(rules).map(([name, { active }]) => [name, active === true]),
  );
  const catchupMode = player.getSettings().streaming?.liveCatchup?.mode ?? 'liveCatchupModeDefault';
  return {
    active,
    catchupMode,
    hybridSwitchBufferTime: hybridOf(player),
    catchupEnabled: catchupEnabledIn(player),
  };
}

/** s. In 5.2.1's Settings.js but not in its index.d.ts. */
function hybridOf(player: MediaPlayerClass): number {
  const abr = player.getSettings().streaming?.abr as { hybridSwitchBufferTime?: number } | undefined;
  return abr?.hybridSwitchBufferTime ?? 12;
}
