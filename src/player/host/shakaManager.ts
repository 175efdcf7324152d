import type shaka from 'shaka-player';
import type { CheckedAnswer } from '../../abr/answer.ts';
import type { DownloadEvent, Moment, Rule } from '../../abr/rule.ts';
import { msFromSeconds, secondsFromMs } from '../../shared/units.ts';
import { createRuleHost, downloadOf, type HostOptions, type RuleHost } from './ruleHost.ts';
import {
  bufferMsOf,
  choicesOf,
  goalMs,
  kbpsOf,
  mediaTypeOf,
  msToGoal,
  positionOf,
  questionOf,
  rungOf,
  type Stream,
  type Variant,
} from './shakaTerms.ts';
import { watchElement } from './watchElement.ts';

/** A rule of ours that decides for a Shaka player. */
export interface ShakaRule {
  /** Switches to another rule, also during playback. */
  use(rule: Rule): void;
  /** Gives the choice back to Shaka's own manager, from its next `load()` on. */
  stop(): void;
}

/**
 * Shaka 5.2.12 asks its `AbrManager` for a variant only where it has to have one: at the start and after an error or a new
 * configuration. For all others the manager calls `switchCallback`. Here it does so when a segment has been appended, just before
 * Shaka goes on to the next one (StreamingEngine.fetchAndAppend_), so that no request is under way that the switch could abort;
 * and once more when a full buffer has fallen to its goal.
 */
export function createShakaRule(player: shaka.Player, first: Rule, options: HostOptions): ShakaRule {
  const host = createRuleHost('Shaka', options, () => player.isLive());
  host.use(first);
  const before = player.getConfiguration();
  const manager = createManager(player, host);
  player.configure({
    abrFactory: () => manager.abrManager,
    streaming: OFF,
  });
  const disconnect = connect(player, manager);
  return {
    use: host.use,
    stop() {
      disconnect();
      manager.abrManager.stop();
      player.configure({ abrFactory: before.abrFactory, streaming: restoring(before) });
    },
  };
}

/** Lets a manager see the requests and segments of its player. Returns the disposer. */
export function connect(player: shaka.Player, { onRequest, onResponse, onAppended }: Manager): () => void {
  const networking = player.getNetworkingEngine();
  networking?.registerRequestFilter(onRequest);
  networking?.registerResponseFilter(onResponse);
  player.addEventListener('segmentappended', onAppended);
  return () => {
    networking?.unregisterRequestFilter(onRequest);
    networking?.unregisterResponseFilter(onResponse);
    player.removeEventListener('segmentappended', onAppended);
  };
}

/**
 * What cannot be had together with a rule. Chunks that wait for their making would count as a slow network. A segment that is
 * fetched ahead (SegmentPrefetch, one by default) is requested before its decision, and again after it where that is another.
 */
export const OFF = { lowLatencyMode: false, segmentPrefetchLimit: 0 };

/** What undoes `OFF`. */
export function restoring({ streaming }: shaka.extern.PlayerConfiguration): typeof OFF {
  const { lowLatencyMode, segmentPrefetchLimit } = streaming;
  return { lowLatencyMode, segmentPrefetchLimit };
}

export interface Manager {
  readonly abrManager: shaka.extern.AbrManager;
  /** A rule takes over from Shaka's own manager: it is asked as soon as nothing loads. */
  readonly takeOver: () => void;
  /** Shaka's own manager takes over: a hold ends. */
  readonly forget: () => void;
  readonly onRequest: shaka.extern.RequestFilter;
  readonly onResponse: shaka.extern.ResponseFilter;
  readonly onAppended: (event: Event) => void;
}

