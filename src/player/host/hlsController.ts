import type Hls from 'hls.js';
import type {
  AbrComponentAPI,
  ErrorData,
  FragLoadedData,
  FragLoadingData,
  Fragment,
  HlsConfig,
  Level,
  LevelDetails,
  MediaAttachedData,
} from 'hls.js';
import type { CheckedAnswer } from '../../abr/answer.ts';
import type { Ladder } from '../../abr/ladder.ts';
import type { MediaType, Moment, Rule } from '../../abr/rule.ts';
import { segmentsBetween } from '../../abr/ruleInput.ts';
import { kbpsFromBitsPerSecond, msFromSeconds, secondsFromMs } from '../../shared/units.ts';
import {
  createRuleHost,
  downloadOf,
  type HostOptions,
  type HostQuestion,
  type RuleHost,
} from './ruleHost.ts';
import { watchElement } from './watchElement.ts';

/** What `new Hls(config)` takes to let a rule of ours decide, and the way to another rule. */
export interface HlsRule {
  /** `config.abrController`: hls.js makes an instance of it for each player, also for those of interstitials. */
  readonly abrController: HlsConfig['abrController'];
  /** Switches to another rule, also during playback. */
  use(rule: Rule): void;
}

export function createHlsRule(first: Rule, options: HostOptions): HlsRule {
  let rule = first;
  const hosts = new Set<RuleHost>();
  /** hls.js 1.7.4 calls `new config.abrController(hls)`, and takes the object that a constructor returns. */
  function RuleController(hls: Hls): AbrComponentAPI {
    const host = createRuleHost('hls.js', options, () => detailsOf(hls)?.live === true);
    host.use(rule);
    hosts.add(host);
    return createController(hls, host, () => hosts.delete(host));
  }
  return {
    abrController: RuleController as unknown as HlsConfig['abrController'],
    use(next) {
      rule = next;
      for (const host of hosts) host.use(next);
    },
  };
}

/** A level that was chosen, and whose request has not been sent. */
interface Chosen {
  readonly level: Level;
  readonly atMs: number;
  /** The buffer must fall to this level first. */
  readonly holdMs: number | null;
}

/**
 * hls.js reads `nextAutoLevel` whenever its stream controller is idle, every 100 ms (StreamController.doTickIdle), also while its
 * buffer is full. The rule is asked once for each fragment: when none is loading and the buffer has fallen below its limit.
 */
