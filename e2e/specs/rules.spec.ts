import { eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import { playRules } from '../fixtures/playRule.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { expect, test } from '../fixtures/test.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Rules that cannot decide before a file is read need one more thing than an id. */
const rules = abrRules.filter(({ withWeights }) => withWeights === undefined).map(({ id }) => id);

/** What was decided and requested within two seconds of a moment, so that a red test says how it came. */
function formatAround(log: SessionLog, { id, atMs }: RequestEvent): string {
  const near = <Event extends { atMs: number }>(events: readonly Event[]): Event[] =>
    events.filter((each) => Math.abs(each.atMs - atMs) < 2000);
  const decisions = near(eventsOf(log, 'decision')).map(
    (each) =>
      `${Math.round(each.atMs)} ms: ${each.mediaType}, level ${each.rung === null ? '-' : each.rung + 1} for ${each.requestId}; ` +
      `buffer ${Math.round(each.moment.bufferMs)} ms, hold until ${each.holdUntilBufferMs}`,
  );
  return [`Request ${id}`, ...decisions, formatRequests(near(requestsIn(log)))].join('\n');
}

/** dash.js knows the playhead as it was at its last event of time. */
const SLACK_MS = 300;

const mediaRequests = (log: SessionLog, mediaType: 'video' | 'audio'): RequestEvent[] =>
  eventsOf(log, 'request').filter(
    (each) => each.mediaType === mediaType && each.type === 'media' && each.outcome === 'ok',
  );

test.describe('every rule of ours', () => {
  test.describe.configure({ mode: 'serial' });
  let logs: ReadonlyMap<string, SessionLog> = new Map();

  test('plays in a real browser', async ({ open }) => {
    const browser = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
    logs = await playRules(browser, rules);
    expect([...logs.keys()].sort()).toEqual([...rules].sort());
  });

  for (const rule of rules)
    test(`${rule}, replayed, chooses the same at every decision, for the same reasons`, () => {
      const log = logs.get(rule)!;
      const { decisions, differences } = replayDifferences(log, pick(abrRules, rule));
      expect(decisions).toBe(eventsOf(log, 'decision').length);
      expect(decisions).toBeGreaterThan(6);
      expect(differences).toEqual([]);
    });

  for (const rule of rules)
    test(`${rule} gets the level of the audio, for each decision about video`, () => {
      const log = logs.get(rule)!;
      const levels = eventsOf(log, 'buffer').filter(({ mediaType }) => mediaType === 'audio');
      const lastAudioMs = Math.max(...mediaRequests(log, 'audio').map(({ atMs }) => atMs));
      let compared = 0;
      for (const { mediaType, atMs, moment } of eventsOf(log, 'decision')) {
        if (mediaType === 'audio') expect(moment).not.toHaveProperty('audioBufferMs');
        else if (atMs <= lastAudioMs) expect(moment).toHaveProperty('audioBufferMs');
        const before = levels.findLast((each) => each.atMs <= atMs);
        const after = levels.find((each) => each.atMs > atMs);
        if (moment.audioBufferMs === undefined || !before || !after) continue;
        // Between two records the level falls by the time that passes at most, and may rise by what arrives.
        const min = Math.min(before.levelMs - (atMs - before.atMs), after.levelMs);
        const max = Math.max(before.levelMs, after.levelMs + (after.atMs - atMs));
        expect(moment.audioBufferMs).toBeGreaterThan(min - SLACK_MS);
        expect(moment.audioBufferMs).toBeLessThan(max + SLACK_MS);
        compared += 1;
      }
      expect(compared).toBeGreaterThan(1);
    });

  for (const rule of rules)
    test(`${rule} decides for every segment, says why, and does not fail`, () => {
      const log = logs.get(rule)!;
      expect(eventsOf(log, 'error')).toEqual([]);
      expect(log.environment.rule).toBe(rule);
      for (const mediaType of ['video', 'audio'] as const) {
        const decisions = eventsOf(log, 'decision').filter((each) => each.mediaType === mediaType);
        expect(new Set(decisions.map((each) => each.rule))).toEqual(new Set([rule]));
        for (const { because, rung } of decisions) {
          expect(because).toMatch(/^[A-Z].*\.$/);
          expect(rung).not.toBeNull();
        }
        const media = mediaRequests(log, mediaType);
        expect(media.length).toBeGreaterThan(2);
        const byRequest = new Map(decisions.map((each) => [each.requestId, each]));
        const different = media.filter(({ id, rung }) => byRequest.get(id)?.rung !== rung);
        expect(different.map((request) => formatAround(log, request))).toEqual([]);
      }
    });
});
