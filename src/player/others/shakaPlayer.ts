import type shakaPlayer from 'shaka-player';
import scriptUrl from 'shaka-player/dist/shaka-player.compiled-es2021.js?url';
import { msFromSeconds, secondsFromMs } from '../../shared/units.ts';
import { attachShaka } from '../../telemetry/shell/shaka/attachShaka.ts';
import { startPlayback } from '../controls.ts';
import { createShakaSwitch } from '../host/shakaSwitch.ts';
import type { Player, PlayerSetup } from '../player.ts';
import { chooseRule, decideBy, drainAndStop, laterRecording, optionsOf, reportEnds } from './otherPlayers.ts';

type Shaka = typeof shakaPlayer;

/** Loads Shaka as a script of its own, once: it is no module, and needs no second minifier. Rejects with one sentence. */
async function loadShaka(): Promise<Shaka> {
  const page = globalThis as { shaka?: Shaka };
  if (page.shaka === undefined) {
    const script = document.createElement('script');
    script.src = new URL(scriptUrl, document.baseURI).href;
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve();
      script.onerror = () => reject(new Error('The script of Shaka could not be loaded.'));
      document.head.append(script);
    });
  }
  if (page.shaka === undefined) throw new Error('The script of Shaka did not run.');
  return page.shaka;
}

/** Sets Shaka up as it is shipped, with the rule that was chosen, records it, and attaches the stream. */
export async function createShakaPlayer(setup: PlayerSetup): Promise<Player> {
  const { video, mpdUrl, startMs, cmcd, captions } = setup;
  const rule = await chooseRule('shaka', setup.rule, setup.weights);
  const shaka = await loadShaka();
  shaka.polyfill.installAll();
  if (!shaka.Player.isBrowserSupported())
    throw new Error('This browser has no Media Source Extensions, which Shaka needs to play.');
  const player = new shaka.Player();
  if (captions) player.setVideoContainer(captions);
  if (cmcd)
    player.configure({ cmcd: { enabled: true, useHeaders: cmcd.mode === 'header', version: cmcd.version } });
  sendOwnHeaders(player, setup);
  // First the element: play that is asked for at once then waits for media.
  await player.attach(video);
  // Before the recording, whose filter then finds the decision of a request.
  const { use } = createShakaSwitch(player, {
    telemetry: laterRecording(() => telemetry),
    ...(setup.seed !== undefined && { seed: setup.seed }),
  });
  const settings = startMs === undefined ? {} : { startTime: secondsFromMs(startMs) };
  const telemetry = await attachShaka(player, video, optionsOf(setup, { rule, settings }));
  const rules = decideBy('shaka', setup, { telemetry, use });
  rules.begin(rule);
  const { fatal, notices } = reportEnds(telemetry, () => void player.unload().catch(() => undefined));
  fatal.onFatal(rules.end);
  player.addEventListener('error', (event) => {
    const { detail } = event as Event & { readonly detail?: ShakaError };
    if (detail?.severity === shaka.util.Error.Severity.CRITICAL) fatal.fail(sentenceOf(detail));
  });
  player.load(mpdUrl, startMs === undefined ? null : secondsFromMs(startMs)).catch((fault: ShakaError) => {
    if (fault.code !== shaka.util.Error.Code.LOAD_INTERRUPTED) fatal.fail(sentenceOf(fault));
  });
  return {
    video,
    telemetry,
    ...controlsOf(player, setup, { expectSeek: telemetry.expectSeek, onFatal: fatal.onFatal }),
    useRule: rules.useRule,
    ...tracksOf(player),
    onFatal: fatal.onFatal,
    onNotice: notices.onFatal,
    async destroy() {
      rules.end();
      await player.destroy();
      await drainAndStop(telemetry);
    },
  };
}

/** Makes a Shaka that plays nothing and throws it away: the browser then has compiled what it needs. */
export async function warmShaka(rule: string): Promise<void> {
  const shaka = await loadShaka();
  await new shaka.Player().destroy();
  // What is wrong with the rule is said when it is to decide.
  await chooseRule('shaka', rule).catch(() => undefined);
}

