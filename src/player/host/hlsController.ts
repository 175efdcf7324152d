import type Hls from 'hls.js';
import type {
  AbrComponentAPI,
  ErrorData,
  FragLoadedData,
  FragLoadingData,
  Fragment,
  HlsConfig,
  Level,
  MediaAttachedData,
} from 'hls.js';
import type { CheckedAnswer } from '../../abr/answer.ts';
import type { Moment, Rule } from '../../abr/rule.ts';
import { secondsFromMs } from '../../shared/units.ts';
import {
  bufferMsOf,
  choicesOf,
  detailsOf,
  firstSegmentMs,
  isMedia,
  kbpsOf,
  maxBufferMs,
  mediaTypeOf,
  questionOf,
  rungOf,
  segmentOf,
} from './hlsTerms.ts';
import { createRuleHost, downloadOf, type HostOptions, type RuleHost } from './ruleHost.ts';
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
  const abrController = controllerOf((hls) => {
    const host = createRuleHost('hls.js', options, () => detailsOf(hls)?.live === true);
    host.use(rule);
    hosts.add(host);
    return createController(hls, host, () => hosts.delete(host));
  });
  return {
    abrController,
    use(next) {
      rule = next;
      for (const host of hosts) host.use(next);
    },
  };
}

/**
 * hls.js 1.7.4 calls `new config.abrController(hls)`, and takes the object that a constructor returns. A minifier may make an
 * arrow of a function, but not of a class.
 */
export const controllerOf = (create: (hls: Hls) => AbrComponentAPI): HlsConfig['abrController'] =>
  class {
    constructor(hls: Hls) {
      return create(hls);
    }
  } as unknown as HlsConfig['abrController'];

/** A controller by which a rule of ours decides, and which listens while hls.js' own does. */
export interface HlsRuleController extends AbrComponentAPI {
  /** What was chosen is not loaded: hls.js' own controller takes over. */
  forget(): void;
}

/**
 * hls.js reads `nextAutoLevel` whenever its stream controller is idle, every 100 ms (StreamController.doTickIdle), also while its
 * buffer is full, and writes it back with each fragment.
 */
export function createController(hls: Hls, host: RuleHost, onDestroy: () => void): HlsRuleController {
  const chooser = createChooser(hls, host);
  const { Events } = hls.constructor as typeof Hls;
  let unwatch = (): void => undefined;
  const acts = {
    [Events.MANIFEST_LOADING]: chooser.reset,
    [Events.LEVELS_UPDATED]: chooser.forget,
    [Events.MEDIA_ATTACHED](_type: string, { media }: MediaAttachedData) {
      unwatch();
      unwatch = watchElement(media, host, chooser.forget);
    },
    [Events.MEDIA_DETACHED]: () => unwatch(),
    [Events.FRAG_LOADING](_type: string, { frag }: FragLoadingData) {
      if (isMedia(frag)) chooser.sent(frag);
    },
    [Events.FRAG_LOADED](_type: string, { frag, part }: FragLoadedData) {
      if (isMedia(frag)) chooser.loaded(frag, (part ?? frag).stats);
    },
    [Events.FRAG_BUFFERED]: (_type: string, { frag }: FragLoadedData) => chooser.ended(frag, false),
    [Events.ERROR](_type: string, { frag, details }: ErrorData) {
      if (frag) chooser.ended(frag, details.startsWith('fragLoad'));
    },
  };
  const listeners = Object.entries(acts) as [Parameters<Hls['on']>[0], () => void][];
  for (const [type, act] of listeners) hls.on(type, act);
  return {
    get nextAutoLevel() {
      return chooser.next();
    },
    set nextAutoLevel(index) {
      chooser.force(index);
    },
    get firstAutoLevel() {
      return chooser.next();
    },
    get forcedAutoLevel() {
      return chooser.forced();
    },
    bwEstimator: estimatorOf(hls, host),
    resetEstimator: () => undefined,
    forget: chooser.forget,
    destroy() {
      for (const [type, act] of listeners) hls.off(type, act);
      unwatch();
      chooser.forget();
      onDestroy();
    },
  };
}

/** Indices are those of `hls.levels`. */
interface Chooser {
  next(): number;
  /** After an error hls.js wants another level for one fragment (ErrorController.switchLevel). */
  force(index: number): void;
  /** -1: hls.js wants none. */
  forced(): number;
  sent(frag: Fragment): void;
  loaded(frag: Fragment, stats: Fragment['stats']): void;
  /** A fragment is in the buffer, or failed; `isCut`: while it was loaded. */
  ended(frag: Fragment, isCut: boolean): void;
  /** What was chosen was for another place, or among other levels. */
  forget(): void;
  /** Another stream begins. */
  reset(): void;
}

