import { type SimModel, type Outcome, type Scene, refuseScene } from '../model.ts';
import { createChunkLog, type ChunkObserver } from './chunkLog.ts';
import type { DownloadEvent, Moment, RuleContext, RuleEvent } from '../../abr/rule.ts';
import { isStall } from '../../shared/stalls.ts';
import type { Track } from '../content.ts';
import { knownFromStart } from '../log/simEvents.ts';
import { CHUNK_RULES, createChunkWorld, type ChunkWorld } from './chunkWorld.ts';

/**
 * Pensieve's public test environment (fixed_env.py of github.com/hongzimao/pensieve; numbers in `CHUNK_RULES`), for
 * comparison with published scores. Video only, one segment after the other. The first segment's rung is fixed; the
 * environment knows no wait that a rule asks for, so `holdUntilBufferMs` has no effect.
 */
export const chunkModel: SimModel = {
  id: 'chunk',
  label: 'chunk model',
  meaning:
    "Pensieve's environment: video only, 80 ms + bytes / (0.95 × rate) a segment, buffer up to 60 s, first level fixed",
  simulate: (scene) => playChunks(scene, null),
  record(scene) {
    const log = createChunkLog(scene, chunkModel.id);
    const outcome = playChunks(scene, log);
    return { outcome, log: log.finish() };
  },
};

/**
 * Plays a scene in Pensieve's environment. One loop with or without an observer: a log cannot change an outcome.
 * Throws what the rule throws, and one sentence when it answers a rung that is not there.
 */
export function playChunks(scene: Scene, observer: ChunkObserver | null): Outcome {
  refuseScene(scene);
  const { trace, content, rule, seed } = scene;
  const track = content.video;
  const world = createChunkWorld(trace, content);
  const rungs = new Uint8Array(track.segments);
  const waitMs = new Float64Array(track.segments);
  let state = rule.start(contextOf(track, seed));
  const tell = (event: RuleEvent): void => {
    state = rule.observe(state, event);
    if (observer) observer.input(event);
  };
  for (const event of knownFromStart(track)) tell(event);
  let rung = Math.min(CHUNK_RULES.firstRung, track.ladder.length - 1);
  let startMs = 0;
  for (let segment = 0; ; segment += 1) {
    world.step(rung);
    const { stallMs, sleepMs } = world;
    const download = downloadOf(world, track, { segment, rung, startMs });
    const arrivedMs = download.lastByteMs;
    rungs[segment] = rung;
    waitMs[segment] = stallMs;
    if (observer) observer.fetched(world, download);
    tell(download);
    if (stallMs > 0 && segment > 0) tell({ kind: 'stall', atMs: arrivedMs - stallMs, durationMs: stallMs });
    if (world.done) return { rungs, waitMs, stalls: stallsIn(waitMs), durationMs: arrivedMs };
    if (sleepMs > 0) tell({ kind: 'idle', atMs: arrivedMs, durationMs: sleepMs });
    startMs = arrivedMs + sleepMs;
    const moment = momentOf(world, track, startMs, rung);
    const answer = rule.decide(state, moment);
    if (track.ladder[answer.rung] === undefined)
      throw new Error(
        `The rule ${rule.id} returned the index ${answer.rung}; the levels have the indices 0 to ${track.ladder.length - 1}.`,
      );
    if (observer) observer.decided(moment, answer);
    rung = answer.rung;
  }
}

/** The wait of the first segment is the join time. */
const stallsIn = (waitMs: Float64Array): number => waitMs.subarray(1).filter((ms) => isStall(ms)).length;

/** Every size is known from the start, those beyond the last segment played too. */
function contextOf({ ladder, segmentMs, sizesBytes }: Track, seed: number): RuleContext {
  return {
    mediaType: 'video',
    ladder,
    segmentMs,
    live: false,
    seed,
    sizeBytes: (segment, rung) => sizesBytes[rung]?.[segment] ?? null,
    sizesFrom: () => 'table',
  };
}

function downloadOf(
  { sizeBytes, delayMs }: ChunkWorld,
  { ladder }: Track,
  { segment, rung, startMs }: { segment: number; rung: number; startMs: number },
): DownloadEvent {
  return {
    kind: 'download',
    mediaType: 'video',
    segment,
    rung,
    bitrateKbps: ladder[rung]!.bitrateKbps,
    sizeBytes,
    startMs,
    firstByteMs: startMs + CHUNK_RULES.rttMs,
    lastByteMs: startMs + delayMs,
    protocol: null,
    connectionReused: null,
    aborted: false,
  };
}

function momentOf(
  { segment, bufferMs }: ChunkWorld,
  { segments, segmentMs }: Track,
  nowMs: number,
  lastRung: number,
): Moment {
  return {
    nowMs,
    playheadMs: segment * segmentMs - bufferMs,
    bufferMs,
    // It goes on at the cap, so that a segment more than that has to fit.
    bufferTargetMs: CHUNK_RULES.bufferCapMs + segmentMs,
    segment,
    segmentsLeft: segments - segment,
    lastRung,
    liveLatencyMs: null,
    playbackRate: 1,
  };
}
