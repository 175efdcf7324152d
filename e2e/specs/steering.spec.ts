import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { folderOf, type Origin } from '../../lab/caddy/origin.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';
import { pick } from '../../src/shared/registry.ts';
import { replaySteering } from '../../src/sim/replay/replaySteering.ts';
import { steeringPolicies } from '../../src/steering/registry.ts';
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

/** Once the policy chose, all media came over the pathway without HTTP/3. */
function expectAllOverTcp(log: SessionLog): void {
  const choices = eventsOf(log, 'steering');
  expect(choices.map(({ pathway }) => pathway)).toEqual(['tcp']);
  const after = requestsIn(log, ['media']).filter(({ atMs }) => atMs > choices[0]!.atMs);
  expect(after.length).toBeGreaterThan(3);
  for (const { pathway, protocol } of after) expect([pathway, protocol]).toEqual(['tcp', 'h2']);
  expect(eventsOf(log, 'error')).toEqual([]);
}

test('a pathway is used once it is checked; requests carry its name, and its origin knows h2 only', async ({
  open,
  origin,
}) => {
  const tcpOrigin = await startOrigin({ host: 'tcp.origin.test', protocols: ['h1', 'h2'] });
  try {
    const session = await open({
      mpd: MPD,
      mode: 'h3-only',
      origin,
      tcpOrigin,
      query: { steering: 'fixed:pathway=tcp' },
    });
    await session.playing();
    const overlay = session.page.locator('#overlay');
    await expect(overlay.locator('.pathway'), 'of the latest segment').toHaveText('on tcp');
    await expect(overlay).toContainText('h2');
    const log = await played(session);
    expect(log.environment.steering).toMatchObject({
      policy: 'fixed',
      parameters: { pathway: 'tcp' },
      pathways: [
        { id: 'main', base: origin.httpsUrl, carries: 'any' },
        { id: 'tcp', base: tcpOrigin.httpsUrl, carries: 'tcp' },
      ],
    });
    expectAllOverTcp(log);
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

/** The template stream, whose files are on each of these servers: BaseURL elements in this order. */
function declaring(servers: Readonly<Record<string, string>>): string {
  const folder = folderOf(contentMounts()['/media/test']!)!;
  const text = readFileSync(path.join(folder, 'template', 'manifest.mpd'), 'utf8');
  const elements = Object.entries(servers).map(
    ([id, base]) => `<BaseURL serviceLocation="${id}">${base}${STREAM}/</BaseURL>`,
  );
  return text.replace('</ProgramInformation>', `</ProgramInformation>${elements.join('')}`);
}

test.describe('pathways that the MPD declares', () => {
  let folder = '';
  const started: Origin[] = [];
  let main: Origin;
  let tcp: Origin;

  test.beforeAll(async () => {
    // Not beside `folder`: Playwright reads this file in its own process, too, where nothing would remove it.
    folder = mkdtempSync(path.join(tmpdir(), 'pitwall-declared-'));
    main = await startOrigin({ mounts: { '/declared': folder } });
    started.push(main);
    tcp = await startOrigin({ host: 'tcp.origin.test', protocols: ['h1', 'h2'] });
    started.push(tcp);
  });
  test.afterAll(async () => {
    for (const each of started) await each.stop();
    rmSync(folder, { recursive: true });
  });

  const declaredSession = async (
    open: (options: SessionOptions) => Promise<OpenSession>,
    { mpd, query }: { mpd: string; query: Readonly<Record<string, string>> },
  ): Promise<OpenSession> => {
    writeFileSync(path.join(folder, 'manifest.mpd'), mpd);
    return open({
      mpd: '/declared/manifest.mpd',
      mode: 'h3-only',
      origin: main,
      otherOrigins: [tcp],
      query,
    });
  };

  test('are used as given ones are, without a parameter of the link', async ({ open }) => {
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl });
    const session = await declaredSession(open, { mpd, query: { steering: 'fixed:pathway=tcp' } });
    const log = await played(session);
    expect(log.environment.steering).toMatchObject({ policy: 'fixed', pathways: [] });
    const [start] = eventsOf(log, 'steering-input');
    expect(start?.input).toMatchObject({
      kind: 'start',
      pathways: [
        { id: 'main', base: `${main.httpsUrl}${STREAM}`, carries: 'any' },
        { id: 'tcp', base: `${tcp.httpsUrl}${STREAM}`, carries: 'tcp' },
      ],
    });
    expectAllOverTcp(log);
  });

  test('the first one fails: dash.js leaves it, and so does steering', async ({ open }) => {
    const mpd = declaring({ main: `${main.httpsUrl}/status/503`, tcp: tcp.httpsUrl });
    const session = await declaredSession(open, { mpd, query: { steering: 'browser' } });
    const log = await played(session);
    const left = eventsOf(log, 'error').filter(({ code }) => code === 'pathway');
    expect(left.map(({ message }) => message)).toEqual([
      `The pathway main is left out: ${new URL(main.httpsUrl).host} answered 503.`,
    ]);
    const media = requestsIn(log, ['media']);
    expect(media.length).toBeGreaterThan(3);
    expect([...new Set(media.map(({ pathway }) => pathway))]).toEqual(['tcp']);
  });

  test('dash.js leaves one that fails later, and the session goes on over the other', async ({ open }) => {
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl });
    const session = await declaredSession(open, { mpd, query: { steering: 'throughput' } });
    await session.playing();
    await session.page.waitForTimeout(1500);
    await session.page.route(`${main.httpsUrl}/**`, (route) => route.abort('connectionreset'));
    const log = await played(session, 10);
    const choices = eventsOf(log, 'steering');
    expect(choices[0]?.pathway).toBe('main');
    const away = choices.find(({ pathway }) => pathway === 'tcp');
    expect(away?.because).toBe('A request over main failed.');
    const after = requestsIn(log, ['media']).filter(
      ({ atMs, outcome }) => atMs > away!.atMs && outcome === 'ok',
    );
    expect(after.length).toBeGreaterThan(1);
    expect([...new Set(after.map(({ pathway }) => pathway))]).toEqual(['tcp']);
    expect(eventsOf(log, 'error').filter(({ fatal }) => fatal)).toEqual([]);
  });

  test('content steering names the first one, and another one later', async ({ open }) => {
    const order = (...ids: string[]): void =>
      writeFileSync(
        path.join(folder, 'steering.json'),
        JSON.stringify({ VERSION: 1, TTL: 1, 'PATHWAY-PRIORITY': ids }),
      );
    order('tcp', 'main');
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl }).replace(
      '<BaseURL',
      `<ContentSteering queryBeforeStart="true">${main.httpsUrl}/declared/steering.json</ContentSteering><BaseURL`,
    );
    const session = await declaredSession(open, { mpd, query: { steering: 'browser' } });
    await session.playing();
    await session.page.waitForTimeout(500);
    order('main', 'tcp');
    const log = await played(session, 8);
    const choices = eventsOf(log, 'steering');
    expect(choices.map(({ fromPathway, pathway }) => [fromPathway, pathway])).toEqual([
      [undefined, 'tcp'],
      ['tcp', 'main'],
    ]);
    expect(choices[1]!.because).toBe('Content steering names main first.');
    const later = requestsIn(log, ['media']).filter(({ atMs }) => atMs > choices[1]!.atMs);
    expect([...new Set(later.map(({ pathway }) => pathway))]).toEqual(['main']);
    const replayed = replaySteering(log, pick(steeringPolicies, 'browser'));
    expect(replayed?.identical).toBe(replayed?.choices.length);
    expect(eventsOf(log, 'error')).toEqual([]);
  });

  test('a session ends while content steering is being asked', async ({ open }) => {
    writeFileSync(
      path.join(folder, 'steering.json'),
      JSON.stringify({ VERSION: 1, TTL: 1, 'PATHWAY-PRIORITY': ['tcp', 'main'] }),
    );
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl }).replace(
      '<BaseURL',
      `<ContentSteering queryBeforeStart="true">${main.httpsUrl}/declared/steering.json</ContentSteering><BaseURL`,
    );
    const session = await declaredSession(open, { mpd, query: { steering: 'browser' } });
    await session.playing();
    const asked = session.page.waitForRequest('**/steering.json?*');
    await session.page.route('**/steering.json?*', () => undefined);
    await asked;
    const log = await session.stop();
    const outcomes = requestsIn(log, ['steering']).map(({ outcome }) => outcome);
    expect([outcomes[0], outcomes.at(-1)]).toEqual(['ok', 'in-flight']);
  });

  test('a policy that does not use what content steering names first is pulled away', async ({ open }) => {
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl }).replace(
      '<BaseURL',
      `<ContentSteering defaultServiceLocation="main">${main.httpsUrl}/declared/none.json</ContentSteering><BaseURL`,
    );
    const session = await declaredSession(open, { mpd, query: { steering: 'fixed:pathway=tcp' } });
    const [choice] = eventsOf(await played(session, 3), 'steering');
    expect(choice).toMatchObject({ pathway: 'tcp', pulledAway: true });
  });

  test('without a policy in the link nothing is steered', async ({ open }) => {
    const mpd = declaring({ main: main.httpsUrl, tcp: tcp.httpsUrl });
    const log = await played(await declaredSession(open, { mpd, query: {} }), 3);
    expect(log.environment.steering).toBeUndefined();
    expect(mediaPathways(log)).toEqual([undefined]);
  });
});

test('a policy without pathways gets one sentence, and playback goes on', async ({ open }) => {
  const log = await played(await open({ mpd: MPD, query: { steering: 'throughput' } }), 3);
  expect(eventsOf(log, 'error').map(({ code, fatal }) => [code, fatal])).toEqual([['pathway', false]]);
  expect(eventsOf(log, 'error')[0]!.message).toMatch(/^Nothing is steered: /);
  expect(requestsIn(log, ['media']).length).toBeGreaterThan(1);
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