function createController(hls: Hls, host: RuleHost, onDestroy: () => void): AbrComponentAPI {
  let chosen: Chosen | null = null;
  /** Of the newest request. */
  let last: Level | null = null;
  /** What hls.js wants for one fragment, after an error (ErrorController.switchLevel). */
  let forced: Level | null = null;
  let loading: Fragment | null = null;
  let offered: readonly Level[] = [];
  const hold = createHold(hls);
  const segmentMs = firstSegmentMs(hls);

  const forget = (): void => {
    chosen = null;
    host.release();
    hold.end();
  };
  const ask = (): void => {
    offered = choicesOf(hls, last);
    if (offered.length === 0) return;
    hold.end();
    const question = questionOf(hls, { offered, last, segmentMs: segmentMs(), nowMs: host.nowMs() });
    const answer = host.decide(question);
    const holdMs = hold.begin(answer, question.moment);
    chosen = { level: offered[answer.rung]!, atMs: host.nowMs(), holdMs };
  };
  const mustAsk = (): boolean => {
    if (loading?.stats.aborted) endAborted(loading);
    if (loading !== null || hls.levels.length === 0) return false;
    const bufferMs = bufferMsOf(hls);
    if (chosen === null) return last === null || bufferMs < maxBufferMs(hls, last);
    if (chosen.holdMs !== null) return bufferMs <= chosen.holdMs;
    // Nothing to load at the live edge, or hls.js was stopped: the answer is out of date by then.
    return chosen.level.details !== undefined && host.nowMs() - chosen.atMs > OUT_OF_DATE_MS;
  };
  const next = (): number => {
    if (mustAsk()) ask();
    const index = hls.levels.indexOf((forced ?? chosen?.level ?? last)!);
    return index === -1 ? Math.max(0, hls.firstLevel) : index;
  };
  const tellDownload = (
    frag: Fragment,
    { stats, aborted }: { stats: Fragment['stats']; aborted: boolean },
  ) => {
    const level = hls.levels[frag.level];
    const { start, first, end } = stats.loading;
    const download = level && {
      mediaType: mediaTypeOf(offered),
      segment: segmentOf(frag, level.details),
      rung: rungOf(offered, level),
      bitrateKbps: kbpsOf(level),
      sizeBytes: stats.loaded,
      startMs: host.sessionMs(start),
      firstByteMs: first > 0 ? host.sessionMs(first) : null,
      lastByteMs: end > 0 ? host.sessionMs(end) : host.nowMs(),
      aborted,
    };
    const input = download ? downloadOf(download) : null;
    if (input) host.tell(input);
  };
  const endAborted = (frag: Fragment): void => {
    loading = null;
    tellDownload(frag, { stats: frag.stats, aborted: true });
  };

  const { Events } = hls.constructor as typeof Hls;
  let unwatch = (): void => undefined;
  const acts = {
    [Events.MANIFEST_LOADING]() {
      forget();
      last = forced = loading = null;
    },
    [Events.MEDIA_ATTACHED](_type: string, { media }: MediaAttachedData) {
      unwatch();
      unwatch = watchElement(media, host, forget);
    },
    [Events.MEDIA_DETACHED]: () => unwatch(),
    [Events.LEVELS_UPDATED]: forget,
    [Events.FRAG_LOADING](_type: string, { frag }: FragLoadingData) {
      if (!isMedia(frag)) return;
      loading = frag;
      last = hls.levels[frag.level] ?? null;
      const rung = last && rungOf(offered, last);
      host.sent({ mediaType: mediaTypeOf(offered), segment: segmentOf(frag, last?.details), rung });
      chosen = null;
      hold.end();
    },
    [Events.FRAG_LOADED](_type: string, { frag, part }: FragLoadedData) {
      if (!isMedia(frag)) return;
      tellDownload(frag, { stats: (part ?? frag).stats, aborted: false });
      if (hls.levels[frag.level] === forced) forced = null;
      // A bitrate test is never buffered.
      if (frag.bitrateTest) loading = null;
    },
    [Events.FRAG_BUFFERED](_type: string, { frag }: FragLoadedData) {
      if (frag === loading) loading = null;
    },
    [Events.ERROR](_type: string, { frag, details }: ErrorData) {
      if (!frag || frag !== loading) return;
      if (details.startsWith('fragLoad')) endAborted(frag);
      loading = null;
    },
  };
  const listeners = Object.entries(acts) as [Parameters<Hls['on']>[0], () => void][];
  for (const [type, act] of listeners) hls.on(type, act);
  return {
    get nextAutoLevel() {
      return next();
    },
    /** hls.js sets it to what it has just read with each fragment, and to another level after an error. */
    set nextAutoLevel(index) {
      const level = hls.levels[Math.min(Math.max(index, hls.minAutoLevel), hls.maxAutoLevel)];
      if (level && level !== (forced ?? chosen?.level ?? last)) forced = level;
    },
    get firstAutoLevel() {
      return next();
    },
    get forcedAutoLevel() {
      return forced ? hls.levels.indexOf(forced) : -1;
    },
    bwEstimator: estimatorOf(hls, host),
    resetEstimator: () => undefined,
    destroy() {
      for (const [type, act] of listeners) hls.off(type, act);
      unwatch();
      forget();
      onDestroy();
    },
  };
}

/** ms after which an answer whose request was not sent is asked for again. */
const OUT_OF_DATE_MS = 1000;

/** A fragment of the level, no init segment and no other track. */
const isMedia = ({ type, sn }: Fragment): boolean => type === 'main' && sn !== 'initSegment';

/**
 * The levels that a rule may choose from, ascending by bitrate. What hls.js itself leaves out stays left out: levels beyond its
 * caps (player size, dropped frames, HDCP, `minAutoBitrate`), of another codec or dynamic range than the one that plays, and
 * those that failed of late. Its own controller does so in `findBestLevel`.
 */