export function createManager(player: shaka.Player, host: RuleHost): Manager {
  const chooser = createChooser(player, host);
  let unwatch = (): void => undefined;
  const sentAtMs = new WeakMap<object, number>();
  return {
    abrManager: {
      init: chooser.begin,
      setVariants: chooser.offer,
      chooseVariant: chooser.choose,
      enable: () => chooser.enable(true),
      disable: () => chooser.enable(false),
      stop() {
        chooser.end();
        unwatch();
      },
      release: () => undefined,
      configure: chooser.configure,
      setMediaElement(video) {
        unwatch();
        if (video) unwatch = watchElement(video, host, chooser.seek);
      },
      getBandwidthEstimate: chooser.estimateBps,
      // What these tell comes by the filters, with its segment and its stream, or concerns Shaka's own rule.
      segmentDownloaded: () => undefined,
      trySuggestStreams: () => undefined,
      playbackRateChanged: () => undefined,
      setCmsdManager: () => undefined,
    },
    takeOver() {
      chooser.enable(true);
      chooser.askInTime();
    },
    forget() {
      chooser.enable(false);
      chooser.forget();
    },
    onRequest(_type, request, context) {
      const { stream, segment } = context ?? {};
      if (!host.decides()) chooser.watch(stream);
      // A parser that looks into segments of a stream names none.
      if (!segment || !chooser.decidesFor(stream)) return;
      sentAtMs.set(request, host.nowMs());
      chooser.sent(stream, segment);
    },
    onResponse(_type, { originalRequest, data, fromCache }, context) {
      const { stream, segment } = context ?? {};
      const startMs = sentAtMs.get(originalRequest);
      if (!segment || !chooser.decidesFor(stream) || startMs === undefined || fromCache) return;
      const firstMs = originalRequest.timeToFirstByte ?? null;
      const firstByteMs = firstMs === null ? null : startMs + firstMs;
      chooser.loaded(stream, segment, { sizeBytes: data.byteLength, startMs, firstByteMs });
    },
    onAppended: (event) => chooser.appended(event as unknown as Appended),
  };
}

/** The event `segmentappended`, times in s. */
interface Appended {
  readonly contentType: string;
  readonly start: number;
  readonly end: number;
}

type Segment = shaka.media.SegmentReference;

interface Chooser {
  begin(switchCallback: (variant: Variant) => void): void;
  /** Returns whether these are other variants than before. */
  offer(variants: readonly Variant[]): boolean;
  choose(): Variant;
  enable(isOn: boolean): void;
  configure(config: shaka.extern.AbrConfiguration): void;
  /** bit/s. */
  estimateBps(): number;
  decidesFor(stream: Stream | undefined): stream is Stream;
  /** Shaka's own manager decided for this stream. */
  watch(stream: Stream | undefined): void;
  askInTime(): void;
  /** What was chosen is not loaded, and a hold ends. */
  forget(): void;
  sent(stream: Stream, segment: Segment): void;
  loaded(
    stream: Stream,
    segment: Segment,
    facts: Pick<DownloadEvent, 'sizeBytes' | 'startMs' | 'firstByteMs'>,
  ): void;
  appended(event: Appended): void;
  seek(): void;
  end(): void;
}

/** What changes while a stream plays. */
interface State {
  variants: readonly Variant[];
  offered: readonly Variant[];
  config: shaka.extern.AbrConfiguration | null;
  switchTo: ((variant: Variant) => void) | null;
  isOn: boolean;
  /** The newest choice, whose segments are requested or will be. */
  chosen: Variant | null;
  /** Of the newest request. */
  last: Stream | null;
  /** That Shaka chose, while its own manager decides. */
  audio: Stream | null;
  isLoading: boolean;
  /** Where the next segment begins, s; null until one has been appended since the last seek. */
  nextAtS: number | null;
  segmentMs: number;
}

const STOPPED: Omit<State, 'config'> = {
  variants: [],
  offered: [],
  switchTo: null,
  isOn: false,
  chosen: null,
  last: null,
  audio: null,
  isLoading: false,
  nextAtS: null,
  segmentMs: 0,
};

