import { readFileSync } from 'node:fs';
import path from 'node:path';
import { warn } from '../../node/print.ts';
import { formatCount } from '../../src/shared/format.ts';
import { readTrialFolder } from '../store/readTrialFolder.ts';
import { trialReport, type TrialReport } from '../tell/trialReport.ts';

/** Reads the folder of a trial and makes its report. @throws Error in one sentence, also where no session has arrived */
export async function trialFolderReport(folder: string): Promise<TrialReport> {
  const { trial, data, tornLines } = await readTrialFolder(folder);
  if (tornLines > 0) warn(`${folder}: ${formatCount(tornLines, 'line')} cut off by a crash left out.`);
  if (data.sessions.length === 0) throw new Error(`${folder}: There is no session yet.`);
  return trialReport(trial, data);
}

/** Reads the page's tokens and the styles of reports. */
export const reportStyles = (root: string): string =>
  ['src/ui/tokens.css', 'experiment/report/html/report.css']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
