import { startLiveStream } from '../../lab/content/liveStream.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { misbehave } from '../fixtures/misbehave.ts';
import { expect, test } from '../fixtures/test.ts';

const OPEN = { 'Access-Control-Allow-Origin': '*', 'Timing-Allow-Origin': '*' };

/** A live stream whose encoder stands: what was asked for meanwhile is never made. With `isOver` its manifest is gone, too. */
async function brokenLive(isOver: boolean) {
  const stream = await startLiveStream();
  const missing = new Set<string>();
  let isOut = false;
  const server = await misbehave(async (request, response) => {
    const path = request.url ?? '';
    if (isOut && path.endsWith('.m4s')) missing.add(path);
    if (missing.has(path)) return void response.writeHead(404, OPEN).end();
    if (isOut && isOver && path.endsWith('.mpd')) return void response.writeHead(410, OPEN).end();
    const answer = await fetch(`${stream.proxyUrl}${path}`);
    response.writeHead(answer.status, OPEN).end(Buffer.from(await answer.arrayBuffer()));
  });
  return {
    mpd: `${server.url}/manifest.mpd`,
    setOut: (now: boolean): void => void (isOut = now),
    async stop(): Promise<void> {
      await server.close();
      await stream.stop();
    },
  };
}

test('a live stream plays on at its edge after an outage, and ends with a sentence where none ends it', async ({
  open,
}) => {
  const [paused, over] = await Promise.all([brokenLive(false), brokenLive(true)]);
  try {
    const [one, other] = await Promise.all([open({ mpd: paused.mpd }), open({ mpd: over.mpd })]);
    await Promise.all([one.playing(), other.playing()]);
    paused.setOut(true);
    over.setOut(true);
    const outAtMs = Date.now();
    await one.page.waitForTimeout(24_000);
    paused.setOut(false);
    // It is where it will be once segments come again: seeks to the edge move it meanwhile.
    await one.page.waitForTimeout(20_000);
    // The page shows the place in the window that can be played, which goes on, too.
    const seconds = () => one.page.evaluate(() => document.querySelector('video')!.currentTime);
    const from = await seconds();
    await one.page.waitForTimeout(10_000);
    expect((await seconds()) - from).toBeGreaterThan(8);
    const log = await one.stop();
    expect(eventsOf(log, 'error').filter(({ fatal }) => fatal)).toEqual([]);
    expect(eventsOf(log, 'jump').some(({ by }) => by === 'recovery')).toBe(true);
    expect(eventsOf(log, 'seek')).toEqual([]);
    const latencies = eventsOf(log, 'playback').flatMap(({ state, liveLatencyMs }) =>
      state === 'sample' && liveLatencyMs !== null ? [liveLatencyMs] : [],
    );
    expect(latencies.at(-1)).toBeLessThan(12_000);

    await expect(other.page.getByRole('alert')).toContainText(
      'The stream is over: the server answers 410 for its manifest, and no more segments come.',
      { timeout: 200_000 },
    );
    expect(Date.now() - outAtMs).toBeGreaterThan(110_000);
    const ended = await other.log();
    expect(eventsOf(ended, 'error').filter(({ fatal }) => fatal)).toHaveLength(1);
    expect(requestsIn(ended).some(({ status }) => status === 404)).toBe(true);
  } finally {
    await Promise.all([paused.stop(), over.stop()]);
  }
});
