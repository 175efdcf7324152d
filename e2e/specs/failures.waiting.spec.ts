import type { RequestListener } from 'node:http';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { misbehave } from '../fixtures/misbehave.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE MPD [<!ENTITY a "ha">${'bcdefghij'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghij'[index]};`.repeat(10)}">`)
  .join('')}]><MPD>&j;</MPD>`;
const NO_RUNGS = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S"><Period><AdaptationSet mimeType="video/mp4"></AdaptationSet></Period></MPD>`;

test.describe('an MPD that cannot be played ends with one clear sentence', () => {
  const answer =
    (body: string, cors = true): RequestListener =>
    (_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/dash+xml',
        ...(cors ? { 'Access-Control-Allow-Origin': '*', 'Timing-Allow-Origin': '*' } : {}),
      });
      response.end(body);
    };
  for (const [what, listener, sentence] of [
    ['not XML', answer('this is no manifest'), /not (valid )?(XML|an MPD)|XML/i],
    ['an entity bomb', answer(ENTITY_BOMB), /entit|DOCTYPE|document type/i],
    ['an empty ladder', answer(NO_RUNGS), /no (playable|video|stream|representation)|nothing to play|empty/i],
    ['no CORS', answer('<MPD/>', false), /CORS|Access-Control-Allow-Origin/i],
    [
      '404',
      ((_q, r) => void r.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end()) as RequestListener,
      /404/,
    ],
  ] as const)
    test(what, async ({ open }) => {
      const server = await misbehave(listener);
      try {
        const session = await open({ mpd: `${server.url}/x.mpd` });
        await expect(session.page.getByRole('alert')).toContainText(sentence, { timeout: 45_000 });
        const log = await session.log();
        // The log may have dash.js' own error, too; the end of playback is reported once.
        const errors = eventsOf(log, 'error').filter(({ fatal, code }) => fatal && code === 'ended');
        expect(errors).toHaveLength(1);
        expect(requestsIn(log, ['manifest']).length).toBeGreaterThan(0);
      } finally {
        await server.close();
      }
    });

  test('unreachable', async ({ open }) => {
    const session = await open({ mpd: 'http://localhost:1/x.mpd' });
    await expect(session.page.getByRole('alert')).toContainText(/reach/i, { timeout: 45_000 });
    const [request] = requestsIn(await session.log(), ['manifest']);
    expect(request?.outcome).toBe('network-error');
    expect(request?.status).toBeNull();
    expect(request?.missing['status']).toBe('failed');
  });
});

