import type { Answer, MediaType, Moment } from '../../abr/rule.ts';
import type { Track } from '../content.ts';
import type { Fetch, TrackJob } from './fetches.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** What a stream needs from the session around it. */
interface StreamSurroundings {
  readonly mediaType: MediaType;
  readonly track: Track;
  readonly settings: PlayerModelSettings;
  levelMs(mediaType: MediaType): number;
  /** Whether all segments of the track are loaded; also of a track that the session does not have. */
  isWhole(mediaType: MediaType): boolean;
  playheadMs(): number;
  /** Returns the live latency, ms; null when not live. */
  liveLatencyMs(): number | null;
  /** Requests a file; `attempt` counts from 0. */
  fetch(job: TrackJob, attempt: number): Fetch;
  abort(fetch: Fetch, because: 'aborted' | 'timeout'): void;
  /** Called when no attempt of a round has been answered in time. */
  failed(job: TrackJob): void;
  /** Called when rounds have failed for too long: playback ends. */
  gaveUp(job: TrackJob): void;
  /** Asks the rule; a rung that is not there is refused. */
  ask(moment: Moment): Answer;
  /** Called when the stream looked, and there is nothing to do yet. */
  looked(): void;
  /** Called when the choice led to this request; null: something else came first. */
  settled(fetch: Fetch | null): void;
}

/** Time between two looks whether the buffer has fallen to what a rule holds for (src/player/bridge/hold.ts). */
const HOLD_LOOK_MS = 50;

/** So often dash.js requests a segment (Settings.js of 5.2.1, retryAttempts), and so long after a failure, ms (retryIntervals). */
const ATTEMPTS = 4;
const RETRY_MS = 1000;
/**
 * After a round of them the page has the rule choose again, after so long, twice as long and so on, ms; playback ends when
 * a round fails so long after the first one that did (`src/player/failures/recover.ts`).
 */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const GIVE_UP_MS = 120_000;

/** What is requested, how often that has failed, and when it is requested again. */
interface Asked {
  readonly job: TrackJob;
  readonly attempt: number;
  /** Session time of the next attempt; null while the request is on its way. */
  readonly againMs: number | null;
}

/**
 * Fetches one track: looks whether a segment is due, has the rule choose, loads the init segment if that rung needs
 * one, then the segment, and looks again at once; when none is due, after a poll interval.
 */
export class Stream {
  #next = 0;
  /** The rung that the track is set to. */
  #rung: number;
  /** Rung whose init segment the decoder has; null before the first. */
  #initialised: number | null = null;
  readonly #cached = new Set<number>();
  #fetch: Fetch | null = null;
  /** What is requested now; null: nothing. */
  #asked: Asked | null = null;
  /** When the first round of attempts failed; null while media comes. */
  #troubleMs: number | null = null;
  #roundWaitMs = FIRST_WAIT_MS;
  #holdMs: number | null = null;
  #lookMs = 0;
  readonly #around: StreamSurroundings;

  constructor(around: StreamSurroundings) {
    this.#around = around;
    this.#rung = Math.min(around.settings.startRung, around.track.ladder.length - 1);
  }

