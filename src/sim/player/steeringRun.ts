import type { PathwayChange } from '../../abr/ruleInput.ts';
import { createSteeringActor, type SteeringActor } from '../../steering/actor.ts';
import type { SteeringAnswer } from '../../steering/policy.ts';
import {
  MAX_COMPARED_BYTES,
  MAX_COMPARISON_MS,
  MAX_PROBE_MS,
  SAMPLE_AFTER_MS,
  SAMPLE_EVERY_MS,
  type SteeringInput,
  type SteeringSample,
} from '../../steering/steeringSession.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { Draft, ErrorEvent } from '../../telemetry/event.ts';
import type { SimFetch } from '../log/simRequest.ts';
import type { Scene } from '../model.ts';
import { ALPN } from './fetchRecord.ts';
import type { Fetch, Fetches, ProbeJob, TrackJob } from './fetches.ts';
import { PATHWAYS, pathwayOf, settingsOver, type PathwayId } from './pathways.ts';
import type { PlayerLog } from './playerLog.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

type Outcome = SimFetch['outcome'];

/** What steering needs from the session around it. */
interface SteeringSurroundings {
  readonly scene: Scene;
  readonly settings: PlayerModelSettings;
  readonly fetches: Pick<Fetches, 'start' | 'abort' | 'isRunning' | 'bytesOf'>;
  readonly log: PlayerLog | null;
  nowMs(): number;
  /** Media ahead of the playhead: the shortest of the buffers. */
  bufferMs(): number;
  /** Called when the requests to come go over another pathway. */
  onPathway(change: PathwayChange): void;
  /** Called when a media request was aborted, and `rest` requests what is missing of its body. */
  onContinued(part: Fetch, rest: Fetch): void;
}

/** A request for measurement alone, and when it is given up. */
interface Measurement {
  readonly fetch: Fetch;
  readonly dueMs: number;
}

/**
 * A steering policy at work in the player model. It does what `src/player/steering` does, at the same moments:
 *
 *     first file ─ the same bytes over `tcp` ─ the policy begins ─ asked before each media request and five times a second
 *                                                     └ a probe beside media, a request continued over the other pathway
 */
export class SteeringRun {
  readonly #actor: SteeringActor;
  /** Media requests, in the order of their starts; a continued one has the place of its first part. */
  readonly #running: Fetch[] = [];
  #comparison: Measurement | null = null;
  #hasCompared = false;
  #probe: Measurement | null = null;
  /** What probes ask for: the latest video segment that came, before that the first segment of all. */
  #file: TrackJob | null = null;
  #sampleMs = Infinity;
  #unnamed = 0;
  readonly #ids = new WeakMap<Fetch, string>();
  readonly #around: SteeringSurroundings;