// The proxy passes on all requests below the folder of the test stream, except those that `spoil` takes.
test.describe('a segment that goes wrong', () => {
  for (const [what, spoil, expected] of [
    ['404 once', { status: 404, times: 1 }, 'http-error'],
    ['503 twice', { status: 503, times: 2 }, 'http-error'],
    ['truncated once', { truncate: true, times: 1 }, 'network-error'],
  ] as const)
    test(`${what}: playback recovers and the log shows each try`, async ({ open }) => {
      let left: number = spoil.times;
      const upstream = await startOrigin();
      const proxy = await misbehave((request, response) => {
        const bad = /\/3\.m4s$/.test(request.url ?? '') && left > 0;
        // The request is counted before the answer of the origin arrives: sound and video may make requests at the same time.
        if (bad) left -= 1;
        if (bad && 'status' in spoil) {
          response
            .writeHead(spoil.status, { 'Access-Control-Allow-Origin': '*', 'Timing-Allow-Origin': '*' })
            .end();
          return;
        }
        void fetch(`http://127.0.0.1:${upstream.httpPort}${request.url}`).then(async (answer) => {
          const body = Buffer.from(await answer.arrayBuffer());
          response.writeHead(answer.status, {
            'Content-Type': answer.headers.get('content-type') ?? 'video/mp4',
            'Content-Length': body.length,
            'Access-Control-Allow-Origin': '*',
            'Timing-Allow-Origin': '*',
          });
          if (!bad) return void response.end(body);
          response.write(body.subarray(0, body.length >> 1), () => response.destroy());
        });
      });
      try {
        const session = await open({ mpd: `${proxy.url}/media/test/template/manifest.mpd` });
        await session.playing();
        await session.page.waitForFunction(() => window.pitwall!.state().playheadMs! > 9000, null, {
          timeout: 60_000,
        });
        const log = await session.stop();
        const failed = requestsIn(log).filter(({ outcome }) => outcome === expected);
        expect(failed.length).toBe(spoil.times);
        expect(left).toBe(0);
        const spoiled = failed[0]!;
        const again = requestsIn(log).filter(({ url, outcome }) => url === spoiled.url && outcome === 'ok');
        // The segment whose request failed came later, at its own or at another rung.
        const later = requestsIn(log).filter(
          ({ segment, mediaType, outcome, atMs }) =>
            segment === spoiled.segment &&
            mediaType === spoiled.mediaType &&
            outcome === 'ok' &&
            atMs > spoiled.atMs,
        );
        expect(again.length + later.length).toBeGreaterThan(0);
      } finally {
        await proxy.close();
        await upstream.stop();
      }
    });

  test('an origin killed in mid-play and restarted: playback goes on, the log has the failures', async ({
    open,
    ownOrigin,
  }) => {
    const session = await open({ mpd: '/media/demo/manifest.mpd', origin: ownOrigin });
    await session.playing();
    await session.page.waitForTimeout(3000);
    await ownOrigin.kill('SIGKILL');
    await session.page.waitForTimeout(25_000);
    await ownOrigin.restart();
    const { playheadMs } = await session.state();
    await session.page.waitForFunction(
      (from) => window.pitwall!.state().playheadMs! > from + 8000,
      playheadMs,
      { timeout: 60_000 },
    );
    const log = await session.stop();
    expect(requestsIn(log).filter(({ outcome }) => outcome === 'network-error').length).toBeGreaterThan(0);
    expect(eventsOf(log, 'error').filter(({ fatal }) => fatal)).toEqual([]);
  });

  test('segments that are gone for good end with one clear message', async ({ open, ownOrigin }) => {
    const server = await misbehave((_request, response) => {
      const mpd = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT24S" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S"><BaseURL>${ownOrigin.httpsUrl}/status/404/</BaseURL><Period><AdaptationSet mimeType="video/mp4" codecs="vp09.00.10.08"><SegmentTemplate media="$Number$.m4s" initialization="init.mp4" duration="2" startNumber="1"/><Representation id="v" bandwidth="100000" width="320" height="180"/></AdaptationSet></Period></MPD>`;
      response
        .writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/dash+xml' })
        .end(mpd);
    });
    try {
      const session = await open({ mpd: `${server.url}/gone.mpd`, origin: ownOrigin });
      await expect(session.page.getByRole('alert')).toContainText(
        /initialization segment of the video \(init\.mp4\).*404/,
        {
          timeout: 40_000,
        },
      );
      const log = await session.log();
      expect(eventsOf(log, 'error').filter(({ fatal }) => fatal)).toHaveLength(1);
      expect(requestsIn(log, ['init', 'media']).every(({ status }) => status === 404)).toBe(true);
    } finally {
      await server.close();
    }
  });
});

test('an outage is named on the picture: first the failures, then the stall, then its end', async ({
  open,
}) => {
  const { page, playing } = await open({ mpd: '/media/demo/manifest.mpd' });
  await playing();
  const line = page.locator('#trouble');
  await expect(line).toBeHidden();
  await page.context().setOffline(true);
  await expect(line).toContainText(/No segment has come for [\d.]+ s: \d+ failures?\./, {
    timeout: 40_000,
  });
  await expect(page.locator('#diag .now').first()).toBeVisible();
  await expect(line).toContainText(/^Stalled for [\d.]+ s\./, { timeout: 60_000 });
  await expect(page.locator('#f-rebuffer')).toContainText(/stalled for [\d.]+ s now/);
  await page.context().setOffline(false);
  await expect(line).toContainText(/plays again\./, { timeout: 40_000 });
  await expect(line).toBeHidden({ timeout: 15_000 });
});
