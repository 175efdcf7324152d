import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { answersOf, requestsIn, uriOf } from '../fixtures/mediaRequests.ts';
import { expect, test } from '../fixtures/test.ts';
import { readNetLog } from '../../src/telemetry/netlog/readNetLog.ts';

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? NaN;

/**
 * The smallest segments: the kernel's send buffer takes a large one whole long before it has arrived, and over h3 a
 * hundred packets keep the browser of a slow machine busy for longer than the clocks may differ.
 * DevTools is no independent witness: its times come from where Resource Timing gets them. The network stack's own
 * log and the origin's log are.
 */
for (const mode of ['h1', 'h2', 'h3-only'] as const)
  test(`first and last byte over ${mode} agree with NetLog and origin`, async ({ open, ownOrigin }, info) => {
    const netLogFile = info.outputPath('net.json');
    await mkdir(path.dirname(netLogFile), { recursive: true });
    const session = await open({
      mpd: '/media/test/template/manifest.mpd',
      mode,
      netLogFile,
      origin: ownOrigin,
      rule: 'lowest',
    });
    await session.playing();
    await session.page.waitForTimeout(12_000);
    const log = await session.stop();
    await session.close();

    const media = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
    const netLog = readNetLog(await readFile(netLogFile, 'utf8'));
    if (!netLog.ok) throw new Error(netLog.error);
    const answers = answersOf(ownOrigin, '/media/test/template/');
    const unixMs = (sessionMs: number | null): number => log.clock.startedAtUnixMs + (sessionMs ?? NaN);

    const pairs = media.map((request) => ({
      request,
      net: netLog.value.requests.find(
        ({ url, receivedBytes }) => url.endsWith(uriOf(request)) && receivedBytes > 0,
      ),
      answer: answers.find(({ uri }) => uri === uriOf(request)),
    }));
    expect(pairs.length).toBeGreaterThan(8);
    expect(pairs.every(({ net, answer }) => net && answer)).toBe(true);

    const firstByte = pairs.map(({ request, net }) =>
      Math.abs(unixMs(request.firstByteMs) - net!.firstByteUnixMs!),
    );
    const lastByte = pairs.map(({ request, net }) =>
      Math.abs(unixMs(request.lastByteMs) - net!.lastByteUnixMs!),
    );
    // The origin has begun when the request's headers were there, and is done when its transport took the last byte.
    const originFirst = pairs.map(({ request, answer }) =>
      Math.abs(unixMs(request.firstByteMs) - answer!.startMs),
    );
    const originLast = pairs.map(({ request, answer }) =>
      Math.abs(unixMs(request.lastByteMs) - answer!.endMs),
    );
    for (const [what, values] of Object.entries({ firstByte, lastByte, originFirst, originLast })) {
      const text = `${mode} ${what}: median ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms of ${values.length}`;
      info.annotations.push({ type: 'difference', description: text });
      console.log(text);
      expect(quantile(values, 0.5), text).toBeLessThanOrEqual(5);
    }
  });
