import { afterEach, beforeEach, vi } from 'vitest';
import type { Draft, EventKind, EventOf } from '../event.ts';
import type { DecisionDraft } from '../recorder/pendingDecisions.ts';
import { readSession } from '../schema/readSession.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

/** Stands in for what a page has around a player. Call it in a test file. */
export function fakePage(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    const page = new EventTarget();
    const shown = { baseURI: 'https://app.example/', visibilityState: 'visible' };
    vi.stubGlobal('document', Object.assign(new EventTarget(), shown));
    vi.stubGlobal('location', new URL('https://app.example/'));
    vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    vi.stubGlobal('XMLHttpRequest', { DONE: 4 });
    vi.stubGlobal('PerformanceObserver', function () {
      return { observe: () => undefined, disconnect: () => undefined, takeRecords: () => [] };
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** A video element without media. */
export const fakeVideo = () =>
  Object.assign(new EventTarget(), {
    paused: true,
    ended: false,
    seeking: false,
    autoplay: false,
    readyState: 4,
    error: null,
    currentTime: 0,
    playbackRate: 1,
    duration: 24,
    buffered: { length: 1, start: () => 0, end: () => 4 },
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 1, droppedVideoFrames: 0 }),
  }) as unknown as HTMLVideoElement;

/** The log as every reader takes it. @throws Error where it is not valid */
export async function validLog(telemetry: { exportLog(): Promise<SessionLog> }): Promise<SessionLog> {
  const read = readSession(JSON.stringify(await telemetry.exportLog()));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

export const eventsIn = <Kind extends EventKind>(log: SessionLog, kind: Kind): EventOf<Kind>[] =>
  log.events.filter((event): event is EventOf<Kind> => event.kind === kind);

/** Puts a rule of ours in charge. Returns what reports its decision for a segment. */
export function ruleInCharge(telemetry: {
  record(draft: Draft): unknown;
  decide(draft: DecisionDraft): void;
  nowMs(): number;
}): (segment: number) => void {
  const nowMs = telemetry.nowMs();
  telemetry.record({ kind: 'rule', atMs: nowMs, missing: {}, rule: 'bba-2', parameters: {} });
  return (segment) =>
    telemetry.decide({
      kind: 'decision',
      atMs: nowMs,
      mediaType: 'video',
      segment,
      rule: 'bba-2',
      fromRung: 0,
      rung: 1,
      bitrateKbps: 600,
      holdUntilBufferMs: null,
      because: 'It is a test.',
      values: {},
      votes: [],
      moment: {
        nowMs,
        playheadMs: 0,
        bufferMs: 4000,
        bufferTargetMs: 30_000,
        segment,
        segmentsLeft: null,
        lastRung: 0,
        liveLatencyMs: null,
        playbackRate: 1,
      },
      estimateKbps: 500,
      tookMs: 0,
      missing: { holdUntilBufferMs: 'not-applicable' },
    });
}