function createChooser(player: shaka.Player, host: RuleHost): Chooser {
  const state: State = { ...STOPPED, config: null };
  const hold = createHold(player);
  const asking = createAsking(player, host, { state, hold });
  const change = (changes: Partial<State>): void => void Object.assign(state, changes);
  const requestOf = (stream: Stream, segment: Segment) => ({
    mediaType: mediaTypeOf(state.offered),
    segment: positionOf(stream, segment.getStartTime()),
    rung: rungOf(state.offered, stream),
  });
  return {
    begin: (switchTo) => change({ switchTo }),
    offer(given) {
      const { variants } = state;
      const isSame = given.length === variants.length && given.every((each, at) => each === variants[at]);
      change({ variants: [...given] });
      return !isSame;
    },
    choose: () => asking.ask() ?? state.variants[0]!,
    enable(isOn) {
      change({ isOn });
      if (!isOn) asking.stop();
    },
    configure: (config) => change({ config }),
    estimateBps: () => host.estimateKbps() * 1000 || (state.config?.defaultBandwidthEstimate ?? NaN),
    decidesFor: (stream): stream is Stream => stream?.type === mediaTypeOf(state.offered),
    watch(stream) {
      if (stream?.type === 'audio') change({ audio: stream });
      state.offered = offeredIn(state);
    },
    askInTime: asking.askInTime,
    forget() {
      asking.stop();
      hold.end();
      host.release();
    },
    sent(stream, segment) {
      asking.stop();
      const request = requestOf(stream, segment);
      host.sent(request);
      const chosen = state.offered[request.rung ?? -1] ?? state.chosen;
      change({ isLoading: true, last: stream, chosen });
    },
    loaded(stream, segment, facts) {
      const request = requestOf(stream, segment);
      const variant = state.offered[request.rung ?? -1];
      const bitrateKbps = variant ? kbpsOf(variant) : 0;
      const download = downloadOf({
        ...request,
        ...facts,
        bitrateKbps,
        lastByteMs: host.nowMs(),
        aborted: false,
      });
      if (download) host.tell(download);
    },
    appended({ contentType, start, end }) {
      if (contentType !== mediaTypeOf(state.offered)) return;
      // As it was first known: in an uneven stream a rule would get a new length each time.
      const segmentMs = state.segmentMs || msFromSeconds(end - start);
      change({ isLoading: false, nextAtS: end, segmentMs });
      asking.askInTime();
    },
    seek() {
      // Within the buffer Shaka goes on with what it loads, and a switch would abort it: what was chosen comes next.
      if (bufferMsOf(player, state.offered) > 0) return;
      host.release();
      change({ isLoading: false, nextAtS: null });
      if (state.chosen) asking.askInTime();
    },
    end() {
      change(STOPPED);
      asking.stop();
      hold.end();
      host.release();
    },
  };
}

const offeredIn = ({ variants, config, chosen, audio }: State): readonly Variant[] =>
  choicesOf(variants, { restrictions: config?.restrictions, audio: audio ?? chosen?.audio ?? null });

interface Asking {
  /** Returns the variant that the rule chooses; null without any. */
  ask(): Variant | null;
  /** Asks and switches: now, or in a full buffer when it has fallen to its goal. */
  askInTime(): void;
  /** Asks no more by itself, until the next call. */
  stop(): void;
}

function createAsking(
  player: shaka.Player,
  host: RuleHost,
  { state, hold }: { state: State; hold: Hold },
): Asking {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (): Variant | null => {
    const offered = (state.offered = offeredIn(state));
    if (offered.length === 0) return null;
    hold.end();
    const question = questionOf(player, { ...state, nowMs: host.nowMs() });
    const answer = host.decide(question);
    hold.begin(answer, question.moment);
    return (state.chosen = offered[answer.rung]!);
  };
  const askInTime = (): void => {
    clearTimeout(timer);
    if (!state.isOn || state.isLoading) return;
    if (msToGoal(player, state.offered) === 0) {
      const variant = ask();
      if (variant) state.switchTo?.(variant);
    }
    // Above 0 also after a hold has lowered the goal.
    const restMs = msToGoal(player, state.offered);
    if (restMs > 0) timer = setTimeout(askInTime, restMs);
  };
  return { ask, askInTime, stop: () => clearTimeout(timer) };
}

interface Hold {
  begin(answer: CheckedAnswer, moment: Moment): void;
  end(): void;
}

/** ms. Shaka takes no smaller goal. */
const MIN_HOLD_MS = 1000;

/** Holds requests back by `streaming.bufferingGoal`. A page that changes it meanwhile is left alone. */
function createHold(player: shaka.Player): Hold {
  let held: { readonly goal: number; readonly before: number } | null = null;
  const goal = (): number => player.getConfiguration().streaming.bufferingGoal;
  const set = (seconds: number): boolean => player.configure('streaming.bufferingGoal', seconds);
  return {
    begin({ holdUntilBufferMs }, { bufferMs }) {
      const levelMs = Math.max(holdUntilBufferMs ?? Infinity, MIN_HOLD_MS);
      if (!(bufferMs > levelMs) || levelMs >= goalMs(player)) return;
      held = { goal: secondsFromMs(levelMs), before: goal() };
      set(held.goal);
    },
    end() {
      const { goal: level, before } = held ?? {};
      held = null;
      if (before !== undefined && goal() === level) set(before);
    },
  };
}
