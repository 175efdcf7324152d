import { expect } from 'vitest';
import type { Answer, Moment, Rule } from '../../abr/rule.ts';
import { lowest } from '../../abr/rules/fixed.ts';
import { checkSession } from '../../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Content, Track } from '../content.ts';
import type { Scene } from '../model.ts';
import { playerModelWith } from './playerModel.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** 1000 kbit/s: 12,500 bytes take 100 ms, 1250 bytes 10 ms. Bodies only, and a round trip of 100 ms. */
const PLAIN: Partial<PlayerModelSettings> = { payload: 1, rttMs: 100 };

export const steady = (rateKbps: number) => through([[1e9, rateKbps]]);
export const through = (pieces: [endMs: number, rateKbps: number][]) => ({
  name: 'made by hand',
  endMs: Float64Array.from(pieces, ([endMs]) => endMs),
  rateKbps: Float64Array.from(pieces, ([, rateKbps]) => rateKbps),
  rttMs: null,
  startMs: 0,
});

export const track = (changes: Partial<Track> = {}): Track => {
  const segments = changes.segments ?? 5;
  const sizes = Array.from({ length: segments }, () => 12_500);
  return {
    ladder: [50, 100].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
    segmentMs: 2000,
    segments,
    sizesBytes: [sizes, sizes],
    initBytes: null,
    ...changes,
  };
};
export const only = (video: Track): Content => ({ name: 'made by hand', video, audio: null });

/** A rule whose answers are given by the test, by segment. */
export const scripted = (decide: (moment: Moment) => Omit<Answer, 'because'>): Rule => ({
  ...(lowest as unknown as Rule),
  id: 'scripted',
  decide: (_, moment) => ({ because: 'The script says so.', ...decide(moment) }),
});

/** Plays with and without a log, which must be the same, and checks the log. */
export function play(changes: Partial<PlayerModelSettings>, scene: Partial<Scene> = {}) {
  const whole: Scene = {
    trace: steady(1000),
    content: only(track()),
    rule: lowest as Rule,
    seed: 1,
    ...scene,
  };
  const model = playerModelWith({ ...PLAIN, ...changes });
  const { outcome, log } = model.record(whole);
  expect(model.simulate(whole)).toEqual(outcome);
  expect(checkSession(JSON.parse(JSON.stringify(log)))).toMatchObject({ ok: true });
  return { outcome, log, joinMs: outcome.waitMs[0]!, requests: requestsOf(log) };
}

export const eventsOf = <Kind extends SessionEvent['kind']>(log: SessionLog, kind: Kind) =>
  log.events.filter((event): event is Extract<SessionEvent, { kind: Kind }> => event.kind === kind);
const requestsOf = (log: SessionLog) =>
  [...eventsOf(log, 'request')].sort((one, other) => one.atMs - other.atMs);