  constructor(around: SteeringSurroundings) {
    this.#around = around;
    const { scene, settings, log, nowMs, onPathway } = around;
    this.#actor = createSteeringActor(settings.steering!.policy, scene.seed, {
      nowMs,
      record: (draft) => log?.log.record(draft),
      // In a laboratory a policy that fails ends the session: nobody should compare what it did not decide.
      onFault(message) {
        throw new Error(message);
      },
      beginProbe: (probe) => this.#beginProbe(probe),
      rescue: (requestId) => this.#runningMedia(requestId) !== null,
      onPathway,
      firstOfOrder: () => null,
    });
  }

  /** The pathway of the next request. */
  pathway(): PathwayId {
    return pathwayOf(this.#actor.pathway() ?? 'main');
  }

  nextMs(): number {
    return Math.min(this.#sampleMs, this.#comparison?.dueMs ?? Infinity, this.#probe?.dueMs ?? Infinity);
  }

  /** Does what is due at this moment: a look at what runs, and the end of a measurement that took too long. */
  look(nowMs: number): void {
    for (const measurement of [this.#comparison, this.#probe])
      if (measurement && measurement.dueMs <= nowMs) this.#giveUp(measurement.fetch, 'timeout');
    if (nowMs >= this.#sampleMs) this.#look(nowMs);
  }

  /** A media request is about to be sent. */
  askBefore(): void {
    this.#sample([]);
  }

  /** A media request is out. */
  began(fetch: Fetch): void {
    this.#running.push(fetch);
    this.#file ??= fetch.job as TrackJob;
    this.#tellBegan(fetch);
    this.#keepLooking();
  }

  /** A file of a track has come whole: the first one is compared. */
  fileCame(job: TrackJob): void {
    if (job.type === 'media' && job.mediaType === 'video') this.#file = job;
    if (this.#hasCompared) return;
    this.#hasCompared = true;
    const bytes = Math.min(MAX_COMPARED_BYTES, this.#sizeOf(job));
    this.#comparison = this.#measure('tcp', { bytes, job, lastsMs: MAX_COMPARISON_MS });
  }

  /** A media request is over, or the part of one that is continued. */
  ended(fetch: Fetch, outcome: Outcome): void {
    const at = this.#running.indexOf(fetch);
    if (at >= 0) this.#running.splice(at, 1);
    this.#tellEnded(fetch, outcome);
  }

  /** Takes a measurement that has arrived. */
  measured(fetch: Fetch): void {
    this.#endMeasurement(fetch, 'ok');
  }

  /** Gives up the running measurements: the session is over. */
  stop(): void {
    for (const measurement of [this.#comparison, this.#probe])
      if (measurement) this.#giveUp(measurement.fetch, 'aborted');
  }

  /** The pathways have been compared: from here on the policy chooses. */
  #start(pathways: typeof PATHWAYS): void {
    this.#actor.start(pathways, null);
    // What was sent while the pathways were compared is news to the policy.
    for (const fetch of this.#running) this.#tellBegan(fetch);
    this.#sample([]);
    this.#keepLooking();
  }

  #keepLooking(): void {
    if (this.#sampleMs === Infinity) this.#sampleMs = this.#around.nowMs() + SAMPLE_EVERY_MS;
  }

  #look(nowMs: number): void {
    const isBusy = this.#running.length > 0 || this.#probe !== null;
    const isOld = this.#running.some((fetch) => nowMs - startOf(fetch) >= SAMPLE_AFTER_MS);
    this.#sampleMs = isBusy ? nowMs + SAMPLE_EVERY_MS : Infinity;
    if (this.#probe === null && !isOld) return;
    const probes = this.#probe ? [this.#probe.fetch] : [];
    this.#sample([...this.#running, ...probes].map((fetch) => this.#progressOf(fetch)));
  }

  #progressOf(fetch: Fetch): SteeringSample['progress'][number] {
    const isAnnounced = fetch.firstByteMs !== null || (fetch.continues?.firstByteMs ?? null) !== null;
    return {
      requestId: this.#idOf(fetch),
      bytes: this.#around.fetches.bytesOf(fetch),
      totalBytes: isAnnounced ? fetch.job.sizeBytes : null,
    };
  }

  #sample(progress: SteeringSample['progress']): void {
    const atMs = this.#around.nowMs();
    const bufferMs = Math.round(this.#around.bufferMs());
    this.#tell({ kind: 'sample', atMs, progress, bufferMs, ...bitratesOf(this.#around.scene) });
  }

  #tell(input: SteeringInput): void {
    const answer = this.#actor.tell(input);
    if (!answer) return;
    const part = answer.rescue === undefined ? null : this.#runningMedia(answer.rescue);
    const ending = this.#probe?.fetch;
    if (ending && this.#isNamed(ending, answer.endProbe)) this.#giveUp(ending, 'aborted');
    if (part) this.#continue(part, pathwayOf(answer.pathway));
  }

  #tellBegan(fetch: Fetch): void {
    const purpose = fetch.job.type === 'probe' ? 'probe' : 'media';
    const { pathway } = fetch;
    this.#tell({
      kind: 'began',
      atMs: this.#around.nowMs(),
      requestId: this.#idOf(fetch),
      pathway,
      purpose,
    });
  }

  #tellEnded(fetch: Fetch, outcome: Outcome): void {
    const { job, pathway, startMs, firstByteMs, receivedBytes, connection, opened } = fetch;
    const atMs = this.#around.nowMs();
    const { protocol } = settingsOver(this.#around.settings, pathway);
    this.#tell({
      kind: 'ended',
      atMs,
      requestId: this.#idOf(fetch),
      pathway,
      purpose: job.type === 'probe' ? 'probe' : 'media',
      outcome: outcome === 'timeout' ? 'failed' : outcome,
      bytes: receivedBytes,
      startMs,
      firstByteMs,
      lastByteMs: atMs,
      protocol: ALPN[protocol],
      connectionReused: connection && !opened,
    });
  }

  /** A request that is in flight, and not continued yet: that is possible once. null where it is too late. */
  #runningMedia(id: string): Fetch | null {
    const named = this.#running.find((fetch) => this.#isNamed(fetch, id));
    return named && named.continues === null ? named : null;
  }

  #isNamed(fetch: Fetch, id: string | undefined): boolean {
    return id !== undefined && this.#idOf(fetch) === id && this.#around.fetches.isRunning(fetch);
  }

  /** Aborts a media request, and requests what is missing of its body over this pathway. */
  #continue(part: Fetch, pathway: PathwayId): void {
    const { fetches, onContinued } = this.#around;
    fetches.abort(part);
    const job = part.job as TrackJob;
    const missing = { ...job, sizeBytes: job.sizeBytes - part.receivedBytes };
    const rest = fetches.start(missing, { pathway, continues: part, attempt: part.attempt });
    this.#running[this.#running.indexOf(part)] = rest;
    onContinued(part, rest);
    this.#tellBegan(rest);
  }

  #beginProbe({ pathway, bytes }: NonNullable<SteeringAnswer['probe']>): boolean {
    if (this.#probe || !this.#file) return false;
    this.#probe = this.#measure(pathwayOf(pathway), { bytes, job: this.#file, lastsMs: MAX_PROBE_MS });
    this.#tellBegan(this.#probe.fetch);
    this.#keepLooking();
    return true;
  }

  /** Requests the first bytes of a file; a file that is shorter is all that comes. */
  #measure(
    pathway: PathwayId,
    { bytes, job, lastsMs }: { bytes: number; job: TrackJob; lastsMs: number },
  ): Measurement {
    const { mediaType, rung, segment } = job;
    const probe: ProbeJob = {
      type: 'probe',
      mediaType: null,
      segment: null,
      rung: null,
      rangeBytes: bytes,
      sizeBytes: Math.min(bytes, this.#sizeOf(job)),
      file: { mediaType, rung, segment },
    };
    const fetch = this.#around.fetches.start(probe, { pathway });
    return { fetch, dueMs: this.#around.nowMs() + lastsMs };
  }

  #giveUp(fetch: Fetch, outcome: Outcome): void {
    if (!this.#around.fetches.isRunning(fetch)) return;
    this.#around.fetches.abort(fetch);
    this.#endMeasurement(fetch, outcome);
  }

  #endMeasurement(fetch: Fetch, outcome: Outcome): void {
    const { log, nowMs } = this.#around;
    log?.fetched(fetch, nowMs(), outcome);
    if (fetch !== this.#comparison?.fetch) {
      this.#probe = null;
      return this.#tellEnded(fetch, outcome);
    }
    this.#comparison = null;
    if (outcome === 'timeout') log?.log.record(leftOutDraft(nowMs()));
    if (outcome !== 'aborted') this.#start(outcome === 'ok' ? PATHWAYS : PATHWAYS.slice(0, 1));
  }

  /** Returns the size of the whole file, also where a request is for the rest of it. */
  #sizeOf({ mediaType, rung, segment, sizeBytes }: TrackJob): number {
    const { video, audio } = this.#around.scene.content;
    const track = mediaType === 'audio' && audio ? audio : video;
    return segment === null ? sizeBytes : track.sizesBytes[rung]![segment]!;
  }

  #idOf(fetch: Fetch): string {
    const { log } = this.#around;
    if (log) return log.idOf(fetch);
    const id = this.#ids.get(fetch) ?? `r${(this.#unnamed += 1)}`;
    this.#ids.set(fetch, id);
    return id;
  }
}

/** When a request was made, its first part where it is continued. */
const startOf = ({ startMs, continues }: Fetch): number => continues?.startMs ?? startMs;

/** Sums of the lowest and of the highest bitrates of video and audio. */
function bitratesOf({ content }: Scene): Pick<SteeringSample, 'lowestKbps' | 'highestKbps'> {
  const { video, audio } = content;
  const ladders = [video, ...(audio ? [audio] : [])].map(({ ladder }) =>
    ladder.map(({ bitrateKbps }) => bitrateKbps),
  );
  const sum = (of: (...rates: number[]) => number): number =>
    ladders.reduce((total, rates) => total + of(...rates), 0);
  return { lowestKbps: sum(Math.min), highestKbps: sum(Math.max) };
}

/** A pathway did not answer before it was to be used. */
const leftOutDraft = (atMs: number): Draft<ErrorEvent> =>
  errorDraft({
    atMs,
    source: 'player',
    code: 'pathway',
    message: 'The pathway tcp is left out: it did not answer in time.',
  });
