import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { paddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { makePaddedStream } from '../../lab/content/padded/paddedStream.ts';
import { requireTool } from '../../lab/tools.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { readNetLog } from '../../src/telemetry/netlog/readNetLog.ts';
import { eventsOf, answersOf, requestsIn, uriOf } from '../fixtures/logEvents.ts';
import { sampled } from '../fixtures/sampled.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? NaN;

/** While a browser on two cores starts and fills its buffer, it reads late what has long arrived. */
const SETTLED_AFTER_MS = 2000;

/**
 * Small segments of 20 kB, because a send buffer takes a large one whole long before it has arrived (with 40 kB over h3, about
 * the first window of quic-go, the median was 5.0 ms, with 20 kB 3.4 ms); and more of them than
 * the buffer takes at once. NetLog is held to every request; the origin, at the other end of the browser's queues, to those
 * of a session that has settled.
 * DevTools is no independent transport source: its times come from where Resource Timing gets them. The network
 * stack's own log and the origin's log are.
 */
for (const mode of sampled(['h1', 'h2', 'h3-only'] as const, { count: 1, seed: 2 }))
  test(`first and last byte over ${mode} agree with NetLog and origin`, async ({ open }, info) => {
    const recipe = paddedRecipe(envivio, {
      segmentSeconds: 2,
      seconds: 120,
      ladderKbps: [40, 80],
      audioKbps: 32,
    });
    const { folder } = await makePaddedStream(recipe, {
      cacheFolder: requireTool('cacheFolder'),
      ffmpeg: requireTool('ffmpeg'),
      fontFile: requireTool('fontFile'),
    });
    const origin = await startOrigin({ mounts: { '/media/small': folder } });
    const netLogFile = info.outputPath('net.json');
    await mkdir(path.dirname(netLogFile), { recursive: true });
    const played = async () => {
      const session = await open({ mpd: '/media/small/manifest.mpd', mode, netLogFile, origin });
      await session.playing();
      await session.page.waitForTimeout(15_000);
      const log = await session.stop();
      await session.close();
      return { log, answers: answersOf(origin, '/media/small/') };
    };
    const { log, answers } = await played().finally(() => origin.stop());

    const media = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
    const netLog = readNetLog(await readFile(netLogFile, 'utf8'));
    if (!netLog.ok) throw new Error(netLog.error);
    const unixMs = (sessionMs: number | null): number => log.clock.startedAtUnixMs + (sessionMs ?? NaN);

    const pairs = media.map((request) => ({
      request,
      net: netLog.value.requests.find(
        ({ url, receivedBytes }) => url.endsWith(uriOf(request)) && receivedBytes > 0,
      ),
      answer: answers.find(({ uri }) => uri === uriOf(request)),
    }));
    expect(pairs.every(({ net, answer }) => net && answer)).toBe(true);
    const firstFrame = eventsOf(log, 'playback').find(({ state }) => state === 'playing')!;
    const settled = pairs.filter(({ request }) => request.atMs > firstFrame.atMs + SETTLED_AFTER_MS);
    expect(settled.length).toBeGreaterThan(8);

    const firstByte = pairs.map(({ request, net }) =>
      Math.abs(unixMs(request.firstByteMs) - net!.firstByteUnixMs!),
    );
    const lastByte = pairs.map(({ request, net }) =>
      Math.abs(unixMs(request.lastByteMs) - net!.lastByteUnixMs!),
    );
    // The origin has begun when the request's headers were there, and is done when its transport took the last byte.
    const originFirst = settled.map(({ request, answer }) =>
      Math.abs(unixMs(request.firstByteMs) - answer!.startMs),
    );
    const originLast = settled.map(({ request, answer }) =>
      Math.abs(unixMs(request.lastByteMs) - answer!.endMs),
    );
    for (const [what, values] of Object.entries({ firstByte, lastByte, originFirst, originLast })) {
      const text = `${mode} ${what}: median ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms of ${values.length}`;
      info.annotations.push({ type: 'difference', description: text });
      console.log(text);
      expect(quantile(values, 0.5), text).toBeLessThanOrEqual(5);
    }
  });
