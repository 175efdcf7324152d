import Hls, { type ErrorData, type HlsConfig, type MediaPlaylist } from 'hls.js';
import { msFromSeconds, secondsFromMs } from '../../shared/units.ts';
import { attachHls } from '../../telemetry/shell/hls/attachHls.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { startPlayback } from '../controls.ts';
import type { Fatal } from '../failures/watchFailures.ts';
import { createHlsSwitch } from '../host/hlsSwitch.ts';
import type { Player, PlayerSetup, Track } from '../player.ts';
import { chooseRule, decideBy, drainAndStop, laterRecording, optionsOf, reportEnds } from './otherPlayers.ts';

/** Sets hls.js up as it is shipped, with the rule that was chosen, records it, and attaches the stream. */
export async function createHlsPlayer(setup: PlayerSetup): Promise<Player> {
  const { video, mpdUrl, startMs } = setup;
  if (!Hls.isSupported())
    throw new Error('This browser has no Media Source Extensions, which hls.js needs to play.');
  const rule = await chooseRule('hlsjs', setup.rule, setup.weights);
  const { abrController, use } = createHlsSwitch(Hls.DefaultConfig.abrController, {
    telemetry: laterRecording(() => telemetry),
    ...(setup.seed !== undefined && { seed: setup.seed }),
  });
  const hls = new Hls({ ...configOf(setup), abrController });
  sendOwnHeaders(hls, setup);
  const settings = startMs === undefined ? {} : { startPosition: secondsFromMs(startMs) };
  const telemetry = await attachHls(hls, video, optionsOf(setup, { rule, settings }));
  const { fatal, notices } = reportEnds(telemetry, () => hls.destroy());
  const recovery = recoverErrors(hls, { fatal, notices });
  const rules = decideBy('hlsjs', setup, { telemetry, use });
  rules.begin(rule);
  // First the element: play that is asked for at once then waits for media.
  hls.attachMedia(video);
  hls.loadSource(mpdUrl);
  let isOver = false;
  const end = (): void => {
    isOver = true;
    rules.end();
    recovery.dispose();
  };
  fatal.onFatal(end);
  return {
    video,
    telemetry,
    ...controlsOf(hls, setup, { telemetry, fatal, isOver: () => isOver }),
    useRule: rules.useRule,
    ...tracksOf(hls),
    onFatal: fatal.onFatal,
    onNotice: notices.onFatal,
    async destroy() {
      end();
      hls.destroy();
      await drainAndStop(telemetry);
    },
  };
}

/** Makes an hls.js that plays nothing and throws it away: the browser then has compiled what it needs. */
export async function warmHls(rule: string): Promise<void> {
  new Hls().destroy();
  // What is wrong with the rule is said when it is to decide.
  await chooseRule('hlsjs', rule).catch(() => undefined);
}

function configOf({ startMs, cmcd }: PlayerSetup): Partial<HlsConfig> {
  return {
    ...(startMs !== undefined && { startPosition: secondsFromMs(startMs) }),
    ...(cmcd && { cmcd: { useHeaders: cmcd.mode === 'header', version: cmcd.version } }),
  };
}

/** Headers and cookies by origin. hls.js opens a request itself, after this, with the headers of its context. */
function sendOwnHeaders({ config }: Hls, { origins = {} }: PlayerSetup): void {
  if (Object.keys(origins).length === 0) return;
  config.xhrSetup = (xhr, url, context) => {
    const own = origins[URL.parse(url, location.href)?.origin ?? ''];
    if (own?.headers) context.headers = { ...context.headers, ...own.headers };
    if (own?.credentials) xhr.withCredentials = true;
  };
}

/** hls.js has given up after its own repeats: media is asked for again after a while, and the decoder started anew. */
const AGAIN_MS = 3000;
const MAX_NETWORK_TRIES = 10;
const MAX_MEDIA_TRIES = 3;

/** Does what hls.js advises for errors that it calls fatal (its API page, "Fatal Error Recovery"), and ends what cannot go on. */
function recoverErrors(hls: Hls, { fatal, notices }: { fatal: Fatal; notices: Fatal }): { dispose(): void } {
  let networkTries = 0;
  let mediaTries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  hls.on(Hls.Events.FRAG_BUFFERED, () => void (networkTries = mediaTries = 0));
  hls.on(Hls.Events.ERROR, (_, data) => {
    if (!data.fatal) return;
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && mediaTries < MAX_MEDIA_TRIES && !isHopeless(data)) {
      mediaTries += 1;
      hls.recoverMediaError();
    } else if (
      data.type === Hls.ErrorTypes.NETWORK_ERROR &&
      hls.levels.length > 0 &&
      networkTries < MAX_NETWORK_TRIES
    ) {
      networkTries += 1;
      notices.fail(`${sentenceOf(data)} hls.js asks again every ${AGAIN_MS / 1000} s.`);
      timer = setTimeout(() => hls.startLoad(), AGAIN_MS);
    } else fatal.fail(sentenceOf(data));
  });
  return { dispose: () => clearTimeout(timer) };
}

