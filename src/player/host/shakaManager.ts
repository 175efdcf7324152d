import type shaka from 'shaka-player';
import type { CheckedAnswer } from '../../abr/answer.ts';
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

/** A rule of ours that decides for a Shaka player. */
export interface ShakaRule {
  /** Switches to another rule, also during playback. */
  use(rule: Rule): void;
  /** Gives the choice back to Shaka's own manager, from its next `load()` on. */
  stop(): void;
}

type Variant = shaka.extern.Variant;
type Stream = shaka.extern.Stream;

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
  const networking = player.getNetworkingEngine();
  player.configure({
    abrFactory: () => manager.abrManager,
    streaming: OFF,
  });
  networking?.registerRequestFilter(manager.onRequest);
  networking?.registerResponseFilter(manager.onResponse);
  player.addEventListener('segmentappended', manager.onAppended);
  return {
    use: host.use,
    stop() {
      networking?.unregisterRequestFilter(manager.onRequest);
      networking?.unregisterResponseFilter(manager.onResponse);
      player.removeEventListener('segmentappended', manager.onAppended);
      manager.abrManager.stop();
      const { abrFactory, streaming } = before;
      const { lowLatencyMode, segmentPrefetchLimit } = streaming;
      player.configure({ abrFactory, streaming: { lowLatencyMode, segmentPrefetchLimit } });
    },
  };
}

/**
 * What cannot be had together with a rule. Chunks that wait for their making would count as a slow network. A segment that is
 * fetched ahead (SegmentPrefetch, one by default) is requested before its decision, and again after it where that is another.
 */
const OFF = { lowLatencyMode: false, segmentPrefetchLimit: 0 };

interface Manager {
  readonly abrManager: shaka.extern.AbrManager;
  readonly onRequest: shaka.extern.RequestFilter;
  readonly onResponse: shaka.extern.ResponseFilter;
  readonly onAppended: (event: Event) => void;
}

function createManager(player: shaka.Player, host: RuleHost): Manager {
  let variants: readonly Variant[] = [];
  let config: shaka.extern.AbrConfiguration | null = null;
  let switchTo: ((variant: Variant) => void) | null = null;
  let enabled = false;
  let offered: readonly Variant[] = [];
  /** The newest choice, whose segments are requested or will be. */
  let chosen: Variant | null = null;
  let isLoading = false;
  /** Where the next segment begins, s; null until one has been appended since the last seek. */
  let nextAtS: number | null = null;
  let segmentMs = 0;
  let unwatch = (): void => undefined;
  const sentAtMs = new WeakMap<object, number>();
  const hold = createHold(player);
  const wait = createWait();

  const ask = (): Variant | null => {
    offered = choicesOf(variants, { restrictions: config?.restrictions, audio: chosen?.audio ?? null });
    if (offered.length === 0) return null;
    hold.end();
    const question = questionOf(player, { offered, chosen, nextAtS, segmentMs, nowMs: host.nowMs() });
    const answer = host.decide(question);
    hold.begin(answer, question.moment);
    return (chosen = offered[answer.rung]!);
  };
  const decide = (): void => {
    const variant = ask();
    if (variant) switchTo?.(variant);
    wait.until(msToGoal(player, offered), onTime);
  };
  const onTime = (): void => {
    if (!enabled || isLoading) return;
    const restMs = msToGoal(player, offered);
    if (restMs > 0) wait.until(restMs, onTime);
    else decide();
  };
  const isOurs = (stream: Stream | undefined): stream is Stream => stream?.type === mediaTypeOf(offered);
  const onSeek = (): void => {
    host.release();
    // Within the buffer Shaka goes on with what it loads, and a switch would abort it.
    if (bufferMsOf(player, offered) > 0) return;
    isLoading = false;
    nextAtS = null;
    if (enabled && chosen) decide();
  };

  return {
    abrManager: {
      init(switchCallback) {
        switchTo = switchCallback;
      },
      setVariants(given) {
        const isSame = given.length === variants.length && given.every((each, at) => each === variants[at]);
        variants = [...given];
        return !isSame;
      },
      chooseVariant: () => ask() ?? variants[0]!,
      enable: () => void (enabled = true),
      disable() {
        enabled = false;
        wait.stop();
      },
      stop() {
        enabled = false;
        switchTo = chosen = nextAtS = null;
        variants = offered = [];
        isLoading = false;
        segmentMs = 0;
        wait.stop();
        hold.end();
        unwatch();
        host.release();
      },
      release: () => undefined,
      configure: (next) => void (config = next),
      setMediaElement(video) {
        unwatch();
        if (video) unwatch = watchElement(video, host, onSeek);
      },
      getBandwidthEstimate: () => host.estimateKbps() * 1000 || (config?.defaultBandwidthEstimate ?? NaN),
      // What these tell comes by the filters, with its segment and its stream, or concerns Shaka's own rule.
      segmentDownloaded: () => undefined,
      trySuggestStreams: () => undefined,
      playbackRateChanged: () => undefined,
      setCmsdManager: () => undefined,
    },
    onRequest(_type, request, context) {
      const { stream, segment } = context ?? {};
      if (!segment || !isOurs(stream)) return;
      sentAtMs.set(request, host.nowMs());
      isLoading = true;
      wait.stop();
      const rung = rungOf(offered, stream);
      host.sent({
        mediaType: mediaTypeOf(offered),
        segment: positionOf(stream, segment.getStartTime()),
        rung,
      });
      chosen = rung === null ? chosen : offered[rung]!;
    },
    onResponse(_type, response, context) {
      const { stream, segment } = context ?? {};
      const startMs = sentAtMs.get(response.originalRequest);
      if (!segment || !isOurs(stream) || startMs === undefined || response.fromCache) return;
      const rung = rungOf(offered, stream);
      const firstMs = response.originalRequest.timeToFirstByte;
      const download = downloadOf({
        mediaType: mediaTypeOf(offered),
        segment: positionOf(stream, segment.getStartTime()),
        rung,
        bitrateKbps: rung === null ? 0 : kbpsOf(offered[rung]!),
        sizeBytes: response.data.byteLength,
        startMs,
        firstByteMs: firstMs === undefined || firstMs === null ? null : startMs + firstMs,
        lastByteMs: host.nowMs(),
        aborted: false,
      });
      if (download) host.tell(download);
    },
    onAppended(event) {
      const { contentType, start, end } = event as unknown as Appended;
      if (contentType !== mediaTypeOf(offered)) return;
      isLoading = false;
      nextAtS = end;
      // As it was first known: in an uneven stream a rule would get a new length each time.
      segmentMs ||= msFromSeconds(end - start);
      if (!enabled) return;
      const restMs = msToGoal(player, offered);
      if (restMs > 0) wait.until(restMs, onTime);
      else decide();
    },
  };
}