function choicesOf(hls: Hls, last: Level | null): readonly Level[] {
  const like = last ?? hls.levels[hls.firstLevel];
  const { minAutoLevel, maxAutoLevel } = hls;
  const allowed = hls.levels.filter(
    ({ codecSet, videoRange }, index) =>
      index >= minAutoLevel &&
      index <= maxAutoLevel &&
      codecSet === like?.codecSet &&
      videoRange === like.videoRange,
  );
  const working = allowed.filter((level) => level === last || !hasFailed(hls, level));
  return [...(working.length > 0 ? working : allowed)].sort((one, other) => kbpsOf(one) - kbpsOf(other));
}

/** utils/error-helper.ts of hls.js: isPenaltyExpired. */
function hasFailed({ config }: Hls, { loadError, fragmentError, loadErrorTime }: Level): boolean {
  if (loadError === 0 && fragmentError === 0) return false;
  const { errorPenaltyExpireMs } = config;
  const isOver = errorPenaltyExpireMs > 0 && loadErrorTime > 0;
  return !(isOver && performance.now() - loadErrorTime > errorPenaltyExpireMs);
}

/** AVERAGE-BANDWIDTH, which is the bitrate of papers, or else BANDWIDTH, which is the peak; both with the audio beside it. */
const kbpsOf = ({ attrs, bitrate }: Level): number =>
  kbpsFromBitsPerSecond(Number(attrs['AVERAGE-BANDWIDTH']) || bitrate);

const ladderOf = (levels: readonly Level[]): Ladder =>
  levels.map((level) => ({
    bitrateKbps: kbpsOf(level),
    width: level.width || null,
    height: level.height || null,
  }));

function rungOf(levels: readonly Level[], level: Level): number | null {
  const rung = levels.indexOf(level);
  return rung === -1 ? null : rung;
}

const mediaTypeOf = (levels: readonly Level[]): MediaType =>
  levels.length > 0 &&
  levels.every(({ videoCodec, audioCodec, height }) => !videoCodec && !height && audioCodec)
    ? 'audio'
    : 'video';

/** 0-based in a stream on demand; the media sequence number of a live one. */
function segmentOf({ sn }: Pick<Fragment, 'sn'>, details: LevelDetails | undefined): number | null {
  if (typeof sn !== 'number' || !details) return null;
  return Math.max(0, details.live ? sn : sn - details.startSN);
}

const detailsOf = (hls: Hls): LevelDetails | null => hls.latestLevelDetails;

const bufferMsOf = (hls: Hls): number => msFromSeconds(hls.mainForwardBufferInfo?.len ?? 0);

/** BaseStreamController.getMaxBufferLength of hls.js 1.7.4: the lower a level, the more of it is kept. */
function maxBufferMs({ config }: Hls, { maxBitrate }: Level): number {
  const seconds = Math.max((8 * config.maxBufferSize) / maxBitrate, config.maxBufferLength);
  return msFromSeconds(Math.min(seconds, config.maxMaxBufferLength));
}

/** The length of a segment as it was first known, ms; 0 before. In an uneven playlist a rule would get a new one each time. */
function firstSegmentMs(hls: Hls): () => number {
  let known: { readonly url: string | null; readonly ms: number } | null = null;
  return () => {
    if (known?.url !== hls.url) known = null;
    const seconds = detailsOf(hls)?.fragments[0]?.duration ?? 0;
    if (!known && seconds > 0) known = { url: hls.url, ms: msFromSeconds(seconds) };
    return known?.ms ?? 0;
  };
}

interface Facts {
  readonly offered: readonly Level[];
  readonly last: Level | null;
  readonly segmentMs: number;
  readonly nowMs: number;
}