/** No decoder will come. */
const isHopeless = ({ details }: ErrorData): boolean => /incompatible|addCodec/i.test(details);

const SENTENCES: Readonly<Partial<Record<string, string>>> = {
  manifestLoadError: 'The playlist could not be loaded',
  manifestLoadTimeOut: 'The server did not answer the request for the playlist in time',
  manifestParsingError: 'The file is no HLS playlist that hls.js can read',
  manifestIncompatibleCodecsError: 'The browser plays none of the codecs that the playlist names',
  levelLoadError: 'A playlist of a level could not be loaded',
  levelParsingError: 'A playlist of a level cannot be read',
  audioTrackLoadError: 'The playlist of the sound could not be loaded',
  fragLoadError: 'Media could not be loaded',
  fragLoadTimeOut: 'Media did not come in time',
  fragParsingError: 'Media could not be read',
  keySystemNoAccess: 'The stream is encrypted, and no key system of this browser opens it',
};

function sentenceOf({ details, error, reason, response }: ErrorData): string {
  const known = SENTENCES[details];
  const status = response?.code ? `status ${response.code}` : null;
  const why = known && status ? status : (reason ?? error.message);
  return `${known ?? `hls.js cannot go on (${details})`}: ${why.replace(/\.$/, '')}.`;
}

interface Behind {
  readonly telemetry: Pick<Telemetry, 'expectSeek'>;
  readonly fatal: Pick<Fatal, 'onFatal'>;
  /** Whether hls.js is destroyed or about to be. */
  isOver(): boolean;
}

type Controls = Pick<
  Player,
  'play' | 'pause' | 'seek' | 'positionMs' | 'durationMs' | 'isLive' | 'seekToLive'
>;

function controlsOf(hls: Hls, { video }: PlayerSetup, { telemetry, fatal, isOver }: Behind): Controls {
  const untilFatal = new Promise<void>((resolve) => fatal.onFatal(() => resolve()));
  const isLive = (): boolean => !isOver() && (hls.latestLevelDetails?.live ?? false);
  /** Where the window of a live stream begins, s. */
  const beginning = (): number => (isLive() && video.seekable.length > 0 ? video.seekable.start(0) : 0);
  const seekTo = (seconds: number): void => {
    telemetry.expectSeek('viewer');
    video.currentTime = seconds;
  };
  return {
    play: () => Promise.race([startPlayback(video), untilFatal]),
    pause: () => video.pause(),
    seek: (toMs) => seekTo(beginning() + secondsFromMs(toMs)),
    positionMs: () => msFromSeconds(video.currentTime - beginning()),
    durationMs() {
      const { seekable, duration } = video;
      const seconds =
        isLive() && seekable.length > 0 ? seekable.end(seekable.length - 1) - beginning() : duration;
      return Number.isFinite(seconds) && seconds > 0 ? msFromSeconds(seconds) : null;
    },
    isLive,
    seekToLive() {
      if (isLive() && hls.liveSyncPosition !== null) seekTo(hls.liveSyncPosition);
    },
  };
}

function tracksOf(hls: Hls): Pick<Player, 'audioTracks' | 'textTracks' | 'useAudioTrack' | 'useTextTrack'> {
  const trackOf =
    (current: number) =>
    ({ name, lang }: MediaPlaylist, index: number): Track => ({
      id: String(index),
      label: name,
      language: lang ?? null,
      current: index === current,
    });
  return {
    audioTracks: () => hls.audioTracks.map(trackOf(hls.audioTrack)),
    textTracks: () => hls.subtitleTracks.map(trackOf(hls.subtitleTrack)),
    useAudioTrack(id) {
      if (!hls.audioTracks[Number(id)]) throw new Error(`no audio track "${id}"`);
      hls.audioTrack = Number(id);
    },
    useTextTrack(id) {
      if (id !== null && !hls.subtitleTracks[Number(id)]) throw new Error(`no text track "${id}"`);
      hls.subtitleTrack = id === null ? -1 : Number(id);
    },
  };
}
