import { checkedAnswer } from '../../abr/answer.ts';
import type { Answer, DownloadEvent, Moment, RuleEvent } from '../../abr/rule.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { playbackDraft, switchRequested, switchRendered } from '../log/simEvents.ts';
import { createSimLog, type SimLog } from '../log/simLog.ts';
import type { SimFetch } from '../log/simRequest.ts';
import type { Scene } from '../model.ts';
import type { ChunkWorld } from './chunkWorld.ts';
import type { Track } from '../content.ts';

/** Somebody who writes down what happens, in the order in which it happens: the log. */
export interface ChunkObserver {
  decided(moment: Moment, answer: Answer): void;
  /** A segment arrived; `world` has its outcome. */
  fetched(world: ChunkWorld, download: DownloadEvent): void;
  /** The rule received this event. */
  input(event: RuleEvent): void;
}

/** Writes the session log of the chunk model while it plays: a decision, its request, what came of it. */
export function createChunkLog(scene: Scene, model: string): ChunkObserver & { finish(): SessionLog } {
  const track = scene.content.video;
  const log = createSimLog(scene, { model, settings: null, transport: null, steering: null });
  const screen = createChunkScreen(log, track);
  const bufferAt = (atMs: number, levelMs: number): void =>
    log.record({ kind: 'buffer', atMs, mediaType: 'video', levelMs: Math.max(0, levelMs), missing: {} });
  const switched = (atMs: number, fromRung: number | null, toRung: number, reason: string): void => {
    if (fromRung !== toRung)
      log.record(switchRequested({ atMs, mediaType: 'video', fromRung, toRung }, track, reason));
  };
  let requestId = log.reserveId('request');
  log.record(playbackDraft('play-requested', { atMs: 0, playheadMs: 0 }));
  return {
    decided(moment, answer) {
      const checked = checkedAnswer(answer, track.ladder.length);
      if (!checked.ok) throw new Error(`The rule ${scene.rule.id} cannot play: ${checked.error}.`);
      screen.showUntil(moment.nowMs);
      bufferAt(moment.nowMs, moment.bufferMs);
      const inputId = log.inputId('video');
      log.decided({ mediaType: 'video', moment, answer: checked.value, inputId }, requestId);
      switched(moment.nowMs, moment.lastRung, answer.rung, scene.rule.id);
    },
    fetched({ bufferMs, sleepMs, stallMs, segment }, download) {
      if (segment === 1) switched(download.startMs, null, download.rung, FIRST);
      log.fetched(fetchOf(download), requestId);
      requestId = log.reserveId('request');
      screen.arrived(segment - 1, download.rung, download.lastByteMs, stallMs);
      bufferAt(download.lastByteMs, bufferMs + sleepMs - track.segmentMs);
      bufferAt(download.lastByteMs, bufferMs + sleepMs);
    },
    input: (event) => log.input('video', event, inputAtMs(event)),
    finish() {
      const endMs = screen.playOut();
      bufferAt(endMs, 0);
      log.record(playbackDraft('ended', { atMs: endMs, playheadMs: track.segments * track.segmentMs }));
      return log.finish(endMs);
    },
  };
}

const FIRST = 'The first level is the same for every rule.';

/** This model has no connections: nothing is said of them. */
function fetchOf(download: DownloadEvent): SimFetch {
  const { rung, segment, startMs, firstByteMs, lastByteMs, sizeBytes } = download;
  return {
    type: 'media',
    mediaType: 'video',
    segment,
    rung,
    startMs,
    connectStartMs: null,
    connectEndMs: null,
    secureConnectionStartMs: null,
    requestStartMs: startMs,
    firstByteMs,
    lastByteMs,
    receivedBytes: sizeBytes,
    outcome: 'ok',
    protocol: null,
    connectionReused: null,
  };
}

/** An event with a duration reaches the rule when it is over. */
function inputAtMs(event: RuleEvent): number {
  if (event.kind === 'download') return event.lastByteMs;
  return event.kind === 'stall' || event.kind === 'idle' ? event.atMs + event.durationMs : event.atMs;
}

/**
 * What the viewer of the chunk model sees, written to a log. A segment is on screen when the one before has played or,
 * after a stall, from its arrival.
 *
 *     arrival ── shown ── 4 s ──┬── the next is there: shown
 *                               └── it is not: waiting ── stall ── arrival: playing, shown
 */
interface ChunkScreen {
  /** `stallMs` of it were waited for; of the first segment all. */
  arrived(segment: number, rung: number, atMs: number, stallMs: number): void;
  /** Writes what was shown by then. */
  showUntil(atMs: number): void;
  /** Plays out what is there; returns when playback ended, ms. */
  playOut(): number;
}

function createChunkScreen(log: SimLog, track: Track): ChunkScreen {
  const queue: { rung: number; atMs: number }[] = [];
  let lastRung: number | null = null;
  let playedOutMs = 0;
  const show = (rung: number, atMs: number): void => {
    if (rung !== lastRung)
      log.record(switchRendered({ atMs, mediaType: 'video', fromRung: lastRung, toRung: rung }, track));
    lastRung = rung;
  };
  const showUntil = (atMs: number): void => {
    for (let next = queue[0]; next && next.atMs <= atMs; next = queue[0]) {
      queue.shift();
      show(next.rung, next.atMs);
    }
  };
  return {
    showUntil,
    arrived(segment, rung, atMs, stallMs) {
      const playheadMs = segment * track.segmentMs;
      const stallAtMs = segment > 0 && stallMs > 0 ? atMs - stallMs : null;
      showUntil(atMs);
      if (stallAtMs !== null) log.record(playbackDraft('waiting', { atMs: stallAtMs, playheadMs }));
      if (stallAtMs !== null || segment === 0) {
        log.record(playbackDraft('playing', { atMs, playheadMs }));
        playedOutMs = atMs;
      }
      if (stallAtMs !== null)
        log.record({ kind: 'stall', atMs: stallAtMs, playheadMs, durationMs: stallMs, missing: {} });
      queue.push({ rung, atMs: playedOutMs });
      showUntil(atMs);
      playedOutMs += track.segmentMs;
    },
    playOut() {
      showUntil(Infinity);
      return playedOutMs;
    },
  };
}
