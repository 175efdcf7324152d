import type shaka from 'shaka-player';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { Rule } from '../../abr/rule.ts';
import { replay } from '../../sim/replay/replay.ts';
import { FakeShaka, NO_LIMITS, SEGMENTS, variant } from './fakeShaka.testing.ts';
import { decisionsIn, drawRates, inputsIn, recordSession, scripted } from './recordedSession.testing.ts';
import { createShakaRule } from './shakaManager.ts';

const asShaka = (player: FakeShaka): shaka.Player => player as unknown as shaka.Player;

function started(rule: Rule, change: (player: FakeShaka) => void = () => undefined) {
  const session = recordSession();
  const player = new FakeShaka(session);
  const used = createShakaRule(asShaka(player), rule, { telemetry: session.telemetry, seed: 3 });
  change(player);
  player.start();
  return { session, player, used };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('every rule decides in Shaka as its replay does', () => {
  test.each(decidableRules.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
    const { session, player } = started(rule);
    const rateOf = drawRates(5);
    const loaded: string[] = [];
    for (let step = 0; step < 400 && loaded.length < 40; step += 1) {
      const id = player.load(rateOf());
      if (id !== null) loaded.push(id);
      player.pass(100);
    }
    const log = session.log();
    const decisions = decisionsIn(session).filter(({ missing }) => missing['requestId'] === 'not-reported');
    expect(loaded.length).toBeGreaterThan(5);
    expect(decisions.map(({ rung }) => player.videos[rung!]!.id)).toEqual(loaded);
    expect(decisions.slice(1).map(({ segment }) => segment)).toEqual(
      loaded.slice(1).map((_id, index) => index + 1),
    );
    const replayed = replay(log, rule);
    expect(replayed.faults).toEqual([]);
    expect(replayed.identical).toBe(replayed.decisions.length);
    expect(log.events.filter(({ kind }) => kind === 'error')).toEqual([]);
  });
});

test('it is asked when a segment was appended, and the audio stays', () => {
  const { session, player } = started(scripted({ rung: 0 }, { rung: 3 }));
  expect(player.playing).toMatchObject({ video: { id: 'video-300' }, audio: { id: 'audio-128' } });
  player.load(500);
  expect(player.playing).toMatchObject({ video: { id: 'video-1850' }, audio: { id: 'audio-128' } });
  player.request(player.audios[1]!, 500);
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
  expect(player.manager.getBandwidthEstimate()).toBeCloseTo(3_750_000);
  expect(decisionsIn(session)).toHaveLength(1);
});

test('in a full buffer it is asked once, when the buffer has fallen to its goal', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  while (player.load(5000) !== null);
  const before = decisionsIn(session).length;
  player.pass(1000);
  expect(decisionsIn(session)).toHaveLength(before);
  while (player.load(5000) === null) player.pass(50);
  expect(decisionsIn(session)).toHaveLength(before + 1);
  expect(decisionsIn(session).at(-1)!.moment.bufferMs).toBeLessThanOrEqual(20_100);
  expect(decisionsIn(session).every(({ missing }) => missing['requestId'] === 'not-reported')).toBe(true);
});

test('a hold lowers the goal of the buffer, and gives it back', () => {
  const { player, session } = started(
    scripted({ rung: 0 }, { rung: 1 }, { rung: 1, holdUntilBufferMs: 5000 }, { rung: 2 }),
  );
  player.load(5000);
  player.load(5000);
  expect(player.settings.streaming.bufferingGoal).toBe(5);
  expect(player.load(5000)).toBeNull();
  for (let step = 0; player.settings.streaming.bufferingGoal === 5 && step < 90; step += 1) player.pass(50);
  expect(player.endS - player.media.currentTime).toBeCloseTo(5.1, 0);
  expect(player.settings.streaming.bufferingGoal).toBe(20);
  expect(player.load(5000)).toBe('video-1200');
  expect(decisionsIn(session).map(({ rung, holdUntilBufferMs }) => [rung, holdUntilBufferMs])).toEqual([
    [0, null],
    [1, null],
    [1, 5000],
    [2, null],
  ]);
});

test('Shaka’s restrictions narrow what a rule is offered, and are ignored where nothing is left', () => {
  const narrow = started(scripted({ rung: 3 }), (player) => {
    player.restrictions = { ...NO_LIMITS, maxHeight: 400 };
  });
  expect(inputsIn(narrow.session)[0]).toMatchObject({ kind: 'ladder', ladder: { length: 4 } });
  const none = started(scripted({ rung: 4 }), (player) => {
    player.restrictions = { ...NO_LIMITS, maxHeight: 10 };
  });
  expect(none.player.playing!.video!.id).toBe('video-2850');
});

