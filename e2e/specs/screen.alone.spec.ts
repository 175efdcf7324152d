import { writeFileSync } from 'node:fs';
import { tools } from '../../lab/tools.ts';
import { formatFaults, formatRow, HEAD_ROW } from '../fixtures/screen/compareWithLog.ts';
import { startFaultyServer, type FaultyServer } from '../fixtures/screen/faultyServer.ts';
import { countLongStands, playScreenCase, type OpenBrowser } from '../fixtures/screen/playScreenCase.ts';
import { firefoxCases, screenMatrix, specialCases, type ScreenCase } from '../fixtures/screen/screenCases.ts';
import { screenSource } from '../fixtures/screen/screenStream.ts';
import { sampled } from '../fixtures/sampled.ts';
import { expect, test } from '../fixtures/test.ts';

/** Count of sessions at once, each in a browser of its own: of four on two cores, about one in 60 showed frames late. */
const AT_ONCE = 2;

/** A regular expression: the cases with such a name are played, and no others. */
const CHOSEN = process.env['PITWALL_SCREEN_CASES'];

/** Sample of cases that a plain run plays; the seed draws sound and silence, VoD and live, both presets. */
const SAMPLE = { count: 4, seed: 865 };

function casesToPlay(): readonly ScreenCase[] {
  const all = [...screenMatrix, ...specialCases, ...firefoxCases];
  if (CHOSEN !== undefined) return all.filter(({ name }) => new RegExp(CHOSEN).test(name));
  return process.env['PITWALL_FULL'] === '1' ? all : sampled([...screenMatrix, ...specialCases], SAMPLE);
}

let server: FaultyServer;
test.beforeAll(async () => {
  server = await startFaultyServer(await screenSource());
  console.log(HEAD_ROW);
});
test.afterAll(() => server.stop());

for (const batch of batchesOf(casesToPlay()))
  test(`the log says what was on the screen: ${batch.map(({ name }) => name).join('; ')}`, async ({
    open,
  }) => {
    const { firefox, missing } = tools();
    const needsFirefox = batch.some(({ browser }) => browser === 'firefox');
    test.skip(needsFirefox && firefox === null, missing['firefox'] ?? 'there is no Firefox');
    test.setTimeout(400_000);
    await Promise.all(batch.map((each) => check(open, each)));
  });

/** Splits cases into batches, none of which has sessions of two browsers. */
function batchesOf(cases: readonly ScreenCase[]): ScreenCase[][] {
  const batches: ScreenCase[][] = [];
  for (const each of cases) {
    const last = batches.at(-1);
    if (last && last.length < AT_ONCE && last[0]!.browser === each.browser) last.push(each);
    else batches.push([each]);
  }
  return batches;
}

async function check(open: OpenBrowser, screenCase: ScreenCase): Promise<void> {
  const { name, minStalls } = screenCase;
  const played = await playScreenCase(open, server, screenCase);
  const { comparison, disturbances } = played;
  console.log(formatRow(name, comparison));
  if (comparison.faults.length > 0) {
    console.log(formatFaults(comparison, disturbances));
    // A file for inspection keeps the log, what was recorded beside it, and both time lines.
    const file = `${name.replaceAll(/\W+/g, '-')}.json`;
    writeFileSync(test.info().outputPath(file), JSON.stringify(played));
  }
  // With fewer stalls, the faults of the server had no effect.
  expect.soft(countLongStands(comparison), `${name}: stalls on the screen`).toBeGreaterThanOrEqual(minStalls);
  expect.soft(comparison.faults, name).toEqual([]);
}
