import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { goesOn, HOWS, KINDS, nameOf, outageCases, type OutageCase } from './outageCases.testing.ts';
import { createRecovery } from './recover.ts';
import { GIVE_UP_MS } from './standstill.ts';

const SEGMENT_S = 2;
/** From here on the outage lasts. */
const OUTAGE_AT_S = 20;
/** A live stream that is older than what is watched of it. */
const LIVE_AGE_S = 100;
const DELAY_S = 6;
const TIMEOUT_MS = 20_000;

/** dash.js' tries of one segment, and what it loads ahead. */
const LOADING = {
  vod: { isLive: false, tries: 4, everyMs: 1000, aheadS: 20 },
  live: { isLive: true, tries: 4, everyMs: 1000, aheadS: 20 },
  'low-latency': { isLive: true, tries: 16, everyMs: 100, aheadS: 20 },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * A player of one video track as dash.js is for the recovery: tries of a segment, then nothing more by itself; a gap in a live
 * stream is jumped once its length has passed (GapController), a seek aborts what is loading. A live encoder that stands never
 * makes the segments of the outage.
 */
function watch({ kind, how, outageS }: OutageCase, isDeafAfterSeek: (seek: number) => boolean = () => false) {
  const { isLive, tries, everyMs, aheadS } = LOADING[kind];
  const startMs = performance.now();
  const nowS = (): number => (performance.now() - startMs) / 1000;
  const edgeS = (): number => LIVE_AGE_S + nowS();
  const isOut = (atS = nowS()): boolean => atS >= OUTAGE_AT_S && atS < OUTAGE_AT_S + outageS;
  const buffered = new Set<number>();
  const listeners = new Map<string, (payload: object) => void>();
  const video = { currentTime: isLive ? LIVE_AGE_S - DELAY_S : 0, paused: false };
  const ends: string[] = [];
  let loading: ReturnType<typeof setTimeout> | null = null;
  let schedule: ReturnType<typeof setTimeout> | undefined;
  let next = Math.floor(video.currentTime / SEGMENT_S);
  let seeks = 0;

  const levelS = (): number => {
    let segment = Math.floor(video.currentTime / SEGMENT_S);
    while (buffered.has(segment)) segment += 1;
    return Math.max(0, segment * SEGMENT_S - video.currentTime);
  };
  /** null: no answer. */
  const answer = (segment: number): number | null => {
    if (how === 'silent') return isOut() ? null : 200;
    const isMade = !isLive || !isOut((segment + 1) * SEGMENT_S - LIVE_AGE_S);
    return isMade && (isLive || !isOut()) ? 200 : Number(how);
  };
  const attempt = (segment: number, left: number): void => {
    const status = answer(segment);
    const waitMs = status === null ? TIMEOUT_MS : 20;
    loading = setTimeout(() => {
      const request = { type: 'MediaSegment', mediaType: 'video', url: `${segment}.m4s` };
      const about = { ...request, startTime: segment * SEGMENT_S, duration: SEGMENT_S };
      if (status === 200) {
        loading = null;
        buffered.add(segment);
        listeners.get('fragmentLoadingCompleted')?.({ request: about });
        return start(0);
      }
      if (left > 1) return void (loading = setTimeout(() => attempt(segment, left - 1), everyMs));
      loading = null;
      clearTimeout(schedule);
      recovery.onFailure({ kind: 'segment', message: 'It failed.' }, about as never, status ?? 0);
    }, waitMs);
  };
  const start = (delayMs: number): void => {
    clearTimeout(schedule);
    schedule = setTimeout(() => {
      const isThere = !isLive || (next + 1) * SEGMENT_S <= edgeS();
      if (loading !== null) return;
      if (levelS() >= aheadS || !isThere) return start(500);
      next += 1;
      attempt(next - 1, tries);
    }, delayMs);
  };
  const ask = (atS: number): void => {
    next = Math.floor(atS / SEGMENT_S);
  };
  const abort = (): void => {
    if (loading !== null) clearTimeout(loading);
    loading = null;
  };
  const processor = {
    getType: () => 'video',
    isBufferingCompleted: () => false,
    getFragmentModel: () => ({ getRequests: () => (loading === null ? [] : [1]), abortRequests: abort }),
    setExplicitBufferingTime: ask,
    getScheduleController: () => ({ startScheduleTimer: start }),
  };
  const player = {
    on: (name: string, listener: () => void) => void listeners.set(name, listener),
    off: () => undefined,
    isDynamic: () => isLive,
    getVideoElement: () => video,
    getBufferLength: levelS,
    getDashMetrics: () => ({ getCurrentBufferLevel: levelS }),
    getActiveStream: () => ({ getStreamProcessors: () => [processor] }),
    getDvrWindow: () => ({ start: edgeS() - 60 }),
    seekToOriginalLive() {
      abort();
      buffered.clear();
      video.currentTime = edgeS() - DELAY_S;
      ask(video.currentTime);
      seeks += 1;
      if (isDeafAfterSeek(seeks)) clearTimeout(schedule);
      else start(0);
    },
  };
  const onSeek = vi.fn();
  const recovery = createRecovery(player as never, { onFatal: (message) => void ends.push(message), onSeek });
  start(0);

  let gapS = 0;
  let stalledS = 0;
  const tick = (): void => {
    const isPlaying = levelS() > 0.05;
    if (isPlaying) video.currentTime += 0.1;
    else stalledS += 0.1;
    gapS = isPlaying ? 0 : gapS + 0.1;
    const [ahead] = [...buffered]
      .map((each) => each * SEGMENT_S)
      .sort((one, other) => one - other)
      .filter((each) => each > video.currentTime);
    if (!isPlaying && ahead !== undefined && (!isLive || gapS >= ahead - video.currentTime))
      video.currentTime = ahead;
  };
  const playUntil = (untilS: number): void => {
    while (nowS() < untilS && ends.length === 0) {
      tick();
      vi.advanceTimersByTime(100);
    }
  };
  return {
    playUntil,
    video,
    ends,
    onSeek,
    nowS,
    behindS: () => edgeS() - video.currentTime,
    stalledS: () => stalledS,
    dispose: () => recovery.dispose(),
  };
}

/** With its many tries a request of low latency is not given up in time: `watchStandstill` ends that. */
const endless = KINDS.flatMap((kind) => HOWS.map((how): OutageCase => ({ kind, how, outageS: 1000 }))).filter(
  ({ kind, how }) => kind !== 'low-latency' || how !== 'silent',
);

const named = (cases: readonly OutageCase[]) => cases.map((each) => [nameOf(each), each] as const);

describe('an outage', () => {
  it.each(named(outageCases.filter(goesOn)))('%s: playback goes on', (_, asked) => {
    const session = watch(asked);
    const endS = OUTAGE_AT_S + asked.outageS;
    // A live stream has media at its distance from the edge again; a request without an answer is given up first.
    const graceS = 8 + DELAY_S + 4 + (asked.how === 'silent' ? TIMEOUT_MS / 1000 : 0);
    session.playUntil(endS + graceS);
    const from = session.video.currentTime;
    const stalledS = session.stalledS();
    session.playUntil(endS + graceS + 20);
    expect(session.ends).toEqual([]);
    expect(session.video.currentTime - from).toBeGreaterThan(18);
    expect(session.stalledS() - stalledS).toBeLessThan(1);
    // Nobody is moved who only waits for a server.
    if (asked.how === 'silent' || asked.kind === 'vod') expect(session.onSeek).not.toHaveBeenCalled();
    session.dispose();
  });

  it('goes to the edge again where dash.js asks for nothing after such a seek', () => {
    const outage: OutageCase = { kind: 'live', how: '404', outageS: 24 };
    const session = watch(outage, (seek) => seek % 2 === 0);
    session.playUntil(OUTAGE_AT_S + outage.outageS + 20);
    expect(session.behindS()).toBeLessThan(DELAY_S + 4);
    session.dispose();
  });

  it.each(named(endless))('%s: playback ends once', (_, asked) => {
    const session = watch(asked);
    session.playUntil(OUTAGE_AT_S + 55);
    expect(session.ends).toEqual([]);
    // A round of tries without an answer is one failure.
    const roundS = asked.how === 'silent' ? 4 * (TIMEOUT_MS / 1000 + 1) : 8;
    session.playUntil(OUTAGE_AT_S + GIVE_UP_MS / 1000 + 2 * roundS);
    expect(session.ends).toHaveLength(1);
    session.dispose();
  });
});
