import type * as Dash from 'dashjs';
import { valueOf } from '../shared/result.ts';
import { secondsFromMs } from '../shared/units.ts';
import { attachTelemetry } from '../telemetry/shell/attachTelemetry.ts';
import type { TelemetryOptions } from '../telemetry/shell/telemetry.ts';
import {
  createRuleSwitch,
  leaveRateTo,
  parametersOf,
  shippedRules,
  streamingSettingsFor,
} from './bridge/ruleSwitch.ts';
import { announceEarlyPlay, controlsOf, createTracks } from './controls.ts';
import { watchFailures } from './failures/watchFailures.ts';
import { useOwnLoader } from './loader/ownLoader.ts';
import type { PlayerSplitter } from './loader/splitLoader.ts';
import { sendOriginRequests } from './originRequests.ts';
import type { Player, PlayerSetup } from './player.ts';
import { presetOf, settingsDiff, settingsOf, type Preset, type SettingsTree } from './presets.ts';
import { loadRule, ruleWishes } from './ruleWishes.ts';
import type { PickableRule } from './rules.ts';
import type { Steering } from './steering/steering.ts';
import { keepSeeksApart, letElementEnd, resumeAfterReset } from './workarounds.ts';

/**
 * How long requests may take to end once dash.js is reset, ms. It cancels all but those for content steering
 * (ContentSteeringController.reset of 5.2.1), whose end it then reports to nobody: the log has them in flight.
 */
const DRAIN_MS = 2000;

let dashjs: Promise<typeof Dash> | null = null;

/** Loads dash.js once. Called ahead of time, Start does not wait for 800 kB to be fetched and parsed. */
export const loadDash = (): Promise<typeof Dash> => (dashjs ??= import('dashjs'));

/**
 * Loads dash.js (its own chunk), sets it up and attaches the stream; resolves before the manifest is there. Rejects on
 * an unknown rule or preset. What goes wrong later comes through `onFatal`.
 */