/** The event `segmentappended`, times in s. */
interface Appended {
  readonly contentType: string;
  readonly start: number;
  readonly end: number;
}

interface Offerable {
  readonly restrictions: shaka.extern.Restrictions | undefined;
  /** Of the variant that plays. */
  readonly audio: Stream | null;
}

/**
 * One variant for each video, ascending by bitrate: a rule of ours chooses the video, and the audio stays. Without a video, one
 * for each audio. Shaka leaves it to the manager to keep to `abr.restrictions`; where nothing is left, they are ignored, as
 * there.
 */
function choicesOf(variants: readonly Variant[], { restrictions, audio }: Offerable): readonly Variant[] {
  const allowed = variants.filter((variant) => !restrictions || isWithin(variant, restrictions));
  const all = allowed.length > 0 ? allowed : variants;
  const byStream = new Map<Stream | null, Variant>();
  const preferred = [...all].sort(
    (one, other) =>
      Number(other.audio === audio) - Number(one.audio === audio) || other.bandwidth - one.bandwidth,
  );
  for (const variant of preferred) {
    const stream = variant.video ?? variant.audio;
    if (!byStream.has(stream)) byStream.set(stream, variant);
  }
  return [...byStream.values()].sort((one, other) => kbpsOf(one) - kbpsOf(other));
}

function isWithin({ video, bandwidth }: Variant, limits: shaka.extern.Restrictions): boolean {
  const { width = 0, height = 0 } = video ?? {};
  const isIn = (value: number, min: number, max: number): boolean => value >= min && value <= max;
  const fits =
    width === 0 ||
    (isIn(width, limits.minWidth, limits.maxWidth) &&
      isIn(height, limits.minHeight, limits.maxHeight) &&
      isIn(width * height, limits.minPixels, limits.maxPixels));
  return fits && isIn(bandwidth, limits.minBandwidth, limits.maxBandwidth);
}

const streamOf = ({ video, audio }: Variant): Stream | null => video ?? audio;

/** Of the video, as an MPD has it; HLS names only that of video and audio together. */
const kbpsOf = (variant: Variant): number =>
  kbpsFromBitsPerSecond(streamOf(variant)?.bandwidth || variant.bandwidth);

function rungOf(variants: readonly Variant[], stream: Stream | null): number | null {
  const rung = variants.findIndex((variant) => streamOf(variant) === stream);
  return rung === -1 ? null : rung;
}

const mediaTypeOf = ([first]: readonly Variant[]): MediaType => (first && !first.video ? 'audio' : 'video');

/** 0-based in a stream on demand; null while the stream has no index. */
function positionOf(stream: Stream | null, timeS: number): number | null {
  const position: unknown = stream?.segmentIndex?.find(timeS);
  return typeof position === 'number' ? position : null;
}

