import { answersOf, asUriAndSize, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';

/** Every phase that Resource Timing gives must lie between asking and the end, in the order of the standard. */
function expectOrderedPhases(request: RequestEvent): void {
  const { startMs, fetchStartMs, requestStartMs, firstByteMs, lastByteMs, endMs } = request;
  const phases = [startMs, fetchStartMs, requestStartMs, firstByteMs, lastByteMs].map((each) => each ?? NaN);
  expect(phases, request.url).toEqual([...phases].sort((a, b) => a - b));
  // The page saw the end after the last byte; the browser's two clocks differ by less than a timer's grain.
  expect(lastByteMs! - endMs!, request.url).toBeLessThanOrEqual(1);
  expect(startMs! - request.atMs, request.url).toBeGreaterThanOrEqual(-1);
}

for (const mode of ['h1', 'h2', 'h3-only'] as const)
  test(`byte ranges of one file over ${mode}: each entry is its own`, async ({ open, ownOrigin }) => {
    const session = await open({
      mpd: '/media/test/base/manifest.mpd',
      mode,
      rule: 'dashjs-bola',
      origin: ownOrigin,
    });
    await session.playing();
    await session.page.waitForTimeout(3000);
    // Back to the start: the same URLs and ranges once more.
    await session.page.evaluate(() => window.pitwall!.seek(0));
    await session.page.waitForTimeout(4000);
    await session.page.evaluate(() => window.pitwall!.seek(12_000));
    await session.page.waitForTimeout(2000);
    const log = await session.stop();

    const types = ['media', 'init', 'index'] as const;
    const requests = requestsIn(log, types);
    const answers = answersOf(ownOrigin, '/media/test/base/').filter(({ uri }) => !uri.endsWith('.mpd'));
    expect(requests.length).toBeGreaterThan(10);
    expect(new Set(requests.map(({ url }) => url)).size).toBeLessThan(requests.length);
    expect(requests.map(asUriAndSize.logged).sort()).toEqual(answers.map(asUriAndSize.answered).sort());

    const whole = requests.filter(({ outcome }) => outcome === 'ok');
    for (const request of whole) {
      expect(request.protocol, request.url).not.toBeNull();
      // The entry's own size is the received size: an entry of another range would differ.
      expect(request.encodedBodyBytes, `${request.url} ${request.range}`).toBe(request.receivedBytes);
      expectOrderedPhases(request);
    }
  });

test('a redirect is seen as one, and its entry is matched', async ({ open, ownOrigin }) => {
  const session = await open({ mpd: '/redirect/media/test/template/manifest.mpd', origin: ownOrigin });
  await session.playing();
  await session.page.waitForTimeout(3000);
  const log = await session.stop();
  const [manifest] = requestsIn(log, ['manifest']);
  expect(manifest?.outcome).toBe('ok');
  expect(manifest?.protocol).toBe('h2');
  expect(manifest?.url).toContain('/redirect/media/test/template/manifest.mpd');
  expect(manifest?.finalUrl).toContain('/media/test/template/manifest.mpd');
  expect(manifest?.finalUrl).not.toContain('/redirect/');
  const media = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  expect(media.length).toBeGreaterThan(3);
  for (const request of media) expectOrderedPhases(request);
});

test('without Timing-Allow-Origin protocol and phases are null, each with its reason', async ({
  open,
  ownOrigin,
}) => {
  const session = await open({ mpd: '/no-tao/media/test/template/manifest.mpd', origin: ownOrigin });
  await session.playing();
  await session.page.waitForTimeout(2000);
  const log = await session.stop();
  const media = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  expect(media.length).toBeGreaterThan(2);
  for (const request of media) {
    expect(request.protocol).toBeNull();
    expect(request.firstByteMs).toBeNull();
    expect(request.missing).toMatchObject({ protocol: 'no-tao', firstByteMs: 'no-tao' });
    expect(request.receivedBytes).toBeGreaterThan(0);
  }
  await expect(session.page.getByText(/Timing-Allow-Origin/).first()).toBeVisible();
});

test('CMCD in the query changes every URL and still every entry is matched', async ({ open, ownOrigin }) => {
  const session = await open({
    mpd: '/media/test/template/manifest.mpd',
    query: { cmcd: 'v1-query' },
    origin: ownOrigin,
  });
  await session.playing();
  await session.page.waitForTimeout(3000);
  const log = await session.stop();
  const answers = answersOf(ownOrigin, '/media/test/template/').filter(({ uri }) => uri.includes('.m4s'));
  expect(answers.every(({ uri }) => uri.includes('CMCD='))).toBe(true);
  const media = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  expect(media.length).toBeGreaterThan(3);
  for (const request of media) {
    expect(request.protocol).toBe('h2');
    // The value may identify a viewer: it must not leave in an export.
    expect(request.url).not.toContain('sid%3D');
  }
});