function questionOf(hls: Hls, { offered, last, segmentMs, nowMs }: Facts): HostQuestion {
  const details = detailsOf(hls);
  const buffer = hls.mainForwardBufferInfo;
  const playheadMs = msFromSeconds(hls.media?.currentTime ?? 0);
  const bufferMs = bufferMsOf(hls);
  const endMs = buffer ? msFromSeconds(buffer.end) : playheadMs;
  const next = details?.fragments.find((frag) => msFromSeconds(frag.end) - LOOKUP_MS > endMs);
  const live = details?.live === true;
  const top = offered.at(-1)!;
  return {
    mediaType: mediaTypeOf(offered),
    offer: { ladder: ladderOf(offered), segmentMs },
    sizesOf: (rung) => sizesOf(offered[rung]),
    moment: {
      nowMs,
      playheadMs,
      bufferMs,
      bufferTargetMs: maxBufferMs(hls, top),
      segment: next ? segmentOf(next, details ?? undefined) : null,
      segmentsLeft: !details || live ? null : segmentsBetween(endMs, msFromSeconds(details.edge), segmentMs),
      lastRung: last && rungOf(offered, last),
      liveLatencyMs: live && hls.latency > 0 ? msFromSeconds(hls.latency) : null,
      playbackRate: hls.media?.playbackRate ?? 1,
      ...audioBeside(hls, details),
    },
  };
}

/** `maxFragLookUpTolerance`: a fragment that ends so close behind the buffer is the one before. */
const LOOKUP_MS = 250;

function audioBeside(hls: Hls, details: LevelDetails | null): Pick<Moment, 'audioBufferMs'> {
  const audio = hls.audioForwardBufferInfo;
  if (!audio || (details && !details.live && audio.end >= details.edge - 0.5)) return {};
  return { audioBufferMs: msFromSeconds(audio.len) };
}

/** Byte ranges of a playlist that has been loaded (EXT-X-BYTERANGE): hls.js loads that of a level when it is chosen first. */
function sizesOf(level: Level | undefined): ReturnType<HostQuestion['sizesOf']> {
  const { details } = level ?? {};
  if (!details || details.live) return null;
  const sizesBytes = details.fragments.map(({ byteRangeStartOffset: from, byteRangeEndOffset: to }) =>
    from === undefined || to === undefined ? null : to - from,
  );
  return sizesBytes.some(Boolean) ? { from: 'playlist', firstSegment: 0, sizesBytes } : null;
}

interface Hold {
  /** Returns the level to which the buffer has to fall before the next request, ms; null without a hold. */
  begin(answer: CheckedAnswer, moment: Moment): number | null;
  end(): void;
}

/** ms. Holds to less would risk a stall: hls.js looks every 100 ms, and a request takes its time. */
const MIN_HOLD_MS = 1000;

/**
 * Holds requests back by `maxMaxBufferLength`, which hls.js reads before each fragment (getMaxBufferLength) and which bounds all
 * its other limits. A page that changes it meanwhile is left alone.
 */
function createHold({ config }: Hls): Hold {
  let held: { readonly limit: number; readonly before: number } | null = null;
  return {
    begin({ holdUntilBufferMs }, { bufferMs }) {
      const levelMs = Math.max(holdUntilBufferMs ?? Infinity, MIN_HOLD_MS);
      if (!(bufferMs > levelMs)) return null;
      held = { limit: secondsFromMs(levelMs), before: config.maxMaxBufferLength };
      config.maxMaxBufferLength = Math.min(held.limit, held.before);
      return levelMs;
    },
    end() {
      if (held && config.maxMaxBufferLength === held.limit) config.maxMaxBufferLength = held.before;
      held = null;
    },
  };
}

/** What hls.js itself uses of an estimator: `bandwidthEstimate` for quick switches and CMCD. It was given none of its own. */
function estimatorOf(hls: Hls, host: RuleHost): NonNullable<AbrComponentAPI['bwEstimator']> {
  const defaultEstimate = hls.config.abrEwmaDefaultEstimate;
  const estimator = {
    defaultEstimate,
    getEstimate: () => host.estimateKbps() * 1000 || defaultEstimate,
    getEstimateTTFB: () => 0,
    canEstimate: () => host.estimateKbps() > 0,
  };
  return estimator as unknown as NonNullable<AbrComponentAPI['bwEstimator']>;
}
