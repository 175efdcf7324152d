import { parseRuleText } from '../abr/ruleText.ts';
import type * as Dash from 'dashjs';
import type { MediaPlayerClass } from 'dashjs';
import { pick } from '../shared/registry.ts';
import { attachTelemetry } from '../telemetry/shell/attachTelemetry.ts';
import type { TelemetryOptions } from '../telemetry/shell/telemetry.ts';
import { secondsFromMs } from '../shared/units.ts';
import { controlsOf } from './controls.ts';
import { ableRule } from './ableRule.ts';
import { letElementEnd } from './letElementEnd.ts';
import { loadRangesUncached } from './loader/uncachedRanges.ts';
import { sendOriginRequests } from './originRequests.ts';
import type { Player, PlayerSetup } from './player.ts';
import { presets, type Preset } from './presets.ts';
import { resumeAfterReset } from './resumeAfterReset.ts';
import type { PickableRule } from './rules.ts';
import { abrSettingsFor, createRuleSwitch, parametersOf, shippedRules } from './ruleSwitch.ts';
import { shippedFile } from './shippedFile.ts';
import { settingsDiff, settingsOf, type SettingsTree } from './settings.ts';
import { announceEarlyPlay } from './startPlayback.ts';
import { createTracks } from './tracks.ts';
import { watchFailures } from './watchFailures.ts';

let dashjs: Promise<typeof Dash> | null = null;

/** Loads dash.js once. Called ahead of time, Start does not wait for 800 kB to be fetched and parsed. */
export const loadDash = (): Promise<typeof Dash> => (dashjs ??= import('dashjs'));

/**
 * Loads dash.js (its own chunk), sets it up and attaches the stream; resolves before the manifest is there. Rejects on
 * an unknown rule or preset. What goes wrong later comes through `onFatal`.
 */
export async function createPlayer(setup: PlayerSetup): Promise<Player> {
  const rule = await theRule(setup.rule, setup.weights);
  const preset = pick(presets, setup.presetId);
  const { MediaPlayer } = await loadDash();
  const player = MediaPlayer().create();
  const defaults = structuredClone(player.getSettings()) as SettingsTree;
  const shipped = configure(player, { setup, preset, rule });
  const telemetry = await attachTelemetry(player, setup.video, {
    ...(setup.store && { store: setup.store }),
    ...(setup.resumeId !== undefined && { resumeId: setup.resumeId }),
    keepQueryValues: setup.keepQueryValues ?? false,
    environment: environmentOf(player, { setup, rule, preset, defaults }),
  });
  const failures = watchFailures(player, setup.video, telemetry);
  const { fatal } = failures;
  const ruleSwitch = createRuleSwitch({ player, telemetry, setup }, shipped);
  const workarounds = [resumeAfterReset(setup.video), letElementEnd(player, setup.video)];
  const wishes = ruleWishes(setup, ruleSwitch.use);
  // After the end nothing may ask dash.js anything: it throws once it is reset.
  const stopWorking = (): void => {
    wishes.end();
    failures.dispose();
    for (const stop of workarounds) stop();
    ruleSwitch.dispose();
  };
  fatal.onFatal(stopWorking);
  ruleSwitch.use(rule);
  attach(player, setup);
  ruleSwitch.attached();
  const tracks = createTracks(player);
  return {
    video: setup.video,
    telemetry,
    ...controlsOf(player, setup.video, fatal),
    useRule: wishes.useRule,
    audioTracks: tracks.audio,
    textTracks: tracks.text,
    useAudioTrack: tracks.useAudio,
    useTextTrack: tracks.useText,
    onFatal: fatal.onFatal,
    onNotice: failures.onNotice,
    async destroy() {
      stopWorking();
      tracks.dispose();
      player.reset();
      await telemetry.drained();
      await telemetry.stop();
      player.destroy();
    },
  };
}

async function theRule(text: string, weights: string | null = null): Promise<PickableRule> {
  const picked = await ableRule(text, { weights, shipped: shippedFile });
  if (!picked.ok) throw new Error(picked.error);
  return picked.value;
}

/** Rules picked during play. One that takes longer to load comes neither after one picked later nor after the end. */
function ruleWishes(
  setup: PlayerSetup,
  use: (rule: PickableRule) => void,
): Pick<Player, 'useRule'> & { end(): void } {
  let newest = 0;
  return {
    async useRule(text, weights) {
      const wish = (newest += 1);
      const given = weights === undefined && sameId(text, setup.rule) ? setup.weights : weights;
      const picked = await theRule(text, given);
      if (wish === newest) use(picked);
    },
    end: () => void (newest = Infinity),
  };
}

/** Weights are those of one rule. */
const sameId = (one: string, other: string): boolean => parseRuleText(one).id === parseRuleText(other).id;

function attach(player: MediaPlayerClass, { video, captions, mpdUrl, startMs }: PlayerSetup): void {
  announceEarlyPlay(player, video);
  player.initialize(video, undefined, false);
  if (captions) player.attachTTMLRenderingDiv(captions);
  player.attachSource(mpdUrl, ...(startMs === undefined ? [] : [secondsFromMs(startMs)]));
}

function configure(
  player: MediaPlayerClass,
  { setup, preset, rule }: { setup: PlayerSetup; preset: Preset; rule: PickableRule },
): ReturnType<typeof shippedRules> {
  const update = (settings: SettingsTree): void =>
    player.updateSettings(settings as Parameters<MediaPlayerClass['updateSettings']>[0]);
  update(settingsOf(preset));
  if (preset.byteRanges === 'no-store') loadRangesUncached(player);
  if (setup.cmcd) {
    const { version, mode } = setup.cmcd;
    const dashMode = mode === 'header' ? 'headers' : mode;
    update({ streaming: { cmcd: { enabled: true, version, mode: dashMode } } });
  }
  if (setup.protection)
    player.setProtectionData(setup.protection as Parameters<MediaPlayerClass['setProtectionData']>[0]);
  sendOriginRequests(player, setup.origins);
  const shipped = shippedRules(player);
  update({ streaming: { abr: abrSettingsFor(rule, shipped, false) } });
  return shipped;
}

function environmentOf(
  player: MediaPlayerClass,
  {
    setup,
    rule,
    preset,
    defaults,
  }: { setup: PlayerSetup; rule: PickableRule; preset: Preset; defaults: SettingsTree },
): NonNullable<TelemetryOptions['environment']> {
  return {
    dashjsVersion: player.getVersion(),
    mpdUrl: setup.mpdUrl,
    rule: rule.id,
    ruleParameters: parametersOf(rule, player),
    preset: preset.id,
    settings: {
      ...settingsDiff(defaults, player.getSettings() as SettingsTree),
      ...(preset.byteRanges === 'no-store' && { 'pitwall.byteRanges': preset.byteRanges }),
    },
  };
}