  nextMs(): number {
    if (this.#fetch) return this.#dueMs(this.#fetch);
    if (this.#asked) return this.#asked.againMs ?? Infinity;
    return this.isWhole() ? Infinity : this.#lookMs;
  }

  /** Does what is due at this moment. */
  look(nowMs: number): void {
    if (this.#asked) return this.#watch(nowMs, this.#asked);
    if (this.isWhole() || nowMs < this.#lookMs) return;
    const waitMs = this.#waitMs(nowMs);
    if (waitMs === 0) this.#choose(nowMs);
    else this.#lookAgainIn(waitMs, nowMs);
  }

  /** Takes the arrival of the stream's own request. */
  arrived(nowMs: number): void {
    const { job } = this.#asked!;
    this.#fetch = null;
    this.#asked = null;
    this.#lookMs = nowMs;
    if (job.type === 'media') {
      this.#next += 1;
      this.#troubleMs = null;
      this.#roundWaitMs = FIRST_WAIT_MS;
    } else {
      this.#cached.add(job.rung);
      this.#initialised = job.rung;
      this.#request(job.rung);
    }
  }

  /** The rest of its segment is requested over another pathway. */
  goOn(fetch: Fetch): void {
    this.#fetch = fetch;
  }

  /** The rule begins anew: what it held for is decided again at once. */
  release(nowMs: number): void {
    if (this.#holdMs === null) return;
    this.#holdMs = null;
    this.#lookMs = nowMs;
    this.#around.settled(null);
  }

  /** The playhead jumped to where nothing is loaded: begins anew there. */
  restart(nowMs: number, toMs: number): void {
    this.stop();
    this.#holdMs = null;
    this.#next = Math.floor(toMs / this.#around.track.segmentMs);
    this.#lookMs = nowMs;
  }

  /** Gives up what is on its way. */
  stop(): void {
    if (this.#fetch) this.#around.abort(this.#fetch, 'aborted');
    this.#fetch = null;
    this.#asked = null;
    this.#around.settled(null);
  }

  /** Returns when a request times out; for one that is continued over another pathway, counted from its first part on. */
  #dueMs({ startMs, continues }: Fetch): number {
    return (continues?.startMs ?? startMs) + (this.#around.settings.timeoutMs ?? Infinity);
  }

  /** Gives up a request that takes too long, and makes it again. */
  #watch(nowMs: number, { job, attempt, againMs }: Asked): void {
    if (this.#fetch && nowMs >= this.#dueMs(this.#fetch)) {
      this.#around.abort(this.#fetch, 'timeout');
      this.#fetch = null;
      this.#asked = { job, attempt: attempt + 1, againMs: nowMs + RETRY_MS };
      if (attempt + 1 === ATTEMPTS) this.#endRound(nowMs, job);
    } else if (againMs !== null && nowMs >= againMs) this.#ask(job, attempt);
  }

  #endRound(nowMs: number, job: TrackJob): void {
    this.#asked = null;
    this.#around.failed(job);
    this.#troubleMs ??= nowMs;
    if (nowMs - this.#troubleMs >= GIVE_UP_MS) return this.#around.gaveUp(job);
    this.#lookMs = nowMs + this.#roundWaitMs;
    this.#roundWaitMs = Math.min(2 * this.#roundWaitMs, LONGEST_WAIT_MS);
  }

  #ask(job: TrackJob, attempt: number): void {
    this.#asked = { job, attempt, againMs: null };
    this.#fetch = this.#around.fetch(job, attempt);
  }

  /** Tells whether all segments from the playhead on are loaded. */
  isWhole(): boolean {
    return this.#next >= this.#around.track.segments;
  }

  /** Returns how long to wait until a segment can be asked for; 0: one can be asked for now. */
  #waitMs(nowMs: number): number {
    const { settings, track } = this.#around;
    const availableMs = settings.live
      ? settings.playAtMs + (this.#next + 1) * track.segmentMs - settings.live.delayMs
      : 0;
    if (availableMs > nowMs) return availableMs - nowMs;
    if (this.#holdMs !== null) return holdLeftMs(this.#levels().levelMs, this.#holdMs);
    return isDue(settings, this.#levels()) ? 0 : settings.pollMs;
  }

  #lookAgainIn(waitMs: number, nowMs: number): void {
    this.#lookMs = nowMs + waitMs;
    this.#around.looked();
  }

  #choose(nowMs: number): void {
    const moment = this.#moment(nowMs);
    const { rung, holdUntilBufferMs } = this.#around.ask(moment);
    this.#rung = rung;
    this.#holdMs = holdUntilBufferMs ?? null;
    const leftMs = this.#holdMs === null ? 0 : holdLeftMs(moment.bufferMs, this.#holdMs);
    if (leftMs > 0) return this.#lookAgainIn(leftMs, nowMs);
    this.#holdMs = null;
    this.#request(rung);
  }

  /** Requests a segment, and before it the init segment where the decoder needs one that is not in the cache. */
  #request(rung: number): void {
    const { track, settings, mediaType } = this.#around;
    const initBytes = track.initBytes?.[rung] ?? null;
    const isCached = settings.cacheInitSegments && this.#cached.has(rung);
    const isReady = initBytes === null || isCached || this.#initialised === rung;
    if (isReady) this.#initialised = rung;
    const what = isReady
      ? { type: 'media' as const, segment: this.#next, sizeBytes: track.sizesBytes[rung]![this.#next]! }
      : { type: 'init' as const, segment: null, sizeBytes: initBytes };
    this.#ask({ mediaType, rung, ...what }, 0);
    if (isReady) this.#around.settled(this.#fetch);
  }

  #levels() {
    const { mediaType, track, levelMs } = this.#around;
    const videoLevelMs = levelMs('video');
    return { mediaType, track, rung: this.#rung, levelMs: levelMs(mediaType), videoLevelMs };
  }

  #moment(nowMs: number): Moment {
    const { mediaType, track, settings, levelMs, isWhole, playheadMs, liveLatencyMs } = this.#around;
    const levels = this.#levels();
    const hasAudioBeside = mediaType === 'video' && !isWhole('audio');
    return {
      nowMs,
      playheadMs: playheadMs(),
      bufferMs: levels.levelMs,
      bufferTargetMs: bufferTargetMsOf(settings, levels),
      segment: this.#next,
      segmentsLeft: settings.live ? null : track.segments - this.#next,
      lastRung: this.#rung,
      liveLatencyMs: liveLatencyMs(),
      playbackRate: 1,
      ...(hasAudioBeside && { audioBufferMs: levelMs('audio') }),
    };
  }
}

/** Returns the time until the buffer will have fallen to the hold, in steps of looking; 0 when it has. */
const holdLeftMs = (levelMs: number, holdMs: number): number =>
  levelMs > holdMs ? Math.ceil((levelMs - holdMs) / HOLD_LOOK_MS) * HOLD_LOOK_MS : 0;

/** How far dash.js lets audio run ahead of video. */
const AUDIO_LEAD_MS = 1000;

interface Levels {
  readonly mediaType: MediaType;
  readonly track: Track;
  readonly rung: number;
  readonly levelMs: number;
  readonly videoLevelMs: number;
}

/** How much a track may buffer (ScheduleController.js of dash.js 5.2.1, getBufferTarget), ms. */
function bufferTargetMsOf(settings: PlayerModelSettings, levels: Levels): number {
  const { mediaType, track, rung, videoLevelMs } = levels;
  if (mediaType === 'audio') return Math.max(videoLevelMs + AUDIO_LEAD_MS, track.segmentMs);
  return rung === track.ladder.length - 1 ? settings.bufferTargetAtTopMs : settings.bufferTargetMs;
}

/**
 * Whether the next segment is due (the same, _shouldBuffer): it must still fit under the target, unless the target is
 * smaller than a segment. Audio beside video need not fit.
 */
function isDue(settings: PlayerModelSettings, levels: Levels): boolean {
  const { mediaType, track, levelMs } = levels;
  const targetMs = bufferTargetMsOf(settings, levels);
  const counts = mediaType === 'video' && targetMs > track.segmentMs;
  return levelMs + (counts ? track.segmentMs : 0) < targetMs;
}
