import { readFileSync } from 'node:fs';
import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { describe, expect, it } from 'vitest';
import { checkedAnswer } from '../../abr/answer.ts';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import { abrRules } from '../../abr/registry.ts';
import type { Rule } from '../../abr/rule.ts';
import { createRuleRunner } from '../../abr/runner.ts';
import { pick } from '../../shared/registry.ts';
import { valueOf } from '../../shared/result.ts';
import { questionOf } from './dashTerms.ts';

const LADDER_KBPS = [200, 400, 800, 1200, 1850, 2850, 4300, 6000];
const TOP = LADDER_KBPS.length - 1;
const SEGMENT_MS = 4000;
const LINK_KBPS = 300_000;
const DELAY_MS = 20;
/** As often as a hold looks whether the buffer has fallen (`hold.ts`). */
const LOOK_MS = 50;
const LENGTH_MS = 3_600_000;
const PLAYED_MS = 240_000;
/** What happens before is the start. */
const STEADY_MS = 120_000;

/** dash.js' defaults, s. */
const BUFFER = { bufferTimeDefault: 18, bufferTimeAtTopQuality: 30, bufferTimeAtTopQualityLongForm: 60 };
const targetMsAt = (rung: number): number =>
  1000 * (rung === TOP ? BUFFER.bufferTimeAtTopQuality : BUFFER.bufferTimeDefault);

interface Playing {
  nowMs: number;
  bufferMs: number;
  rung: number;
  segment: number;
}

const CHOICES = LADDER_KBPS.map((kbps, index) => ({
  id: `v${index}`,
  bandwidth: kbps * 1000,
  width: 100 * (index + 1),
  height: 0,
  segmentDuration: SEGMENT_MS / 1000,
}));

/** The part of dash.js that the bridge asks. Its buffer target depends on the level that it is set to. */
function fakeDash(playing: Playing): { player: MediaPlayerClass; context: RulesContext } {
  const schedule = {
    getBufferTarget: () => targetMsAt(playing.rung) / 1000,
    getPlaybackController: () => ({ getStreamController: () => ({ getStreams: () => [] }) }),
  };
  const processor = {
    getType: () => 'video',
    getLastSegment: () => (playing.segment === 0 ? null : {}),
    probeNextRequest: () => ({ index: playing.segment, startTime: (playing.segment * SEGMENT_MS) / 1000 }),
  };
  const playheadMs = (): number => playing.segment * SEGMENT_MS - playing.bufferMs;
  const player = {
    getVideoElement: () => ({
      currentTime: playheadMs() / 1000,
      duration: LENGTH_MS / 1000,
      playbackRate: 1,
    }),
    getDashMetrics: () => ({ getCurrentBufferLevel: () => playing.bufferMs / 1000 }),
    getSettings: () => ({ streaming: { buffer: BUFFER } }),
    getActiveStream: () => ({ getId: () => 'p0', getStreamProcessors: () => [processor] }),
    isDynamic: () => false,
  };
  const context = {
    getMediaType: () => 'video',
    getMediaInfo: () => null,
    getStreamInfo: () => ({ index: 0, id: 'p0' }),
    getRepresentation: () => CHOICES[playing.rung],
    getScheduleController: () => schedule,
    getAbrController: () => ({ getPossibleVoRepresentationsFilteredBySettings: () => CHOICES }),
  };
  return { player: player as unknown as MediaPlayerClass, context: context as unknown as RulesContext };
}

/** The levels that a rule chose over a constant fast link, with dash.js' loop: it asks where a segment fits. */
function levelsOf(rule: Rule): { atMs: number; rung: number }[] {
  const playing: Playing = { nowMs: 0, bufferMs: 0, rung: 0, segment: 0 };
  const { player, context } = fakeDash(playing);
  const { offer } = questionOf(player, context, 0)!;
  const fail = (fault: unknown): never => {
    throw fault as Error;
  };
  const runner = createRuleRunner(rule, { mediaType: 'video', ...offer, live: false, seed: 1 }, fail);
  const chosen: { atMs: number; rung: number }[] = [];
  const wait = (ms: number): void => {
    playing.nowMs += ms;
    playing.bufferMs = Math.max(0, playing.bufferMs - ms);
  };
  while (playing.nowMs < PLAYED_MS) {
    if (playing.bufferMs + SEGMENT_MS >= targetMsAt(playing.rung)) {
      wait(LOOK_MS);
      continue;
    }
    const { moment } = questionOf(player, context, playing.nowMs)!;
    const checked = checkedAnswer(runner.ask(moment), LADDER_KBPS.length);
    if (!checked.ok) throw new Error(checked.error);
    const { rung, holdUntilBufferMs } = checked.value;
    playing.rung = rung;
    chosen.push({ atMs: playing.nowMs, rung });
    if (holdUntilBufferMs !== null && playing.bufferMs > holdUntilBufferMs) {
      wait(LOOK_MS);
      continue;
    }
    const sizeBytes = (LADDER_KBPS[rung]! * SEGMENT_MS) / 8;
    const startMs = playing.nowMs;
    const tookMs = DELAY_MS + (8 * sizeBytes) / LINK_KBPS;
    wait(tookMs);
    const { segment } = playing;
    playing.bufferMs += SEGMENT_MS;
    playing.segment += 1;
    runner.tell({
      kind: 'download',
      mediaType: 'video',
      segment,
      rung,
      bitrateKbps: LADDER_KBPS[rung]!,
      sizeBytes,
      startMs,
      firstByteMs: startMs + DELAY_MS,
      lastByteMs: startMs + tookMs,
      protocol: 'h2',
      connectionReused: true,
      aborted: false,
    });
  }
  return chosen;
}

/** A net of made-up numbers may do anything: where one ships, it is asked. */
async function shipped(rule: Rule): Promise<Rule> {
  const { withWeights, shippedWeights } = pick(abrRules, rule.id);
  if (!withWeights || shippedWeights === undefined) return rule;
  return valueOf(await withWeights(readFileSync(`public/${shippedWeights}`, 'utf8')));
}
const rules = await Promise.all(decidableRules.map(shipped));

/** How often the level changed in the steady state. */
function changesOf(rule: Rule): number {
  const steady = levelsOf(rule).filter(({ atMs }) => atMs >= STEADY_MS);
  expect(steady.length).toBeGreaterThan(10);
  return steady.filter(({ rung }, index) => index > 0 && rung !== steady[index - 1]!.rung).length;
}

describe('over a constant fast link, with the buffer targets of dash.js', () => {
  it.each(rules.map((rule) => [rule.id, rule] as const))('%s stays on a level', (_, rule) =>
    expect(changesOf(rule)).toBe(0),
  );

  it('a rule that its own answer moves would be noticed', () => {
    const moved: Rule = {
      ...decidableRules[0]!,
      start: () => null,
      observe: () => null,
      decide: (_, { lastRung }) => ({ rung: lastRung === TOP ? 0 : TOP, because: 'It moves.' }),
    };
    expect(changesOf(moved)).toBeGreaterThan(10);
  });
});

describe('the buffer target that a rule is given', () => {
  it('is the same at every level', () => {
    const playing: Playing = { nowMs: 0, bufferMs: 9000, rung: 0, segment: 3 };
    const { player, context } = fakeDash(playing);
    const targets = LADDER_KBPS.map((_, rung) => {
      playing.rung = rung;
      return questionOf(player, context, 0)!.moment.bufferTargetMs;
    });
    expect(new Set(targets)).toEqual(new Set([18_000]));
  });
});
