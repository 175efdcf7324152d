import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { playRule } from '../fixtures/playRule.ts';
import { expect, test } from '../fixtures/test.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';

const MPD = '/media/test/template/manifest.mpd';

test('a link’s parameters and seed are what the rule runs with, what the log says and what the link carries on', async ({
  open,
}) => {
  const session = await open({ mpd: MPD, rule: 'fixed:level=2', query: { seed: '7' } });
  await session.playing();
  await session.page.waitForTimeout(3000);
  await expect(session.page.locator('#share-url')).toContainText('rule=fixed:level=2');
  await expect(session.page.locator('#share-url')).toContainText('seed=7');
  await expect(session.page.locator('#rule option:checked')).toHaveText('Fixed · level=2');
  const log = await session.stop();
  expect(log.environment).toMatchObject({ rule: 'fixed', ruleParameters: { level: 2 } });
  expect(eventsOf(log, 'rule')).toMatchObject([{ rule: 'fixed', parameters: { level: 2 }, seed: 7 }]);
  const decided = requestsIn(log).filter(({ mediaType }) => mediaType === 'video');
  expect(decided.length).toBeGreaterThan(3);
  expect(new Set(decided.map(({ rung }) => rung))).toEqual(new Set([1]));
});

test('other parameters act at once on what plays', async ({ open }) => {
  const session = await open({ mpd: '/media/demo/manifest.mpd', rule: 'fixed' });
  await session.playing();
  await session.page.locator('#advanced-button').click();
  await session.page.locator('#rule-parameters').fill('level=3');
  await session.page.locator('#rule-parameters').press('Tab');
  await session.page.waitForTimeout(6000);
  await session.page.locator('#rule-parameters').fill('rungs=2');
  await session.page.locator('#rule-parameters').press('Tab');
  await expect(session.page.locator('#alert')).toContainText('The rule fixed has no parameter "rungs"');
  const log = await session.stop();
  expect(eventsOf(log, 'rule').map(({ parameters }) => parameters)).toEqual([{ level: 1 }, { level: 3 }]);
  const video = requestsIn(log).filter(({ mediaType }) => mediaType === 'video');
  expect(video.at(-1)?.rung).toBe(2);
});

for (const [rule, sentence] of [
  ['fixed:rungs=1', 'The rule fixed has no parameter "rungs"; it has level.'],
  ['dashjs-bola:gp=5', 'The rule dashjs-bola is a part of dash.js: its parameters are those of the preset.'],
  ['magic', 'Unknown rule "magic"; known: dashjs-dynamic,'],
] as const)
  test(`a link with the rule ${rule} does not play another rule: it says what is wrong`, async ({ open }) => {
    const { page } = await open({ mpd: MPD, rule });
    await page.waitForFunction(() => window.pitwall?.state().phase === 'failed');
    await expect(page.locator('#alert')).toContainText(sentence);
  });

test('a preset with parameters plays with them, and its link says so', async ({ open }) => {
  const preset = 'experiment:bufferSeconds=6:timeoutSeconds=5';
  const { page, playing, stop } = await open({ mpd: MPD, preset });
  await playing();
  await page.waitForTimeout(6000);
  expect(await page.locator('#share-url').textContent()).toContain(`preset=${preset}`);
  const log = await stop();
  expect(log.environment.preset).toBe(preset);
  expect(log.environment.settings).toMatchObject({
    'streaming.buffer.bufferTimeDefault': 6,
    'streaming.fragmentRequestTimeout': 5000,
  });
  const levels = eventsOf(log, 'buffer').filter(({ mediaType }) => mediaType === 'video');
  // Without the parameter the buffer grows up to 20 s.
  expect(Math.max(...levels.map(({ levelMs }) => levelMs))).toBeLessThanOrEqual(6000);
});

