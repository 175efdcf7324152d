import { describe, expect, test, vi } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { Rule } from '../../abr/rule.ts';
import { replay } from '../../sim/replay/replay.ts';
import type { DecisionEvent, Draft } from '../../telemetry/event.ts';
import { createHlsRule } from './hlsController.ts';
import { detailsOf, FakeHls, level, SEGMENT_S } from './fakeHls.testing.ts';
import {
  decisionsIn,
  drawRates,
  inputsIn,
  recordSession,
  scripted,
  type RecordedSession,
} from './recordedSession.testing.ts';

const ruleOf = (id: string): Rule => decidableRules.find((rule) => rule.id === id)!;
/** hls.js with a rule of ours as its controller. */
function playing(
  rule: Rule,
  session: RecordedSession,
  onDecision?: (decision: Draft<DecisionEvent>) => void,
): FakeHls {
  const { telemetry } = session;
  const { abrController } = createHlsRule(rule, { telemetry, seed: 3, ...(onDecision && { onDecision }) });
  return new FakeHls(abrController, session);
}

describe('every rule decides in hls.js as its replay does', () => {
  test.each(decidableRules.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
    const session = recordSession();
    const hls = playing(rule, session);
    const rateOf = drawRates(5);
    const loaded: number[] = [];
    for (let step = 0; step < 400 && loaded.length < 40; step += 1) {
      const index = hls.load(rateOf());
      if (index !== null) loaded.push(index);
      hls.pass(100);
    }
    const log = session.log();
    const decisions = decisionsIn(session).filter(({ missing }) => missing['requestId'] === 'not-reported');
    expect(loaded.length).toBeGreaterThan(5);
    expect(decisions.map(({ rung }) => rung)).toEqual(loaded);
    expect(decisions.map(({ segment }) => segment)).toEqual(loaded.map((_level, index) => index));
    const replayed = replay(log, rule);
    expect(replayed.faults).toEqual([]);
    expect(replayed.identical).toBe(replayed.decisions.length);
    expect(log.events.filter(({ kind }) => kind === 'error')).toEqual([]);
  });
});

test('it is asked once for a fragment, however often hls.js looks', () => {
  const session = recordSession();
  const hls = playing(ruleOf('throughput'), session);
  for (let look = 0; look < 9; look += 1) hls.tick();
  expect(hls.controller.firstAutoLevel).toBe(0);
  hls.load(500);
  expect(decisionsIn(session)).toHaveLength(1);
  expect(inputsIn(session).filter(({ kind }) => kind === 'download')).toMatchObject([
    {
      segment: 0,
      rung: 0,
      bitrateKbps: 300,
      sizeBytes: 150_000,
      startMs: 10,
      firstByteMs: 30,
      lastByteMs: 330,
    },
  ]);
});

test('it is not asked while the buffer is full', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 4 }), session);
  while (hls.load(5000) !== null);
  const before = decisionsIn(session).length;
  hls.tick();
  expect(decisionsIn(session)).toHaveLength(before);
  hls.pass(SEGMENT_S * 1000);
  hls.load(5000);
  expect(decisionsIn(session)).toHaveLength(before + 1);
});

test('it is not asked once the last fragment is in the buffer', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 0 }), session);
  for (let segment = 0; segment < 60; segment += 1) {
    while (hls.load(5000) === null) hls.pass(1000);
  }
  expect(decisionsIn(session)).toHaveLength(60);
  for (let look = 0; look < 9; look += 1) {
    hls.pass(20_000);
    hls.tick();
  }
  expect(decisionsIn(session)).toHaveLength(60);
});

test('hls.js keeps its caps: the rule is offered the levels that are left', () => {
  const session = recordSession();
  const hls = playing(ruleOf('throughput'), session);
  hls.load(5000);
  hls.maxAutoLevel = 2;
  hls.minAutoLevel = 1;
  expect(hls.load(5000)).toBe(2);
  expect(
    inputsIn(session)
      .filter(({ kind }) => kind === 'ladder')
      .at(-1),
  ).toMatchObject({
    ladder: [{ bitrateKbps: 750 }, { bitrateKbps: 1200 }],
  });
  expect(decisionsIn(session).at(-1)).toMatchObject({ fromRung: null, rung: 1 });
});

test('levels of another codec and levels that failed are left out, and come back', () => {
  const session = recordSession();
  const hls = playing(ruleOf('throughput'), session);
  hls.levels[4] = level(2850, { codecSet: 'hvc1,mp4a' });
  hls.levels[3]!.loadError = 1;
  hls.levels[3]!['loadErrorTime'] = performance.now();
  hls.load(5000);
  expect(hls.load(5000)).toBe(2);
  hls.levels[3]!.loadError = 0;
  expect(hls.load(5000)).toBe(3);
});

