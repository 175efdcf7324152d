import { formatRow, formatTimeLines, HEAD_ROW } from '../fixtures/screen/compareWithLog.ts';
import { startFaultyServer, type FaultyServer } from '../fixtures/screen/faultyServer.ts';
import { countLongStands, playScreenCase, type OpenBrowser } from '../fixtures/screen/playScreenCase.ts';
import { specialCases, screenMatrix, type ScreenCase } from '../fixtures/screen/screenCases.ts';
import { screenSource } from '../fixtures/screen/screenStream.ts';
import { sampled } from '../fixtures/sampled.ts';
import { expect, test } from '../fixtures/test.ts';
import { mkdirSync, writeFileSync } from 'node:fs';

/** So many play at once: two cores present the frames of that many tiny pictures in time. */
const AT_ONCE = Number(process.env['SCREEN_AT_ONCE'] ?? 3);

let server: FaultyServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startFaultyServer(await screenSource());
  console.log(HEAD_ROW);
});
test.afterAll(() => server.stop());

const chosen = process.env['SCREEN_CASES'];
const cases = [...sampled(screenMatrix, { count: 4, seed: 31 }), ...specialCases];
const all = chosen
  ? [...screenMatrix, ...specialCases].filter(({ name }) => new RegExp(chosen).test(name))
  : cases;
const batches = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
  all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
);

for (const batch of batches)
  test(`the log says what was on the screen: ${batch.map(({ name }) => name).join('; ')}`, async ({
    open,
  }) => {
    test.setTimeout(400_000);
    await Promise.all(batch.map((each) => check(open, each)));
  });

async function check(open: OpenBrowser, screenCase: ScreenCase): Promise<void> {
  const played = await playScreenCase(open, server, screenCase);
  const { comparison, disturbances } = played;
  console.log(formatRow(screenCase.name, comparison));
  if (comparison.faults.length > 0) console.log(formatTimeLines(comparison));
  for (const each of disturbances) console.log(`    disturbed: ${each}`);
  for (const each of comparison.faults) console.log(`    ${each}`);
  if (process.env['SCREEN_OUT']) {
    mkdirSync(process.env['SCREEN_OUT'], { recursive: true });
    writeFileSync(
      `${process.env['SCREEN_OUT']}/${screenCase.name.replaceAll(/\W+/g, '-')}.json`,
      JSON.stringify(played),
    );
  }
  expect
    .soft(countLongStands(comparison), `${screenCase.name}: stalls on the screen`)
    .toBeGreaterThanOrEqual(screenCase.minStalls);
  expect.soft(comparison.faults, screenCase.name).toEqual([]);
}