/** Media ahead of the playhead, without gaps, as `bufferedAheadOf` counts it. */
function bufferMsOf(
  player: shaka.Player,
  offered: readonly Variant[],
  type: MediaType = mediaTypeOf(offered),
): number {
  const atS = player.getMediaElement()?.currentTime ?? 0;
  const ranges = player.getBufferedInfo()[type];
  return msFromSeconds(
    ranges.reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, atS)), 0),
  );
}

/** StreamingEngine.update_: the larger of the two goals, and 1 s or more. */
function goalMs(player: shaka.Player): number {
  const { bufferingGoal, rebufferingGoal } = player.getConfiguration().streaming;
  return msFromSeconds(Math.max(1, bufferingGoal, rebufferingGoal));
}

/** How much sooner than at its goal a buffer counts as fallen: Shaka must not look before the rule was asked. */
const SOONER_MS = 100;

/** Time until the buffer has fallen to its goal, at most 500 ms, which is how often Shaka looks; 0 when it has. */
function msToGoal(player: shaka.Player, offered: readonly Variant[]): number {
  const aboveMs = bufferMsOf(player, offered) - goalMs(player) - SOONER_MS;
  const rate = Math.abs(player.getPlaybackRate()) || 1;
  return aboveMs > 0 ? Math.min(aboveMs / rate, 500) : 0;
}

interface Facts {
  readonly offered: readonly Variant[];
  readonly chosen: Variant | null;
  readonly nextAtS: number | null;
  readonly segmentMs: number;
  readonly nowMs: number;
}

function questionOf(
  player: shaka.Player,
  { offered, chosen, nextAtS, segmentMs, nowMs }: Facts,
): HostQuestion {
  const playheadMs = msFromSeconds(player.getMediaElement()?.currentTime ?? 0);
  const bufferMs = bufferMsOf(player, offered);
  const live = player.isLive();
  const stream = chosen && streamOf(chosen);
  const endMs = nextAtS === null ? playheadMs + bufferMs : msFromSeconds(nextAtS);
  const latencyMs = live ? msFromSeconds(player.getStats().liveLatency) : 0;
  const lastMs = msFromSeconds(player.seekRange().end);
  return {
    mediaType: mediaTypeOf(offered),
    offer: {
      ladder: offered.map((variant) => ({
        bitrateKbps: kbpsOf(variant),
        width: variant.video?.width || null,
        height: variant.video?.height || null,
      })),
      segmentMs,
    },
    sizesOf: (rung) => sizesOf(player, streamOf(offered[rung]!)),
    moment: {
      nowMs,
      playheadMs,
      bufferMs,
      bufferTargetMs: goalMs(player),
      segment: nextAtS === null ? null : positionOf(stream, nextAtS + PAST_S),
      segmentsLeft: live || lastMs === 0 ? null : segmentsBetween(endMs, lastMs, segmentMs),
      lastRung: stream && rungOf(offered, stream),
      liveLatencyMs: latencyMs > 0 ? latencyMs : null,
      playbackRate: player.getPlaybackRate(),
      ...audioBeside(player, offered),
    },
  };
}

/** Past the rounding of a segment's end. */
const PAST_S = 0.01;

function audioBeside(player: shaka.Player, offered: readonly Variant[]): Pick<Moment, 'audioBufferMs'> {
  const [first] = offered;
  if (!first?.video || !first.audio || first.audio.isAudioMuxedInVideo) return {};
  const { end } = player.getBufferedInfo().audio.at(-1) ?? { end: 0 };
  if (!player.isLive() && end > 0 && end >= player.seekRange().end - 0.5) return {};
  return { audioBufferMs: bufferMsOf(player, offered, 'audio') };
}

/** Of the byte ranges in a stream's index. Shaka loads the index of a stream when it is chosen first. */
function sizesOf(player: shaka.Player, stream: Stream | null): ReturnType<HostQuestion['sizesOf']> {
  const index = stream?.segmentIndex;
  if (!index || player.isLive()) return null;
  const sizesBytes = Array.from(index, (reference) => {
    const end = reference?.getEndByte() ?? null;
    return end === null ? null : end - reference!.getStartByte() + 1;
  });
  const from = player.getManifestType() === 'HLS' ? 'playlist' : 'sidx';
  return sizesBytes.some(Boolean) ? { from, firstSegment: 0, sizesBytes } : null;
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

interface Wait {
  /** Calls once, after so many ms; the newest wait replaces the one before. 0: none. */
  until(ms: number, act: () => void): void;
  stop(): void;
}

function createWait(): Wait {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    until(ms, act) {
      clearTimeout(timer);
      if (ms > 0) timer = setTimeout(act, ms);
    },
    stop: () => clearTimeout(timer),
  };
}
