import { readFileSync } from 'node:fs';
import path from 'node:path';
import { warn } from '../../node/print.ts';
import { formatCount } from '../../src/shared/format.ts';
import { readKeptTrial, readTrialRows } from '../store/readTrialFolder.ts';
import { trialColumns } from '../tell/trialColumns.ts';
import { trialReport, type TrialReport } from '../tell/trialReport.ts';

/** Reads the folder of a trial and makes its report. @throws Error in one sentence, also where no session has arrived */
export async function trialFolderReport(folder: string): Promise<TrialReport> {
  const trial = await readKeptTrial(folder);
  const stored = trialColumns();
  const tornLines = await readTrialRows(folder, stored);
  if (tornLines > 0) warn(`${folder}: ${formatCount(tornLines, 'line')} cut off by a crash left out.`);
  if (stored.beaconCount() === 0) throw new Error(`${folder}: There is no session yet.`);
  return trialReport(trial, stored);
}

/** Reads the page's tokens and the styles of reports. */
export const reportStyles = (root: string): string =>
  ['src/ui/tokens.css', 'experiment/report/html/report.css']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
