import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { choice, exampleSession, linked, steered } from '../timeline/example.testing.ts';
import { timesToLeave, timesToReturn, wrongRequests } from '../transport/pathways.ts';
import { metrics } from './registry.ts';
import { steeringMetrics } from './steering.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);

const OPEN: Partial<RequestEvent> = { outcome: 'in-flight', lastByteMs: null, endMs: null };

/** A media request that runs for half a second. */
const media = (atMs: number, pathway: string, changes: Partial<RequestEvent> = {}): SessionEvent => {
  const endMs = atMs + 500;
  return exampleRequest({ atMs, startMs: atMs, lastByteMs: endMs, endMs, pathway, ...changes });
};
const session = (...events: SessionEvent[]): SessionLog =>
  steered(exampleSession([choice(400, 'main'), ...events]));
/** The limit of UDP acts from 10 s to 30 s. */
const limited = (...events: SessionEvent[]): SessionLog =>
  linked(session(...events), [
    [10_000, 64],
    [30_000, null],
  ]);

describe('a session without steering has no value', () => {
  const unsteered = linked(exampleSession([media(1000, 'main')]), [[10_000, 64]]);
  test.each(steeringMetrics.map(({ id }) => [id]))('%s', (id) =>
    expect(of(id, unsteered)).toEqual({
      value: null,
      why: 'Nothing chose between pathways in this session.',
    }),
  );
});

test('switches are choices of another pathway; a probe and a rescue to the same one are none', () => {
  const log = session(
    choice(2000, 'main', { fromPathway: 'main', probe: { pathway: 'tcp', bytes: 9 } }),
    choice(3000, 'tcp', { fromPathway: 'main' }),
    choice(3200, 'tcp', { fromPathway: 'tcp', rescue: { requestId: 'r1' } }),
    choice(9000, 'main', { fromPathway: 'tcp' }),
    choice(9500, 'tcp', { fromPathway: 'main' }),
  );
  expect(of('pathway-switches', log)).toEqual({ value: 3, by: { 'main → tcp': 2, 'tcp → main': 1 } });
  expect(of('pathway-switches', session())).toEqual({ value: 0, by: {} });
});

test('bytes of probes, also of those that were aborted, and their share of all bytes', () => {
  const log = session(
    media(1000, 'main', { receivedBytes: 99_000 }),
    media(1000, 'tcp', { type: 'probe', receivedBytes: 700 }),
    media(2000, 'tcp', { type: 'probe', receivedBytes: 200, outcome: 'aborted' }),
    media(3000, 'main', { type: 'probe', receivedBytes: 100 }),
  );
  const [manifest] = log.events;
  const all = 100_000 + (manifest as RequestEvent).receivedBytes!;
  expect(of('probe-bytes', log)).toEqual({ value: 1000, by: { main: 100, tcp: 900 } });
  expect(of('probe-share', log).value).toBeCloseTo((100 * 1000) / all, 9);
});

test('a segment is rescued once, however many parts it came in', () => {
  const part = (id: string, continues: string): SessionEvent =>
    ({ ...media(2000, 'tcp', { continues }), id }) as SessionEvent;
  const log = session();
  const events = [...log.events, part('p2', 'p1'), part('p3', 'p2'), part('q2', 'q1')];
  expect(of('rescued-segments', { ...log, events }).value).toBe(2);
  expect(of('rescued-segments', log).value).toBe(0);
});

test('segments count for the pathway of their last byte', () => {
  const log = session(
    ...[media(1000, 'main'), media(2000, 'main', { outcome: 'aborted' }), media(2500, 'tcp')],
    ...[
      media(3000, 'tcp', { mediaType: 'audio' }),
      media(4000, 'tcp'),
      media(4100, 'tcp', { type: 'probe' }),
    ],
  );
  expect(of('other-pathway-share', log)).toEqual({ value: 75, by: { main: 25, tcp: 75 } });
  expect(of('other-pathway-share', session()).why).toBe('No segment arrived over a known pathway.');
});

