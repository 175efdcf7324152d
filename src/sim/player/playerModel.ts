import { type SimModel, type Outcome, type Scene, refuseScene } from '../model.ts';
import { createPlayerLog, type PlayerLog } from './playerLog.ts';
import { faultOfSettings, playerModelDefaults, type PlayerModelSettings } from './playerModelSettings.ts';
import type { MediaType } from '../../abr/rule.ts';
import type { Track } from '../content.ts';
import { createBuffers, Playback, type Viewer } from './playback.ts';
import type { SimFetch } from '../log/simRequest.ts';
import { downloadOf } from './fetchRecord.ts';
import { createFetches, type Fetch, type TrackJob } from './fetches.ts';
import { createTrackRunners, type TrackRunners } from './trackRunners.ts';
import { SteeringRun } from './steeringRun.ts';
import { Stream } from './stream.ts';

/** The player model with other settings than its defaults. Throws one sentence when nothing can be played with them. */
export function playerModelWith(changes: Partial<PlayerModelSettings>): SimModel {
  const settings = { ...playerModelDefaults, ...changes };
  const fault = faultOfSettings(settings);
  if (fault) throw new Error(fault);
  return {
    id: 'player',
    label: 'player model',
    meaning:
      'a dash.js player: handshakes, request latency, init segments, audio, 500 ms polls, waits, seeks, live; join time is no stall',
    simulate: (scene) => playSession(scene, settings, null).outcome,
    record(scene) {
      const log = createPlayerLog(scene, settings, 'player');
      const { outcome, endMs } = playSession(scene, settings, log);
      return { outcome, log: log.finish(endMs) };
    },
  };
}

export const playerModel: SimModel = playerModelWith({});

/**
 * Plays a scene as a player does. Event-driven: the clock jumps from one moment at which something is due to the next.
 *
 *     arrivals ▶ buffers ▶ playhead (starts, stalls, ends) ▶ streams (look, ask the rule, request) ▶ next moment
 *
 * One loop with and without a log, so that a log cannot change an outcome. Throws what the rule throws.
 */
function playSession(
  scene: Scene,
  settings: PlayerModelSettings,
  log: PlayerLog | null,
): { readonly outcome: Outcome; readonly endMs: number } {
  refuseScene(scene);
  const session = new Session(scene, settings, log);
  while (!session.step());
  return { outcome: session.outcome(), endMs: session.endMs };
}

class Session {
  #nowMs = 0;
  #lastArrivalMs = 0;
  /** Nothing has come for too long. */
  #gaveUp = false;
  /** What the first segment waits for: the manifest, where there is one. */
  #isOpen = false;
  readonly #fetches;
  readonly #buffers;
  readonly #runners: TrackRunners;
  readonly #playback: Playback;
  readonly #streams = new Map<MediaType, Stream>();
  readonly #steering: SteeringRun | null;
  readonly #seeks;
  readonly #scene: Scene;
  readonly #settings: PlayerModelSettings;
  readonly #log: PlayerLog | null;

