import { describe, expect, it } from 'vitest';
import { byBitrate, firstKnownLength, ladderOf, questionOf, rungIn, segmentMsOf } from './dashTerms.ts';

const choice = (id: string, bandwidth: number, width = 0) => ({
  id,
  bandwidth,
  width,
  height: NaN,
  fragmentDuration: NaN,
  segmentDuration: 4,
});

describe('dash.js’ representations as a ladder', () => {
  const choices = byBitrate([choice('c', 3_000_000, 1280), choice('a', 300_000), choice('b', 750_500)]);

  it('ascends by bitrate, in kbit/s, with unknown sizes as null', () => {
    expect(choices.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(ladderOf(choices)).toEqual([
      { bitrateKbps: 300, width: null, height: null },
      { bitrateKbps: 750.5, width: null, height: null },
      { bitrateKbps: 3000, width: 1280, height: null },
    ]);
    expect(segmentMsOf(choices)).toBe(4000);
    expect(segmentMsOf([{ ...choice('x', 1), segmentDuration: NaN }])).toBeNull();
    expect(rungIn(choices, 'b')).toBe(1);
    expect(rungIn(choices, 'gone')).toBeNull();
  });
});

describe('the length of a segment that a rule is told', () => {
  it('is the first that is known in a period, also where the first entry of the timeline changes', () => {
    const [one, next] = [{}, {}];
    expect([null, 1000, 3000, null, 1000].map((nowMs) => firstKnownLength(one, nowMs))).toEqual([
      null,
      ...[1000, 1000, 1000, 1000],
    ]);
    expect(firstKnownLength(next, 3000)).toBe(3000);
  });
});

interface Asked {
  readonly choices: object[];
  readonly present: object;
  readonly next: object | null;
  /** s behind the live edge, as dash.js says it. */
  readonly latencyS?: number;
  readonly isSeeking?: boolean;
}

/** What dash.js asks at 3 s with 6 s in the buffer, of 40 s. `present` plays, `next` is the segment that comes. */
function asked({ choices, present, next, latencyS = NaN, isSeeking = false }: Asked) {
  const schedule = { getBufferTarget: () => 20 };
  const processor = {
    getType: () => 'video',
    getLastSegment: () => next,
    probeNextRequest: () => next,
    getScheduleController: () => schedule,
  };
  const stream = { getId: () => 'p0', getStreamProcessors: () => [processor] };
  const streams = { getStreams: () => [] };
  const context = {
    getMediaType: () => 'video',
    getMediaInfo: () => ({}),
    getStreamInfo: () => ({ index: 0, id: 'p0' }),
    getRepresentation: () => present,
    getScheduleController: () => ({
      ...schedule,
      getPlaybackController: () => ({ getStreamController: () => streams }),
    }),
    getAbrController: () => ({ getPossibleVoRepresentationsFilteredBySettings: () => choices }),
  };
  const player = {
    getVideoElement: () => ({ currentTime: 3, duration: 40, playbackRate: 1 }),
    getSettings: () => ({}),
    getDashMetrics: () => ({ getCurrentBufferLevel: () => 6 }),
    getActiveStream: () => stream,
    isDynamic: () => !Number.isNaN(latencyS),
    isSeeking: () => isSeeking,
    getCurrentLiveLatency: () => latencyS,
  };
  return questionOf(player as never, context as never, 0)!;
}

describe('a question about a stream whose manifest does not say how long segments are', () => {
  const bare = { id: 'a', bandwidth: 300_000, fragmentDuration: NaN, segmentDuration: NaN };
  const next = { index: 1, startTime: 8, duration: 8 };

  it('has the length of its index, and with it the number of the segment and how many are left', () => {
    const { offer, moment } = asked({ choices: [bare], present: { ...bare, fragmentDuration: 8 }, next });
    expect(offer.segmentMs).toBe(8000);
    expect(moment).toMatchObject({ segment: 1, segmentsLeft: 4 });
  });

  it('has the length of the segment that comes where the first of a timeline is empty', () => {
    const present = { ...bare, segmentDuration: 0 };
    const { offer, moment } = asked({ choices: [present], present, next });
    expect(offer.segmentMs).toBe(8000);
    expect(moment).toMatchObject({ segment: 1, segmentsLeft: 4 });
  });

  it('has none before that is known', () => {
    const { offer, moment } = asked({ choices: [bare], present: bare, next: null });
    expect(offer.segmentMs).toBe(0);
    expect(moment).toMatchObject({ segment: null, segmentsLeft: null });
  });
});

it('has no live latency before the element has its place', () => {
  const bare = { id: 'a', bandwidth: 300_000, segmentDuration: 4 };
  const momentOf = (latencyS: number, isSeeking = false): number | null =>
    asked({ choices: [bare], present: bare, next: null, latencyS, isSeeking }).moment.liveLatencyMs;
  expect([momentOf(NaN), momentOf(0), momentOf(2.4, true), momentOf(2.4)]).toEqual([null, null, null, 2400]);
});
