import { describe, expect, test } from 'vitest';
import { decidableRules } from '../abr/decidableRules.testing.ts';
import type { RateTrace } from '../network/rateTrace.ts';
import { faultsOf, pick } from '../shared/registry.ts';
import { isStall } from '../shared/stalls.ts';
import { checkSession } from '../telemetry/schema/readSession.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import type { Content } from './content.ts';
import { envivio } from './envivio.ts';
import type { Outcome, Scene, SimModel } from './model.ts';
import { simModels } from './registry.ts';
import { replay } from './replay/replay.ts';

/** A path that is fast, slow, dead and fast again: sleeps at the cap, switches and stalls. */
const trace: RateTrace = {
  name: 'up and down',
  endMs: Float64Array.of(20_000, 50_000, 54_000, 90_000, 140_000),
  rateKbps: Float64Array.of(3000, 500, 0, 900, 12_000),
  rttMs: null,
  startMs: 3000,
};

function contentOf(rungs: number, segmentMs: number, segments: number): Content {
  const bitratesKbps = Array.from({ length: rungs }, (_, rung) => 200 * 1.4 ** rung);
  return {
    name: `${rungs} rungs of ${segmentMs} ms`,
    video: {
      ladder: bitratesKbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
      segmentMs,
      segments,
      sizesBytes: bitratesKbps.map((kbps) =>
        Array.from({ length: segments }, (_, n) =>
          Math.round((kbps * segmentMs * (0.8 + 0.1 * (n % 5))) / 8),
        ),
      ),
      initBytes: null,
    },
    audio: null,
  };
}

const withoutTopSizes = (content: Content): Content => ({
  ...content,
  video: { ...content.video, sizesBytes: content.video.sizesBytes.slice(0, -1) },
});

const rules = decidableRules;
const sceneOf = (ruleId: string, content: Content = envivio): Scene => ({
  trace,
  content,
  rule: pick(decidableRules, ruleId),
  seed: 7,
});
const eventsOf = <Kind extends string>(log: SessionLog, kind: Kind) =>
  log.events.filter(
    (event): event is Extract<SessionLog['events'][number], { kind: Kind }> => event.kind === kind,
  );

test('every model can be picked', () => expect(faultsOf(simModels)).toEqual([]));

describe.each(simModels)('$id', (model: SimModel) => {
  test.each(rules)('$id: with and without log the same, a valid log, and again the same', ({ id }) => {
    const alone = model.simulate(sceneOf(id));
    const { outcome, log } = model.record(sceneOf(id));
    expect(outcome).toEqual(alone);
    expect(checkSession(JSON.parse(JSON.stringify(log)))).toMatchObject({ ok: true });
    expect(model.record(sceneOf(id)).log).toEqual(log);
  });

  test.each(rules)('$id: a replay of the log decides the same', ({ id }) => {
    const { log } = model.record(sceneOf(id));
    const { decisions, identical, derived, faults } = replay(log, pick(decidableRules, id));
    expect([identical, derived, faults]).toEqual([decisions.length, 0, []]);
    expect(decisions.length).toBeGreaterThanOrEqual(envivio.video.segments - 1);
  });

  test('the log agrees with the outcome', () => {
    const { outcome, log } = model.record(sceneOf('throughput'));
    expect(outcome.stalls).toBeGreaterThan(0);
    expectSameStory(outcome, log);
  });

  test.each([
    [1, 2000, 30],
    [2, 1000, 5],
    [20, 10_000, 12],
    [40, 500, 90],
    [6, 4000, 1],
  ])('%i rungs, segments of %i ms, %i of them', (rungs, segmentMs, segments) => {
    for (const id of ['throughput', 'bola', 'mpc-fast']) {
      const { outcome, log } = model.record(sceneOf(id, contentOf(rungs, segmentMs, segments)));
      expect(outcome.rungs).toHaveLength(segments);
      expect(checkSession(log)).toMatchObject({ ok: true });
      expectSameStory(outcome, log);
    }
  });

  test.each([
    ['a ladder of 300 video levels; a model plays 1 to 256', contentOf(300, 2000, 2)],
    ['a ladder of 0 video levels', contentOf(0, 2000, 2)],
    ['0 video segments of 2000 ms', contentOf(2, 2000, 0)],
    ['2 video levels, but sizes of 1', withoutTopSizes(contentOf(2, 2000, 2))],
  ])('refuses %s', (words, content) => {
    expect(() => model.simulate(sceneOf('lowest', content))).toThrow(words);
    expect(() => model.record(sceneOf('lowest', content))).toThrow(words);
  });

  test('says which model played over which path; seed and parameters make another session', () => {
    const { log } = model.record(sceneOf('bb'));
    expect(log.environment).toMatchObject({ simulator: model.id, link: 'up and down', rule: 'bb' });
    expect(log.id).toContain(`sim-${model.id}-bb-`);
    const otherRule = pick(decidableRules, 'fixed').tuned!({ level: 3 });
    const ids = [
      log.id,
      model.record({ ...sceneOf('bb'), seed: 8 }).log.id,
      model.record(sceneOf('fixed')).log.id,
      model.record({ ...sceneOf('bb'), rule: otherRule }).log.id,
      model.record({ ...sceneOf('bb'), trace: { ...trace, startMs: 0 } }).log.id,
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Rungs, stalls and QoE as a reader of the log finds them are those of the outcome. */
function expectSameStory(outcome: Outcome, log: SessionLog): void {
  const media = eventsOf(log, 'request').filter(
    ({ type, mediaType }) => type === 'media' && mediaType === 'video',
  );
  const bySegment = [...media].sort((one, other) => one.segment! - other.segment!);
  expect(bySegment.map(({ rung }) => rung)).toEqual([...outcome.rungs]);
  const stalls = eventsOf(log, 'stall').map(({ durationMs }) => durationMs!);
  expect(stalls.filter(isStall)).toHaveLength(outcome.stalls);
  const stalledMs = outcome.waitMs.subarray(1).reduce((sum, ms) => sum + ms, 0);
  expect(stalls.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(stalledMs, 6);
  const rendered = eventsOf(log, 'switch').filter(
    ({ phase, mediaType }) => phase === 'rendered' && mediaType === 'video',
  );
  const { rungs } = outcome;
  expect(rendered).toHaveLength(
    1 + rungs.filter((rung, index) => index > 0 && rung !== rungs[index - 1]).length,
  );
}