export async function createPlayer(setup: PlayerSetup): Promise<Player> {
  const rule = await loadRule(setup.rule, setup.weights);
  const preset = valueOf(presetOf(setup.presetId));
  const { MediaPlayer } = await loadDash();
  const player = MediaPlayer().create();
  const defaults = structuredClone(player.getSettings()) as SettingsTree;
  const splitter = await splitterOf(player, setup);
  const steering = await steeringOf(player, setup);
  const shipped = configure(player, { setup, preset, rule, steering, splitter });
  const recording = recordingOf(player, { setup, rule, preset, defaults, steering, splitter });
  const telemetry = await attachTelemetry(player, setup.video, recording);
  const failures = watchFailures(player, setup.video, telemetry);
  const ruleSwitch = createRuleSwitch({ player, telemetry, setup }, shipped);
  const workarounds = [resumeAfterReset(setup.video), letElementEnd(player, setup.video)];
  keepSeeksApart(player, setup.video);
  const wishes = ruleWishes(setup, { load: loadRule, use: ruleSwitch.use });
  // After the end nothing may ask dash.js anything: it throws once it is reset.
  const stopWorking = (): void => {
    wishes.end();
    failures.dispose();
    for (const stop of workarounds) stop();
    ruleSwitch.dispose();
    for (const one of [steering, splitter]) one?.dispose();
  };
  failures.fatal.onFatal(stopWorking);
  ruleSwitch.use(rule);
  steering?.begin(telemetry, ruleSwitch.usePathway);
  splitter?.begin(telemetry);
  attach(player, setup);
  ruleSwitch.attached();
  const tracks = createTracks(player);
  return {
    video: setup.video,
    telemetry,
    ...controlsOf(player, setup.video, { ...failures.fatal, ...telemetry }),
    useRule: wishes.useRule,
    audioTracks: tracks.audio,
    textTracks: tracks.text,
    useAudioTrack: tracks.useAudio,
    useTextTrack: tracks.useText,
    onFatal: failures.fatal.onFatal,
    onNotice: failures.onNotice,
    async destroy() {
      stopWorking();
      tracks.dispose();
      player.reset();
      await Promise.race([telemetry.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
      await telemetry.stop();
      player.destroy();
    },
  };
}

/** What changes how media is requested; null where nothing does. */
interface Loading {
  readonly steering: Steering | null;
  readonly splitter: PlayerSplitter | null;
}

/** The code of the splitter is loaded only where segments are split. */
async function splitterOf(player: Dash.MediaPlayerClass, setup: PlayerSetup): Promise<PlayerSplitter | null> {
  if (setup.split == null) return null;
  const { splitterFor } = await import('./loader/splitLoader.ts');
  return splitterFor(player, { ...setup, split: setup.split });
}

/** The code of steering is loaded only where a pathway or a policy is named. */
async function steeringOf(player: Dash.MediaPlayerClass, setup: PlayerSetup): Promise<Steering | null> {
  const { pathways = [], steering = null, mpdUrl, origins, seed } = setup;
  if (pathways.length === 0 && steering === null) return null;
  const { createSteering, policyOf } = await import('./steering/index.ts');
  const policy = policyOf(steering ?? 'throughput');
  if (!policy.ok) throw new Error(policy.error);
  return createSteering(player, {
    mpdUrl,
    pathways,
    policy: policy.value,
    ...(origins && { origins }),
    ...(seed !== undefined && { seed }),
  });
}

function attach(player: Dash.MediaPlayerClass, { video, captions, mpdUrl, startMs }: PlayerSetup): void {
  announceEarlyPlay(player, video);
  player.initialize(video, undefined, false);
  if (captions) player.attachTTMLRenderingDiv(captions);
  player.attachSource(mpdUrl, ...(startMs === undefined ? [] : [secondsFromMs(startMs)]));
}

function configure(
  player: Dash.MediaPlayerClass,
  {
    setup,
    preset,
    rule,
    steering,
    splitter,
  }: Loading & { setup: PlayerSetup; preset: Preset; rule: PickableRule },
): ReturnType<typeof shippedRules> {
  const update = (settings: SettingsTree): void =>
    player.updateSettings(settings as Parameters<Dash.MediaPlayerClass['updateSettings']>[0]);
  update(settingsOf(preset));
  useOwnLoader(player, {
    uncachedRanges: preset.byteRanges === 'no-store',
    watcher: steering?.watcher ?? null,
    splitter,
  });
  if (setup.cmcd) {
    const { version, mode } = setup.cmcd;
    const dashMode = mode === 'header' ? 'headers' : mode;
    update({ streaming: { cmcd: { enabled: true, version, mode: dashMode } } });
  }
  if (setup.protection)
    player.setProtectionData(setup.protection as Parameters<Dash.MediaPlayerClass['setProtectionData']>[0]);
  sendOriginRequests(player, setup.origins);
  const shipped = shippedRules(player);
  update({ streaming: streamingSettingsFor(rule, shipped, false) });
  leaveRateTo(player, rule.rule, shipped);
  return shipped;
}

interface Configured extends Loading {
  readonly setup: PlayerSetup;
  readonly rule: PickableRule;
  readonly preset: Preset;
  /** Settings of dash.js before the preset. */
  readonly defaults: SettingsTree;
}

function recordingOf(player: Dash.MediaPlayerClass, configured: Configured): TelemetryOptions {
  const { setup, steering } = configured;
  return {
    ...(setup.store && { store: setup.store }),
    ...(setup.resumeId !== undefined && { resumeId: setup.resumeId }),
    keepQueryValues: setup.keepQueryValues ?? false,
    ...(steering && { pathwayOf: steering.pathwayOf }),
    environment: environmentOf(player, configured),
  };
}

function environmentOf(
  player: Dash.MediaPlayerClass,
  { setup, rule, preset, defaults, steering, splitter }: Configured,
): NonNullable<TelemetryOptions['environment']> {
  return {
    ...(steering && { steering: steering.environment }),
    ...(setup.viewerScript != null && { viewer: setup.viewerScript }),
    ...splitter?.environment,
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

/** A manifest with nothing in it: read like any other, and nothing is asked for after it. */
const NOTHING = 'data:application/dash+xml,<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"/>';

/**
 * Makes a player, its recording and all, that plays nothing, and throws it away: the browser then has compiled what it
 * needs, a rule's own code and weights with it, and nobody waits for that between Start and the first frame. To be called
 * while the page has nothing else to do. Each player of dash.js has its own context (FactoryMaker.js), and a recording
 * without a store is kept in memory: nothing of it is left.
 */
export async function warmPlayer(rule: string): Promise<void> {
  // A rule that has no weights yet cannot be made ready; all else can.
  const player = await idlePlayer(rule).catch(() => idlePlayer('dashjs-dynamic'));
  await player.destroy();
}

const idlePlayer = (rule: string): Promise<Player> =>
  createPlayer({ mpdUrl: NOTHING, rule, presetId: 'experiment', video: document.createElement('video') });