/** A level that was chosen, and whose request has not been sent. */
interface Chosen {
  readonly level: Level;
  readonly atMs: number;
  /** The buffer must fall to this level first. */
  readonly holdMs: number | null;
}

/** Asks the rule once for each fragment: when none is loading and the buffer has fallen below its limit. */
function createChooser(hls: Hls, host: RuleHost): Chooser {
  let chosen: Chosen | null = null;
  /** Of the newest request. */
  let last: Level | null = null;
  let forced: Level | null = null;
  let loading: Fragment | null = null;
  let offered: readonly Level[] = [];
  const hold = createHold(hls);
  const segmentMs = firstSegmentMs(hls);
  const settle = (): void => {
    chosen = null;
    hold.end();
  };
  const forget = (): void => {
    settle();
    host.release();
  };
  const ask = (): void => {
    offered = choicesOf(hls, last);
    if (offered.length === 0) return;
    hold.end();
    const question = questionOf(hls, { offered, last, segmentMs: segmentMs(), nowMs: host.nowMs() });
    // hls.js goes on asking when the last fragment is in the buffer: nothing is left to decide.
    if (question.moment.segment === null && question.moment.segmentsLeft === 0) return;
    const answer = host.decide(question);
    const holdMs = hold.begin(answer, question.moment);
    chosen = { level: offered[answer.rung]!, atMs: host.nowMs(), holdMs };
  };
  const ended = (frag: Fragment, isCut: boolean): void => {
    if (frag !== loading) return;
    loading = null;
    if (isCut) tellDownload(hls, host, { frag, stats: frag.stats, offered, aborted: true });
  };
  const mustAsk = (): boolean => {
    if (loading?.stats.aborted) ended(loading, true);
    if (loading !== null || hls.levels.length === 0) return false;
    const bufferMs = bufferMsOf(hls);
    if (chosen === null) return last === null || bufferMs < maxBufferMs(hls, last);
    if (chosen.holdMs !== null) return bufferMs <= chosen.holdMs;
    // Nothing to load at the live edge, or hls.js was stopped: the answer is out of date by then.
    return chosen.level.details !== undefined && host.nowMs() - chosen.atMs > OUT_OF_DATE_MS;
  };
  const present = (): Level | null => forced ?? chosen?.level ?? last;
  return {
    next() {
      if (mustAsk()) ask();
      const index = hls.levels.indexOf(present()!);
      return index === -1 ? Math.max(0, hls.firstLevel) : index;
    },
    force(index) {
      const level = hls.levels[Math.min(Math.max(index, hls.minAutoLevel), hls.maxAutoLevel)];
      // It also writes back what it has just read.
      if (level && level !== present()) forced = level;
    },
    forced: () => (forced ? hls.levels.indexOf(forced) : -1),
    sent(frag) {
      loading = frag;
      last = hls.levels[frag.level] ?? null;
      // A rule that takes over later gets this download as one of the ladder.
      if (!host.decides()) offered = choicesOf(hls, last);
      const rung = last && rungOf(offered, last);
      host.sent({ mediaType: mediaTypeOf(offered), segment: segmentOf(frag, last?.details), rung });
      settle();
    },
    loaded(frag, stats) {
      tellDownload(hls, host, { frag, stats, offered, aborted: false });
      if (hls.levels[frag.level] === forced) forced = null;
      // A bitrate test is never buffered.
      if (frag.bitrateTest) ended(frag, false);
    },
    ended,
    forget,
    reset() {
      forget();
      last = forced = loading = null;
    },
  };
}

interface Loaded {
  readonly frag: Fragment;
  /** Of the fragment, or of its part. */
  readonly stats: Fragment['stats'];
  readonly offered: readonly Level[];
  readonly aborted: boolean;
}

/** `stats.loading` has times of `performance.now()`; 0 is what did not happen. */
function tellDownload(hls: Hls, host: RuleHost, { frag, stats, offered, aborted }: Loaded): void {
  const level = hls.levels[frag.level];
  if (!level) return;
  const { start, first, end } = stats.loading;
  const download = downloadOf({
    mediaType: mediaTypeOf(offered),
    segment: segmentOf(frag, level.details),
    rung: rungOf(offered, level),
    bitrateKbps: kbpsOf(level),
    sizeBytes: stats.loaded,
    startMs: host.sessionMs(start),
    firstByteMs: first > 0 ? host.sessionMs(first) : null,
    lastByteMs: end > 0 ? host.sessionMs(end) : host.nowMs(),
    aborted,
  });
  if (download) host.tell(download);
}

/** ms after which an answer whose request was not sent is asked for again. */
const OUT_OF_DATE_MS = 1000;

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