test('what hls.js forces after an error is recorded as its own choice, for one fragment', () => {
  const session = recordSession();
  const seen = vi.fn<(decision: Draft<DecisionEvent>) => void>();
  const hls = playing(scripted({ rung: 3 }), session, seen);
  hls.load(5000);
  hls.controller.nextAutoLevel = 1;
  expect(hls.controller.forcedAutoLevel).toBe(1);
  expect(hls.load(5000)).toBe(1);
  expect(hls.controller.forcedAutoLevel).toBe(-1);
  expect(hls.load(5000)).toBe(3);
  expect(decisionsIn(session).map(({ rule, rung, missing }) => [rule, rung, missing['requestId']])).toEqual([
    ['scripted', 3, 'not-reported'],
    ['scripted', 3, 'not-applicable'],
    ['hls.js', 1, 'not-reported'],
    ['scripted', 3, 'not-reported'],
  ]);
  expect(decisionsIn(session)[2]).toMatchObject({
    because: 'hls.js loads level 2, and not level 4, which the rule chose.',
    votes: [{ rule: 'scripted', rung: 3, asked: true }],
  });
  expect(seen.mock.calls.map(([decision]) => decision)).toEqual(decisionsIn(session));
  expect(() => session.log()).not.toThrow();
});

test('a hold lowers the limit of the buffer, and gives it back before the rule is asked again', () => {
  const session = recordSession();
  const hls = playing(
    scripted({ rung: 0 }, { rung: 1 }, { rung: 1, holdUntilBufferMs: 5000 }, { rung: 2 }),
    session,
  );
  hls.load(5000);
  hls.load(5000);
  expect(hls.load(5000)).toBeNull();
  expect(hls.config.maxMaxBufferLength).toBe(5);
  hls.pass(1500);
  expect(hls.load(5000)).toBeNull();
  hls.pass(2000);
  expect(hls.load(5000)).toBe(2);
  expect(hls.config.maxMaxBufferLength).toBe(600);
  expect(decisionsIn(session).map(({ rung, holdUntilBufferMs }) => [rung, holdUntilBufferMs])).toEqual([
    [0, null],
    [1, null],
    [1, 5000],
    [2, null],
  ]);
});

test('a seek takes back what was decided, and the rule gets it and the stall', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 0 }), session);
  hls.media.dispatchEvent(new Event('playing'));
  hls.tick();
  hls.media.currentTime = 40;
  hls.endS = 40;
  hls.media.dispatchEvent(new Event('seeking'));
  hls.media.dispatchEvent(new Event('waiting'));
  hls.load(500);
  hls.media.dispatchEvent(new Event('playing'));
  expect(decisionsIn(session).map(({ segment, missing }) => [segment, missing['requestId']])).toEqual([
    [null, 'not-applicable'],
    [10, 'not-reported'],
  ]);
  expect(inputsIn(session).filter(({ kind }) => kind === 'seek' || kind === 'stall')).toMatchObject([
    { kind: 'seek', toMs: 40_000 },
    { kind: 'stall', durationMs: 320 },
  ]);
});

test('an aborted download is told with what came, and the rule is asked anew', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 1 }), session);
  const frag = hls.fragment(hls.tick()!);
  hls.trigger('FRAG_LOADING', { frag });
  hls.pass(500);
  Object.assign(frag.stats, { aborted: true, loaded: 7000 });
  hls.tick();
  expect(inputsIn(session).filter(({ kind }) => kind === 'download')).toMatchObject([
    { sizeBytes: 7000, startMs: 10, lastByteMs: 510, aborted: true },
  ]);
  hls.load(500);
  expect(decisionsIn(session)).toHaveLength(2);
});

test('byte ranges of the playlists that are loaded are the sizes that the rule knows', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 0 }), session);
  hls.load(500);
  hls.load(500);
  const sizes = inputsIn(session).filter(({ kind }) => kind === 'sizes');
  expect(sizes).toMatchObject([{ from: 'playlist', rung: 0, firstSegment: 0 }]);
});

test('a session that ends takes its listeners away, also those of the element', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 0 }), session);
  hls.tick();
  hls.controller.destroy();
  expect(hls.listeners.size).toBe(0);
  expect(decisionsIn(session)).toHaveLength(1);
  hls.media.dispatchEvent(new Event('seeking'));
  expect(inputsIn(session).some(({ kind }) => kind === 'seek')).toBe(false);
});

test('a live stream has no last segment, and its numbers are those of the playlist', () => {
  const session = recordSession();
  const hls = playing(scripted({ rung: 0 }), session);
  hls.levels[0]!.details = detailsOf(0, { live: true, startSN: 1 });
  hls.load(500);
  hls.latency = 9;
  hls.load(500);
  expect(decisionsIn(session)[1]!.moment).toMatchObject({
    segment: 2,
    segmentsLeft: null,
    liveLatencyMs: 9000,
  });
});