test('a variant that Shaka takes away is offered no more', () => {
  const { session, player } = started(scripted({ rung: 4 }, { rung: 3 }));
  player.variants = player.variants.filter(({ video }) => video!.id !== 'video-2850');
  expect(player.manager.setVariants(player.variants, false)).toBe(true);
  expect(player.manager.setVariants(player.variants, false)).toBe(false);
  player.playing = player.manager.chooseVariant();
  expect(player.load(500)).toBe('video-1850');
  expect(decisionsIn(session)).toMatchObject([
    { rung: 4, missing: { requestId: 'not-applicable' } },
    { rung: 3, missing: { requestId: 'not-reported' } },
  ]);
});

test('another video than the rule chose is recorded as Shaka’s own choice', () => {
  const { session, player } = started(scripted({ rung: 2 }));
  player.request(player.videos[1]!, 500);
  expect(decisionsIn(session)).toMatchObject([
    { rule: 'scripted', rung: 2, missing: { requestId: 'not-applicable' } },
    { rule: 'Shaka', rung: 1, because: 'Shaka loads level 2, and not level 3, which the rule chose.' },
  ]);
  expect(() => session.log()).not.toThrow();
});

test('a seek out of the buffer is a new question, one within it is not', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  player.load(500);
  player.load(500);
  const before = player.switches;
  player.media.currentTime = 5;
  player.media.dispatchEvent(new Event('seeking'));
  expect(player.switches).toBe(before);
  player.media.currentTime = 100;
  player.media.dispatchEvent(new Event('seeking'));
  player.endS = 100;
  player.load(500);
  expect(decisionsIn(session).at(-1)!.moment).toMatchObject({ playheadMs: 100_000, bufferMs: 0 });
  expect(inputsIn(session).filter(({ kind }) => kind === 'seek')).toMatchObject([
    { toMs: 5000 },
    { toMs: 100_000 },
  ]);
});

test('a decision outlasts a seek within the buffer, as a skip of Shaka out of a stall is', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  const ofRequests = () =>
    decisionsIn(session).filter(({ missing }) => missing['requestId'] === 'not-reported');
  for (let loads = 1; loads <= 3; loads += 1) {
    player.load(500);
    player.media.currentTime += 0.1;
    player.media.dispatchEvent(new Event('seeking'));
    expect(ofRequests()).toHaveLength(loads);
  }
});

test('answers of the browser’s cache are no downloads', () => {
  const { session, player } = started(scripted({ rung: 0 }));
  player.request(player.videos[0]!, 500, true);
  expect(inputsIn(session).some(({ kind }) => kind === 'download')).toBe(false);
  expect(player.manager.getBandwidthEstimate()).toBe(1e6);
});

test('the byte ranges of an index are the sizes that the rule knows', () => {
  const { session, player } = started(scripted({ rung: 0 }), (player) => void (player.rangeBytes = 1000));
  player.load(500);
  player.load(500);
  const sizes = inputsIn(session).filter(({ kind }) => kind === 'sizes');
  expect(sizes).toMatchObject([{ from: 'sidx', rung: 0, sizesBytes: { length: SEGMENTS, 0: 1000 } }]);
});

test('without video the rule chooses the audio', () => {
  const { session, player } = started(scripted({ rung: 1 }), (player) => {
    player.variants = player.audios.map((audio) => variant(null, audio));
  });
  expect(player.playing!.audio!.id).toBe('audio-128');
  player.request(player.audios[1]!, 500);
  expect(decisionsIn(session)).toMatchObject([{ mediaType: 'audio', rung: 1, bitrateKbps: 128 }]);
});

test('stop gives Shaka back what it had', () => {
  const { player, used } = started(scripted({ rung: 0, holdUntilBufferMs: 1000 }));
  expect(player.settings.streaming).toMatchObject({ lowLatencyMode: false, segmentPrefetchLimit: 0 });
  player.load(5000);
  used.stop();
  expect(player.settings.abrFactory()).toEqual({ own: true });
  expect(player.settings.streaming).toEqual({
    bufferingGoal: 20,
    rebufferingGoal: 0,
    lowLatencyMode: true,
    segmentPrefetchLimit: 1,
  });
  expect(player.requestFilters.size + player.responseFilters.size).toBe(0);
});
