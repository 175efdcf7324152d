import { startPacedServer } from '../../lab/content/pacedServer.ts';
import { paces } from '../../lab/content/paces.ts';
import { demoMounts } from '../../lab/content/contentMounts.ts';
import { kbpsOf } from '../../src/shared/units.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { requestsIn, uriOf } from '../fixtures/logEvents.ts';
import { ORIGIN_HOST, startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const videoOf = (log: SessionLog): RequestEvent[] =>
  requestsIn(log).filter(({ mediaType, outcome }) => mediaType === 'video' && outcome === 'ok');

/** Whether a lower rung is chosen after the rate's first step down, from 4 to 0.8 Mbit/s after 12 s. */
const reacts = (video: readonly RequestEvent[]): boolean =>
  video.some(
    ({ rung, startMs }, index) =>
      index > 0 && rung! < video[index - 1]!.rung! && startMs! - video[0]!.startMs! > 12_000,
  );

test('a newcomer watches the rule react to a pace of the demo, over the protocol of the browser', async ({
  open,
}) => {
  const paced = await startPacedServer(demoMounts());
  const origin = await startOrigin({
    mounts: { '/paced': { proxyUrl: paced.proxyUrl } },
    answers: ({ httpsPort }) => ({
      '/pitwall.json': JSON.stringify({
        demoUrl: `https://${ORIGIN_HOST}:${httpsPort}/media/demo/manifest.mpd`,
        paces: paces.map(({ id, label, about }) => ({
          label,
          about,
          demoUrl: `https://${ORIGIN_HOST}:${httpsPort}/paced/${id}/{viewer}/media/demo/manifest.mpd`,
        })),
      }),
    }),
  });
  try {
    const session = await open({ origin, mpd: '/media/demo/manifest.mpd', autoplay: false });
    const { page } = session;
    await page.goto(`${origin.httpUrl}/`);
    await page.getByRole('link', { name: /A rate that changes/ }).click();
    await session.playing();
    // A busy machine comes later to the end of its first high segments; within a minute the rate falls again, to 0.4.
    await expect
      .poll(async () => reacts(videoOf(await session.log())), { timeout: 60_000, intervals: [2000] })
      .toBe(true);
    const video = videoOf(await session.stop());
    expect(uriOf(video[0]!)).toMatch(/^\/paced\/changing\/\w+\/media\/demo\//);
    expect(new Set(video.map(({ protocol }) => protocol))).toEqual(new Set(['h2']));
    const fastest = Math.max(
      ...video.map(({ receivedBytes, startMs, lastByteMs }) =>
        kbpsOf(receivedBytes!, lastByteMs! - startMs!)!,
      ),
    );
    expect(fastest).toBeLessThan(4200);
  } finally {
    await origin.stop();
    await paced.stop();
  }
});

test('a browser that cannot use the origin of the demo says why it plays the plain copy, also from a link', async ({
  open,
}) => {
  const demoUrl = `https://${ORIGIN_HOST}:9/media/demo/manifest.mpd`;
  const description = JSON.stringify({ demoUrl, plainDemoUrl: 'media/demo/manifest.mpd' });
  const origin = await startOrigin({ answers: () => ({ '/pitwall.json': description }) });
  try {
    const { page } = await open({ origin, mpd: '/media/demo/manifest.mpd', autoplay: false });
    for (const query of ['', `?mpd=${origin.httpUrl}/media/demo/manifest.mpd&autoplay=0`]) {
      await page.goto(`${origin.httpUrl}/${query}`);
      await expect(page.getByRole('group', { name: /^Transport/ })).toContainText(
        `http/1.1 only: this browser does not trust or reach ${ORIGIN_HOST}:9.`,
      );
    }
  } finally {
    await origin.stop();
  }
});