function sendOwnHeaders(player: shakaPlayer.Player, { origins = {} }: PlayerSetup): void {
  if (Object.keys(origins).length === 0) return;
  player.getNetworkingEngine()?.registerRequestFilter((_, request) => {
    const own = origins[URL.parse(request.uris[0] ?? '', location.href)?.origin ?? ''];
    if (own?.headers) Object.assign(request.headers, own.headers);
    if (own?.credentials) request.allowCrossSiteCredentials = true;
  });
}

interface ShakaError {
  readonly code: number;
  readonly severity: number;
  readonly message: string;
  readonly data?: readonly unknown[];
}

/** `shaka.util.Error.Code`. */
const SENTENCES: Readonly<Partial<Record<number, string>>> = {
  1001: 'The server refused a file of the stream',
  1002: 'A file of the stream could not be loaded',
  1003: 'A file of the stream did not come in time',
  4000: 'Shaka cannot tell the format of the manifest',
  4001: 'The manifest is no DASH manifest that Shaka can read',
  4015: 'The file is no HLS playlist that Shaka can read',
  4032: 'The browser plays none of the codecs that the manifest names',
  6001: 'The stream is encrypted, and no key system of this browser opens it',
};

function sentenceOf({ code, data = [], message }: ShakaError): string {
  const known = SENTENCES[code];
  const status = code === 1001 && typeof data[1] === 'number' ? ` (status ${data[1]})` : '';
  return known === undefined ? `Shaka cannot go on: ${message}` : `${known}${status}.`;
}

type Controls = Pick<
  Player,
  'play' | 'pause' | 'seek' | 'positionMs' | 'durationMs' | 'isLive' | 'seekToLive'
>;

function controlsOf(
  player: shakaPlayer.Player,
  { video }: PlayerSetup,
  { expectSeek, onFatal }: Pick<Player['telemetry'], 'expectSeek'> & Pick<Player, 'onFatal'>,
): Controls {
  const untilFatal = new Promise<void>((resolve) => onFatal(() => resolve()));
  const isLive = (): boolean => player.isLive();
  /** Where the window of a live stream begins, s. */
  const beginning = (): number => (isLive() ? player.seekRange().start : 0);
  return {
    play: () => Promise.race([startPlayback(video), untilFatal]),
    pause: () => video.pause(),
    seek(toMs) {
      expectSeek('viewer');
      video.currentTime = beginning() + secondsFromMs(toMs);
    },
    positionMs: () => msFromSeconds(video.currentTime - beginning()),
    durationMs() {
      const { start, end } = player.seekRange();
      const seconds = isLive() ? end - start : video.duration;
      return Number.isFinite(seconds) && seconds > 0 ? msFromSeconds(seconds) : null;
    },
    isLive,
    seekToLive() {
      if (!isLive()) return;
      expectSeek('viewer');
      player.goToLive();
    },
  };
}

function tracksOf(
  player: shakaPlayer.Player,
): Pick<Player, 'audioTracks' | 'textTracks' | 'useAudioTrack' | 'useTextTrack'> {
  return {
    audioTracks: () =>
      player.getAudioTracks().map(({ label, language, active }, index) => ({
        id: String(index),
        label: label || language,
        language,
        current: active,
      })),
    textTracks: () =>
      player.getTextTracks().map(({ label, language, active }, index) => ({
        id: String(index),
        label: label || language,
        language,
        current: active,
      })),
    useAudioTrack(id) {
      const track = player.getAudioTracks()[Number(id)];
      if (!track) throw new Error(`no audio track "${id}"`);
      player.selectAudioTrack(track);
    },
    useTextTrack(id) {
      const track = id === null ? null : player.getTextTracks()[Number(id)];
      if (track === undefined) throw new Error(`no text track "${id}"`);
      player.selectTextTrack(track);
    },
  };
}
