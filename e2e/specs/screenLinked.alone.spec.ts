import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { tools } from '../../lab/tools.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import {
  compareWithLog,
  formatFaults,
  formatRow,
  HEAD_ROW,
  type Comparison,
} from '../fixtures/screen/compareWithLog.ts';
import { linkedCases, type LinkedCase } from '../fixtures/screen/linkedCases.ts';
import { countLongStands } from '../fixtures/screen/playScreenCase.ts';
import { playWithScreens, type ScreenedSession } from '../fixtures/screen/playWithScreens.ts';
import { shownPicture } from '../fixtures/screen/shownPicture.ts';
import { sampled } from '../fixtures/sampled.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

/** A regular expression: the campaigns with such a name are played, and no others. */
const CHOSEN = process.env['PITWALL_SCREEN_CASES'];

/** A busy machine makes frames late, and that is no matter of a log: where they differ, such a campaign is played again, so often. */
const TRIES = 3;

const casesToPlay = (): readonly LinkedCase[] => {
  if (CHOSEN !== undefined) return linkedCases.filter(({ name }) => new RegExp(CHOSEN).test(name));
  return process.env['PITWALL_FULL'] === '1' ? linkedCases : sampled(linkedCases, { count: 1, seed: 4 });
};

for (const linkedCase of casesToPlay())
  test(`over links, the log says what was on the screen: ${linkedCase.name}`, async () => {
    const { firefox, missing: missingTools } = tools();
    const needsFirefox = JSON.stringify(linkedCase.campaign).includes('"firefox"');
    test.skip(needsFirefox && firefox === null, missingTools['firefox'] ?? 'there is no Firefox');
    test.setTimeout(1_800_000);
    const sessions = await playUntilCalm(linkedCase);
    console.log(HEAD_ROW);
    for (const session of sessions) {
      const { log, comparison, disturbances } = session;
      console.log(formatRow(log.id, comparison));
      if (comparison.faults.length > 0) {
        console.log(formatFaults(comparison, disturbances));
        await keepForInspection(session);
      }
      expect.soft(countLongStands(comparison), log.id).toBeGreaterThanOrEqual(linkedCase.minStalls);
      expect.soft(eventsOf(log, 'seek'), log.id).toHaveLength(linkedCase.seeks);
      expect.soft(comparison.faults, log.id).toEqual([]);
    }
  });

interface Compared extends ScreenedSession {
  readonly comparison: Comparison;
  readonly disturbances: readonly string[];
}

/** Plays a campaign until the machine explains no difference; the last try counts as it is. */
async function playUntilCalm({ name, campaign, files }: LinkedCase): Promise<Compared[]> {
  for (let left = TRIES - 1; ; left -= 1) {
    const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-screens-'));
    try {
      const compared = (await playWithScreens(folder, campaign, files)).map((session) => ({
        ...session,
        comparison: compareWithLog(session.log, session.record),
        disturbances: shownPicture(session.record).disturbances,
      }));
      const disturbed = compared.find(
        ({ comparison, disturbances }) => comparison.faults.length > 0 && disturbances.length > 0,
      );
      if (!disturbed || left === 0) return compared;
      console.log(`  ${name}: again, ${disturbed.log.id}: ${disturbed.disturbances[0]}`);
      await keepForInspection(disturbed);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const keepForInspection = (session: Compared): Promise<void> =>
  writeFile(test.info().outputPath(`${session.log.id}.json`), JSON.stringify(session));