test('another preset leaves the parameters of the one before it', async ({ open }) => {
  const { page } = await open({ mpd: MPD, preset: 'experiment:bufferSeconds=6', autoplay: false });
  await page.locator('#preset').selectOption('as-shipped');
  await expect(page.locator('#share-url')).toHaveText(/preset=as-shipped$/);
  await expect(page.locator('#preset-about')).toHaveText('These settings have no parameters.');
});

for (const [name, sentence] of [
  ['preset', 'Unknown preset "foo"; known: '],
  ['cmcd', 'Unknown CMCD mode "foo"; known: off, '],
] as const)
  test(`a link with another ${name} than there is says so`, async ({ open }) => {
    const { page } = await open({ mpd: MPD, query: { [name]: 'foo' } });
    await expect(page.locator('#alert')).toContainText(sentence);
  });

for (const rule of ['sara:initialMs=2000:alphaMs=4000:betaMs=6000', 'bola:bufferMaxMs=9000'])
  test(`a request that ${rule} holds back leaves when the buffer has fallen to the level it named`, async ({
    open,
  }) => {
    const browser = await open({ mpd: MPD, autoplay: false });
    const log = await playRule(browser, { rule, seconds: 14, tab: { rateKbps: 20_000 } });
    expect(eventsOf(log, 'error')).toEqual([]);
    const requests = new Map(requestsIn(log).map((request) => [request.id, request]));
    const holds = eventsOf(log, 'decision').flatMap((decision) => {
      const { mediaType, requestId, holdUntilBufferMs, moment, atMs } = decision;
      if (mediaType !== 'video' || requestId === null || holdUntilBufferMs === null) return [];
      const excessMs = Math.max(0, moment.bufferMs - holdUntilBufferMs);
      return [{ excessMs, waitedMs: requests.get(requestId)!.atMs - atMs }];
    });
    expect(holds.length).toBeGreaterThan(2);
    // The buffer falls by a second a second; the player looks every 50 ms, and asks anew.
    for (const { excessMs, waitedMs } of holds) {
      expect(waitedMs).toBeGreaterThan(excessMs - 150);
      expect(waitedMs).toBeLessThan(excessMs + 1000);
    }
    expect(holds.filter(({ excessMs }) => excessMs > 500).length).toBeGreaterThan(1);
  });

const NET = {
  name: 'net.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(testWeights([150, 300, 600]))),
};

test('a rule that cannot decide without its weights says so, and plays once it has them', async ({
  open,
}) => {
  const { page, playing, stop } = await open({ mpd: MPD, rule: 'pensieve' });
  await page.waitForFunction(() => window.pitwall?.state().phase === 'failed');
  await expect(page.locator('#alert')).toContainText('The rule pensieve needs its weights');
  await expect(page.locator('#weights')).toBeVisible();
  await page.locator('#weights-file').setInputFiles({
    name: 'broken.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format": "other"}'),
  });
  await page.locator('#start').click();
  await expect(page.locator('#alert')).toContainText('The weights of pensieve cannot be used:');
  await page.locator('#weights-file').setInputFiles(NET);
  await expect(page.locator('#weights-note')).toContainText('net.json is chosen');
  await page.locator('#drop-weights').click();
  await expect(page.locator('#weights-note')).toContainText('needs its weights');
  await expect(page.locator('#drop-weights')).toBeHidden();
  // The file that was dropped can be chosen once more, and another rule does not keep it.
  await page.locator('#weights-file').setInputFiles(NET);
  await page.locator('#rule').selectOption('neural');
  await page.locator('#rule').selectOption('pensieve');
  await expect(page.locator('#weights-note')).not.toContainText('net.json');
  await page.locator('#weights-file').setInputFiles(NET);
  await page.locator('#start').click();
  await playing();
  await page.waitForTimeout(4000);
  const log = await stop();
  expect(log.environment.rule).toBe('pensieve');
  expect(eventsOf(log, 'error')).toEqual([]);
  const ours = eventsOf(log, 'decision').filter(({ rule }) => rule === 'pensieve');
  expect(ours.length).toBeGreaterThan(4);
});
