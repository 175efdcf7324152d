import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { answersTo, recordedStates, replayDifferences } from '../fixtures/replayedRules.ts';
import { builtApp } from '../fixtures/builtApp.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { weightedNeural } from '../../src/abr/rules/neural/weightedNeural.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const MPD = '/media/test/template/manifest.mpd';
const PARAMETERS = { qoe: 'lin', guard: 'stalls', live: 'player' };
const shipped = (id: string): string => readFileSync(path.join(builtApp, 'models', `${id}.json`), 'utf8');

/** The rule as Node has it. */
function ableRule(): Rule {
  const rule = weightedNeural(PARAMETERS, shipped('neural'));
  if (!rule.ok) throw new Error(rule.error);
  return rule.value as Rule;
}

/** Takes down the path of everything that a tab asks for, from its first request on. */
const listedIn =
  (asked: string[]) =>
  async (tab: Page): Promise<void> =>
    void tab.on('request', (request) => asked.push(new URL(request.url()).pathname));

function expectReplayed(log: SessionLog, rule: Rule, min: number): void {
  expect(eventsOf(log, 'error')).toEqual([]);
  const { decisions, differences } = replayDifferences(log, rule);
  expect(decisions).toBe(eventsOf(log, 'decision').length);
  expect(decisions).toBeGreaterThanOrEqual(min);
  expect(differences).toEqual([]);
}

test('a link that names the rule has its code and its net ready before Start', async ({ open }) => {
  const { page } = await open({ mpd: MPD, autoplay: false });
  const asked: string[] = [];
  await listedIn(asked)(page);
  const link = new URL(page.url());
  link.search = 'rule=neural';
  await page.goto(link.href, { waitUntil: 'networkidle' });
  expect(asked.filter((url) => /nets-|models\//.test(url)).sort()).toEqual([
    expect.stringMatching(/^\/assets\/nets-/),
    '/models/neural.json',
  ]);
  expect(await page.evaluate(() => window.pitwall?.state().phase)).toBe('idle');
});

test('the net is loaded when it is chosen and not before, explains its choices, and a replay agrees', async ({
  open,
}) => {
  const { page, another } = await open({ mpd: MPD, autoplay: false });
  const asked: string[] = [];
  const ofNet = (): string[] => asked.filter((url) => /nets-|models\//.test(url));
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.waitForFunction(() => window.pitwall?.state().phase === 'idle');
  await page.waitForTimeout(1500);
  expect(ofNet()).toEqual([]);
  const session = await another({
    mpd: MPD,
    rule: 'neural',
    rateKbps: 900,
    beforeLoad: listedIn(asked),
  });
  await session.playing();
  expect(ofNet().sort()).toEqual([expect.stringMatching(/^\/assets\/nets-/), '/models/neural.json']);
  await session.page.waitForTimeout(8000);
  const log = await session.stop();
  expect(log.environment.ruleParameters).toMatchObject(PARAMETERS);
  expectReplayed(log, ableRule(), 7);
  await expect(session.page.locator('.rungs thead')).toContainText('probability');
  await expect(session.page.locator('.because')).toContainText('The net gives level');
});

const RULES = [{ id: 'neural', given: PARAMETERS, make: (text: string) => weightedNeural(PARAMETERS, text) }];

for (const { id, given, make } of RULES)
  test(`${id}, 10,000 states: the page’s own chunk and Node agree on every bit`, async ({ open }) => {
    const sessions = recordedStates(10_000, 7);
    const weights = shipped(id);
    const made = make(weights);
    if (!made.ok) throw new Error(made.error);
    const wanted = answersTo(made.value as Rule, sessions);
    expect(wanted.length).toBeGreaterThanOrEqual(10_000);
    expect(new Set(wanted).size).toBeGreaterThan(9000);
    const { page } = await open({ mpd: MPD, autoplay: false });
    const chunk = readdirSync(path.join(builtApp, 'assets')).find((name) => /^nets-.*\.js$/.test(name));
    await page.evaluate((given) => Object.assign(window, given), { sessions, weights });
    // The chunk's exports have lost their names: the one that takes these weights is the rule's.
    const found = (await page.evaluate(`(async () => {
      const makers = Object.values(await import(new URL('assets/${chunk}', location.href)));
      const made = makers.map((make) => {
        try { return make(${JSON.stringify(given)}, weights); } catch { return { ok: false }; }
      });
      return (${answersTo.toString()})(made.find(({ ok }) => ok).value, sessions);
    })()`)) as string[];
    expect(found.length).toBe(wanted.length);
    expect(found.findIndex((answer, index) => answer !== wanted[index])).toBe(-1);
  });
