import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const STREAM = '/media/test/template';
const MPD = `${STREAM}/manifest.mpd`;

async function played(session: OpenSession, seconds = 6): Promise<SessionLog> {
  await session.playing();
  await session.page.waitForTimeout(seconds * 1000);
  return session.stop();
}

const mediaPathways = (log: SessionLog): (string | undefined)[] => [
  ...new Set(requestsIn(log, ['media']).map(({ pathway }) => pathway)),
];

test('a pathway is used once it is checked; requests carry its name, and its origin knows h2 only', async ({
  open,
  origin,
}) => {
  const tcpOrigin = await startOrigin({ host: 'tcp.origin.test', protocols: ['h1', 'h2'] });
  try {
    const session = await open({
      ...{ mpd: MPD, mode: 'h3-only', origin, tcpOrigin },
      query: { steering: 'fixed:pathway=tcp' },
    });
    await session.playing();
    const overlay = session.page.locator('#overlay');
    await expect(overlay.locator('.pathway'), 'of the latest segment').toHaveText('on tcp');
    await expect(overlay).toContainText('h2');
    const log = await played(session);
    expect(log.environment.steering).toMatchObject({
      ...{ policy: 'fixed', parameters: { pathway: 'tcp' } },
      pathways: [
        { id: 'main', base: origin.httpsUrl, carries: 'any' },
        { id: 'tcp', base: tcpOrigin.httpsUrl, carries: 'tcp' },
      ],
    });
    const choices = eventsOf(log, 'steering');
    expect(choices.map(({ pathway }) => pathway)).toEqual(['tcp']);
    const after = requestsIn(log, ['media']).filter(({ atMs }) => atMs > choices[0]!.atMs);
    expect(after.length).toBeGreaterThan(3);
    for (const { pathway, protocol } of after) expect([pathway, protocol]).toEqual(['tcp', 'h2']);
    expect(eventsOf(log, 'error')).toEqual([]);
    expect(new Set(readAccessLog(tcpOrigin.accessLogFile).map(({ protocol }) => protocol))).toEqual(
      new Set(['h2']),
    );
  } finally {
    await tcpOrigin.stop();
  }
});

/** What is wrong with a pathway, by the prefix of the origin that makes it so. */
const BAD: [string, string, RegExp][] = [
  ['answers 404', `/status/404${STREAM}`, /^The pathway tcp is left out: origin\.test:\d+ answered 404\.$/],
  ['answers 503', `/status/503${STREAM}`, /^The pathway tcp is left out: origin\.test:\d+ answered 503\.$/],
  [
    'does not allow the page to read it',
    `/no-cors${STREAM}`,
    /^The pathway tcp is left out: origin\.test:\d+ does not answer, or does not allow this page to read its files \(CORS\)\.$/,
  ],
  [
    'has other files',
    '/media/demo',
    /^The pathway tcp is left out: origin\.test:\d+ (answered 404|serves other bytes .*)\.$/,
  ],
];

test.describe('a pathway that', () => {
  for (const [name, base, sentence] of BAD)
    test(`${name} is left out in one sentence, and playback goes on as without it`, async ({
      open,
      origin,
    }) => {
      const session = await open({
        mpd: MPD,
        query: { pathway: `tcp=${origin.httpsUrl}${base}`, steering: 'fixed:pathway=tcp' },
      });
      const log = await played(session, 4);
      const errors = eventsOf(log, 'error');
      expect(errors.map(({ code, fatal }) => [code, fatal])).toEqual([['pathway', false]]);
      expect(errors[0]!.message).toMatch(sentence);
      expect(mediaPathways(log)).toEqual(['main']);
      expect(eventsOf(log, 'stall')).toEqual([]);
    });
});

test('a pathway or a policy that cannot be read is refused before anything plays', async ({ open }) => {
  const session = await open({ mpd: MPD, autoplay: false });
  const { page } = session;
  for (const [query, sentence] of [
    ['pathway=tcp', 'The pathway “tcp” is not of the form tcp=https://tcp.cdn.example.'],
    ['pathway=tcp=https://a.example&steering=best', 'Unknown policy "best"; known: browser, '],
  ]) {
    const refused = await page.evaluate(
      ([mpd, more]) =>
        window.pitwall!.open(`?mpd=${mpd}&${more}`).then(
          () => 'it played',
          (error: unknown) => String(error),
        ),
      [MPD, query!],
    );
    expect(refused).toContain(sentence);
  }
});