  constructor(scene: Scene, settings: PlayerModelSettings, log: PlayerLog | null) {
    this.#scene = scene;
    this.#settings = settings;
    this.#log = log;
    this.#fetches = createFetches(scene.trace, settings);
    this.#buffers = createBuffers(scene.content);
    this.#runners = createTrackRunners(scene, settings.live !== null, log);
    const viewer = viewerOf(this.#runners, log);
    this.#playback = new Playback(scene.content, this.#buffers, { viewer, playAtMs: settings.playAtMs });
    this.#steering = settings.steering && this.#createSteering();
    this.#seeks = settings.seeks.toSorted((one, other) => one.atMs - other.atMs);
    this.#add('video', scene.content.video);
    if (scene.content.audio) this.#add('audio', scene.content.audio);
    this.#goTo(settings.playAtMs);
    this.#load('manifest', scene.content.manifestBytes);
  }

  /** Does all that is due now and moves the clock on; true when playback has ended. */
  step(): boolean {
    for (const fetch of this.#fetches.arrived()) this.#arrived(fetch);
    this.#seekIfDue();
    this.#playback.settle();
    if (this.#playback.hasEnded) return this.#stop();
    if (this.#nowMs >= this.#endDueMs()) return this.#stop();
    this.#steering?.look(this.#nowMs);
    if (this.#isOpen) for (const stream of this.#streams.values()) stream.look(this.#nowMs);
    if (this.#gaveUp) return this.#stop();
    const dueMs = this.#nextMs();
    if (dueMs === Infinity) throw new Error('The player model stands still: nothing is due any more.');
    this.#goTo(dueMs);
    return false;
  }

  get endMs(): number {
    return this.#nowMs;
  }

  outcome(): Outcome {
    const { shown, stalls } = this.#playback;
    return {
      rungs: Uint8Array.from(shown, ({ rung }) => rung),
      waitMs: Float64Array.from(shown, ({ waitMs }) => waitMs),
      stalls,
      durationMs: this.#lastArrivalMs - this.#settings.playAtMs,
    };
  }

  /** What is still on its way (audio beyond the end of the video) is given up. */
  #stop(): true {
    this.#playback.stop();
    for (const stream of this.#streams.values()) stream.stop();
    this.#steering?.stop();
    return true;
  }

  #nextMs(): number {
    const timers = [this.#fetches.nextMs(), this.#playback.nextMs(), this.#nextSeekMs(), this.#endDueMs()];
    if (this.#steering) timers.push(this.#steering.nextMs());
    if (this.#isOpen) for (const stream of this.#streams.values()) timers.push(stream.nextMs());
    return Math.max(this.#nowMs, Math.min(...timers));
  }

  #goTo(atMs: number): void {
    this.#nowMs = atMs;
    this.#fetches.advanceTo(atMs);
    this.#playback.advanceTo(atMs);
  }

  /** When the session is cut off; the first frame may still be to come. */
  #endDueMs(): number {
    const { startedMs } = this.#playback;
    return startedMs === null ? Infinity : startedMs + (this.#settings.playMs ?? Infinity);
  }

  /** A file about the whole stream; without a manifest the stream is there at once. */
  #load(type: 'manifest' | 'index', sizeBytes: number | undefined): void {
    if (sizeBytes !== undefined)
      this.#fetches.start({ type, mediaType: null, segment: null, rung: null, sizeBytes });
    else if (type === 'manifest') this.#isOpen = true;
  }

  #arrived(fetch: Fetch): void {
    const { job } = fetch;
    if (job.type === 'probe') return this.#steering?.measured(fetch);
    if (job.mediaType === null) {
      this.#log?.fetched(fetch, this.#nowMs, 'ok');
      if (job.type === 'index') return;
      this.#isOpen = true;
      return this.#load('index', this.#scene.content.sizesFileBytes);
    }
    const { type, mediaType, segment, rung } = job;
    this.#lastArrivalMs = this.#nowMs;
    this.#ended(fetch, 'ok');
    if (type === 'media') {
      this.#writeLevel(mediaType);
      this.#buffers.append(mediaType, segment!, rung);
      this.#writeLevel(mediaType);
    }
    this.#steering?.fileCame(job);
    this.#streams.get(mediaType)!.arrived(this.#nowMs);
  }

  /** Records a request that is over, and reports what it carried to the rules. */
  #ended(fetch: Fetch, outcome: SimFetch['outcome']): void {
    const job = fetch.job as TrackJob;
    const { type, mediaType } = job;
    const atMs = this.#nowMs;
    this.#log?.fetched(fetch, atMs, outcome);
    this.#runners.busyUntil(mediaType, atMs);
    if (type !== 'media') return;
    if (fetch.receivedBytes > 0) {
      const download = downloadOf(this.#scene, this.#settings, { fetch, job, outcome, atMs });
      this.#runners.tellAll(download, atMs, this.#steering ? fetch.pathway : undefined);
    }
    this.#steering?.ended(fetch, outcome);
  }

  /** A segment is requested over the pathway that the policy chooses now, an init segment over the present one. */
  #request(job: TrackJob, attempt: number): Fetch {
    const steering = this.#steering;
    if (!steering) return this.#fetches.start(job, { attempt });
    if (job.type === 'media') steering.askBefore();
    const fetch = this.#fetches.start(job, { pathway: steering.pathway(), attempt });
    if (job.type === 'media') steering.began(fetch);
    return fetch;
  }

  #createSteering(): SteeringRun {
    const levelMs = (mediaType: MediaType): number =>
      this.#buffers.levelMs(mediaType, this.#playback.playheadMs);
    return new SteeringRun({
      scene: this.#scene,
      settings: this.#settings,
      fetches: this.#fetches,
      log: this.#log,
      nowMs: () => this.#nowMs,
      bufferMs: () => Math.min(...[...this.#streams.keys()].map(levelMs)),
      onPathway: (change) => {
        this.#runners.usePathway(change, this.#nowMs);
        for (const stream of this.#streams.values()) stream.release(this.#nowMs);
      },
      onContinued: (part, rest) => {
        this.#ended(part, 'aborted');
        this.#streams.get((part.job as TrackJob).mediaType)!.goOn(rest);
      },
    });
  }

  /** The viewer cannot jump before the first frame. */
  #nextSeekMs(): number {
    return this.#playback.hasStarted ? (this.#seeks[0]?.atMs ?? Infinity) : Infinity;
  }

  #seekIfDue(): void {
    if (this.#nextSeekMs() > this.#nowMs) return;
    const { toMs: wantedMs } = this.#seeks.shift()!;
    const fromMs = this.#playback.playheadMs;
    const toMs = Math.min(wantedMs, this.#lastPlaceMs());
    this.#playback.jump(toMs);
    this.#runners.tellAll({ kind: 'seek', atMs: this.#nowMs, toMs }, this.#nowMs);
    for (const [mediaType, stream] of this.#streams)
      if (!this.#buffers.jump(mediaType, fromMs, toMs)) stream.restart(this.#nowMs, toMs);
  }

  /** The latest place to jump to: the last ms of the video, or as far behind the live edge as play began. */
  #lastPlaceMs(): number {
    const { segments, segmentMs } = this.#scene.content.video;
    const endMs = segments * segmentMs - 1;
    return this.#settings.live ? Math.min(endMs, this.#nowMs - this.#settings.playAtMs) : endMs;
  }

  #writeLevel(mediaType: MediaType): void {
    const levelMs = this.#buffers.levelMs(mediaType, this.#playback.playheadMs);
    this.#log?.level(mediaType, this.#nowMs, levelMs);
  }

  #add(mediaType: MediaType, track: Track): void {
    const { live, playAtMs } = this.#settings;
    const playheadMs = (): number => this.#playback.playheadMs;
    const stream = new Stream({
      mediaType,
      track,
      settings: this.#settings,
      levelMs: (which) => this.#buffers.levelMs(which, playheadMs()),
      isWhole: (which) => this.#streams.get(which)?.isWhole() ?? true,
      playheadMs,
      liveLatencyMs: () => live && live.delayMs + this.#nowMs - playAtMs - playheadMs(),
      fetch: (job, attempt) => this.#request(job, attempt),
      abort: (fetch, because) => {
        this.#fetches.abort(fetch);
        this.#ended(fetch, because);
      },
      failed: (job) => this.#log?.failed(job, this.#nowMs),
      gaveUp: (job) => {
        this.#gaveUp = true;
        this.#log?.gaveUp(job, this.#nowMs);
      },
      ask: (moment) => {
        this.#writeLevel(mediaType);
        return this.#runners.ask(mediaType, moment);
      },
      looked: () => this.#writeLevel(mediaType),
      settled: (fetch) => this.#log?.settled(mediaType, fetch),
    });
    this.#streams.set(mediaType, stream);
  }
}

/** The rules receive stalls; the log receives everything. */
function viewerOf(runners: TrackRunners, log: PlayerLog | null): Viewer {
  return {
    playing: (atMs, playheadMs) => log?.playing(atMs, playheadMs),
    waiting: (atMs, playheadMs) => log?.waiting(atMs, playheadMs),
    ended: (atMs, playheadMs) => log?.ended(atMs, playheadMs),
    shown: (atMs, rung) => log?.shown(atMs, rung),
    sought: (seek) => log?.sought(seek),
    stopped: (atMs, playheadMs) => log?.stopped(atMs, playheadMs),
    stalled(stall) {
      log?.stalled(stall);
      const { atMs, durationMs } = stall;
      runners.tellAll({ kind: 'stall', atMs, durationMs }, atMs + durationMs);
    },
  };
}
