import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import { durationSeconds, testRecipe } from '../../lab/content/ladder.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

// Each way of describing segments is played far enough that a second and third segment are needed.
for (const kind of ['template', 'timeline', 'base', 'list', 'multi-period', 'multi-audio'])
  test(`${kind} plays, and its ladder and requests are recorded`, async ({ open }) => {
    const session = await open({ mpd: `/media/test/${kind}/manifest.mpd` });
    await session.playing();
    await session.page.waitForFunction(() => window.pitwall!.state().playheadMs! > 5000);
    const log = await session.stop();
    expect(eventsOf(log, 'ladder').find(({ mediaType }) => mediaType === 'video')?.rungs).toHaveLength(3);
    const video = requestsIn(log).filter(({ mediaType }) => mediaType === 'video');
    expect(video.length).toBeGreaterThan(2);
    for (const request of video) {
      expect(request.rung).not.toBeNull();
      expect(request.representationId).not.toBeNull();
      expect(request.bitrateKbps).toBeGreaterThan(0);
    }
    expect(eventsOf(log, 'error')).toEqual([]);
    // QoE has values also where no manifest gives the length of a segment: the stream's index gives it.
    for (const { id, of } of metrics.filter(({ id }) => id.startsWith('qoe-')))
      expect(of(log).value, `${id} of ${kind}`).not.toBeNull();
  });

/** Length of the first of two periods, which have half of the segments each. */
const FIRST_PERIOD_MS = (durationSeconds(testRecipe) * 1000) / 2;

for (const rule of ['throughput', 'dashjs-bola'])
  test(`${rule} gets the level of the audio also for a period that is loaded ahead`, async ({ open }) => {
    const session = await open({ mpd: '/media/test/multi-period/manifest.mpd', rule });
    await session.playing();
    await session.page.waitForFunction(() => window.pitwall!.state().playheadMs! > 5000);
    const log = await session.stop();
    const requests = requestsIn(log).filter(({ type }) => type === 'media');
    const byId = new Map(requests.map((each) => [each.id, each]));
    const first = requests[0]!.periodId;
    const periodsAhead = new Set<string | null>();
    for (const { mediaType, requestId, atMs, moment } of eventsOf(log, 'decision')) {
      const { periodId } = byId.get(requestId ?? '') ?? { periodId: null };
      if (mediaType !== 'video' || periodId === null) continue;
      const isAudioLeft = requests.some(
        (each) => each.mediaType === 'audio' && each.periodId === periodId && each.atMs > atMs,
      );
      if (!isAudioLeft) continue;
      expect(moment).toHaveProperty('audioBufferMs');
      if (moment.playheadMs < FIRST_PERIOD_MS) periodsAhead.add(periodId);
    }
    // While the first period plays, there are decisions for the second one, too.
    expect(periodsAhead.size).toBe(2);
    expect(periodsAhead.has(first)).toBe(true);
  });

test('a rule that is switched during play takes over, and both are in the log', async ({ open }) => {
  const session = await open({ mpd: '/media/demo/manifest.mpd', rule: 'dashjs-bola' });
  await session.playing();
  await session.page.waitForTimeout(4000);
  await session.page.evaluate(() => window.pitwall!.useRule('throughput'));
  await session.page.waitForTimeout(8000);
  const log = await session.stop();
  expect(eventsOf(log, 'rule').map(({ rule }) => rule)).toEqual(['dashjs-bola', 'throughput']);
  const switchedAtMs = eventsOf(log, 'rule')[1]!.atMs;
  const decisions = eventsOf(log, 'decision').filter(({ mediaType }) => mediaType === 'video');
  const after = decisions.filter(({ atMs }) => atMs > switchedAtMs);
  expect(after.length).toBeGreaterThan(0);
  expect(new Set(after.map(({ rule }) => rule))).toEqual(new Set(['throughput']));
  // The rule votes exactly once for a segment: a custom rule that was installed twice would vote twice.
  for (const { votes } of after) expect(votes.filter(({ rule }) => rule === 'throughput')).toHaveLength(1);
});

for (const rule of ['dashjs-dynamic', 'dashjs-throughput', 'dashjs-bola', 'throughput'])
  test(`${rule}: every media request of video has its decision with votes`, async ({ open }) => {
    const session = await open({ mpd: '/media/demo/manifest.mpd', rule });
    await session.playing();
    await session.page.waitForTimeout(8000);
    const log = await session.stop();
    const decisions = eventsOf(log, 'decision').filter(({ mediaType }) => mediaType === 'video');
    const byRequest = new Map(decisions.map((each) => [each.requestId, each]));
    const media = requestsIn(log).filter(({ mediaType, attempt }) => mediaType === 'video' && attempt === 0);
    expect(media.length).toBeGreaterThan(2);
    for (const request of media) {
      const decision = byRequest.get(request.id);
      expect(decision, `${request.url} has no decision`).toBeDefined();
      expect(decision!.because.length).toBeGreaterThan(10);
    }
    // From the second segment on the rules have something to say.
    expect(decisions.slice(2).every(({ votes }) => votes.length > 0)).toBe(true);
  });
