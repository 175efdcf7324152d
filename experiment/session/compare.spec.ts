import { test } from '@playwright/test';
import { isPlayed, playCell, resumePair } from './playCell.ts';
import { hasTimeFor, readPlan, titleOf } from './plan.ts';
import { NO_TIME, NOT_SHOWN } from './progress/sessionWords.ts';
import { recordSession, type Recording } from './recordSession.ts';
import { whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const plan = readPlan();

// Every shard and every resumed run sees the same list: what is finished is skipped, not left out, because Playwright
// cuts the list into shards by counting.
for (const { name, isPair, cells } of plan.groups)
  test.describe(name, () => {
    // In one worker, one after the other; Playwright keeps such a group in one shard.
    test.describe.configure({ mode: isPair ? 'default' : 'parallel' });
    for (const [place, cell] of cells.entries())
      test(titleOf(cell), async () => {
        await resumePair(plan, cell);
        test.skip(await isPlayed(plan, cell), 'it has a log already');
        // Half a pair compares with nothing.
        test.skip(!hasTimeFor(plan, isPair ? cells.length - place : 1), NO_TIME);
        await playCell(plan, cell, record);
        // Also of sessions that were played again for the sake of the pair.
        for (const why of notShown.values())
          test.info().annotations.push({ type: NOT_SHOWN, description: why });
        notShown.clear();
      });
  });

/** By the session's id: why the last try of it that left a log never showed a frame, or downloaded nothing. */
const notShown = new Map<string, string>();

const wordsOf = ({ cell }: Recording): string =>
  cell.transfer === undefined ? 'no frame was shown' : 'nothing was downloaded';

async function record(recording: Recording): Promise<SessionLog> {
  const log = await recordSession(recording);
  const why = whyNotPlayed(log);
  if (why === null) notShown.delete(recording.cell.id);
  else notShown.set(recording.cell.id, `${wordsOf(recording)}: ${why}`);
  return log;
}