describe('time to leave', () => {
  test.each<[string, SessionEvent[], number | null]>([
    ['from the first request within the limit', [media(12_000, 'main'), media(15_000, 'tcp')], 3],
    [
      'from the start of the limit, for a request that runs then',
      [media(9800, 'main'), media(12_000, 'main'), media(14_000, 'tcp')],
      4,
    ],
    [
      'to the first request that leaves, even if others follow over main',
      [media(12_000, 'main'), media(13_000, 'tcp'), media(14_000, 'main'), media(20_000, 'tcp')],
      1,
    ],
    ['none if it leaves after the limit', [media(12_000, 'main'), media(30_500, 'tcp')], null],
    ['none if it was away before', [media(9000, 'tcp'), media(12_000, 'tcp')], null],
    ['none without media in the limit', [media(1000, 'main'), media(31_000, 'main')], null],
    ['a request in flight at the end of the log', [media(12_000, 'main', OPEN), media(16_000, 'tcp')], 4],
  ])('%s', (_, events, seconds) => expect(of('time-to-leave', limited(...events)).value).toBe(seconds));
  test('why there is none', () => {
    const why = (log: SessionLog) => of('time-to-leave', log).why;
    expect(why(limited(media(12_000, 'main')))).toBe(
      'Media stayed on the MPD’s own pathway until the limit of UDP ended.',
    );
    expect(why(limited(media(12_000, 'tcp')))).toBe(
      'No media ran over the MPD’s own pathway while UDP was limited.',
    );
    expect(why(linked(session(media(1, 'main')), []))).toBe('UDP was never limited.');
    expect(why(session(media(1, 'main')))).toBe('The session did not use a link of the lab.');
  });
  test('a limit that began before the session acts from its first request on', () => {
    const log = linked(session(media(500, 'main'), media(2500, 'tcp')), [[-4000, 64]]);
    expect(of('time-to-leave', log).value).toBe(2);
  });
  test('of several limits the mean, and how many were not left', () => {
    const log = linked(
      session(media(1500, 'main'), media(3500, 'tcp'), media(8000, 'main'), media(11_000, 'main')),
      [...[[1000, 64] as const, [1200, 0] as const, [5000, null] as const], [10_000, 64], [12_000, null]],
    );
    expect(of('time-to-leave', log)).toEqual({
      value: 2,
      note: 'Mean over 1 limit of 2; in the others it never happened.',
    });
  });
});

describe('time to return', () => {
  test.each<[string, SessionEvent[], number | null]>([
    [
      'to the first request over main',
      [media(12_000, 'tcp'), media(31_000, 'tcp'), media(34_000, 'main')],
      4,
    ],
    [
      'to the one that stays',
      [media(12_000, 'tcp'), media(31_000, 'main'), media(33_000, 'tcp'), media(38_000, 'main')],
      8,
    ],
    ['none if it stays away', [media(12_000, 'tcp'), media(31_000, 'tcp')], null],
    ['none if it never left', [media(12_000, 'main'), media(31_000, 'main')], null],
    ['none if nothing is requested after the limit', [media(12_000, 'tcp')], null],
  ])('%s', (_, events, seconds) => expect(of('time-to-return', limited(...events)).value).toBe(seconds));
  test('why there is none', () => {
    const why = (log: SessionLog) => of('time-to-return', log).why;
    expect(why(limited(media(12_000, 'tcp'), media(31_000, 'tcp')))).toBe(
      'Media did not return to the MPD’s own pathway to stay.',
    );
    expect(why(linked(session(media(12_000, 'tcp')), [[10_000, 64]]))).toBe(
      'No limit of UDP in which media left the MPD’s own pathway ended during playback.',
    );
  });
  test('leaving again in the next limit does not count for the one before', () => {
    const requests = [
      ...[12_000, 45_000].map((startMs) => ({ pathway: 'tcp', startMs, endMs: startMs + 500 })),
      ...[32_000, 62_000].map((startMs) => ({ pathway: 'main', startMs, endMs: startMs + 500 })),
    ].sort((one, other) => one.startMs - other.startMs);
    const limits = [
      { fromMs: 10_000, untilMs: 30_000 },
      { fromMs: 40_000, untilMs: 60_000 },
    ];
    expect(timesToReturn(requests, { limits, main: 'main' })).toEqual([2000, 2000]);
    expect(timesToLeave(requests, { limits, main: 'main' })).toEqual([]);
  });
});

describe('requests over the wrong pathway', () => {
  test('over main in the limit, and over another pathway outside of it', () => {
    const log = limited(
      ...[media(1000, 'main'), media(2000, 'tcp'), media(12_000, 'main'), media(14_000, 'tcp')],
      ...[media(29_999, 'tcp'), media(30_000, 'tcp'), media(33_000, 'main'), media(34_000, 'main')],
    );
    expect(of('wrong-pathway-share', log).value).toBe(37.5);
  });
  test('a limit without an end, from before the session', () => {
    const log = linked(session(media(1000, 'main'), media(2000, 'tcp')), [[-4000, 64]]);
    expect(of('wrong-pathway-share', log).value).toBe(50);
  });
  test('without a link of the lab nobody knows', () =>
    expect(of('wrong-pathway-share', session(media(1000, 'main'))).value).toBeNull());
  test('against a schedule of one’s own', () => {
    const requests = [0, 10, 20].map((startMs) => ({ pathway: 'main', startMs, endMs: startMs }));
    expect(wrongRequests(requests, [])).toEqual([]);
    const schedule = [
      { fromMs: 5, pathway: 'tcp' },
      { fromMs: 15, pathway: 'main' },
    ];
    expect(wrongRequests(requests, schedule).map(({ startMs }) => startMs)).toEqual([0, 10]);
  });
});
