import path from 'node:path';
import { formatJunit, formatMarkdown, formatText } from './formatGate.ts';
import type { GateOutcome } from './runGate.ts';
import { htmlReport } from '../report/read/htmlReport.ts';
import { loadSource } from '../report/read/loadSource.ts';
import { writeAtomically } from '../../node/files.ts';
import { reportModel } from '../report/model/reportModel.ts';

/** Files that were asked for besides those in the folder of the gate. */
interface GateFiles {
  readonly junit?: string;
  readonly markdown?: string;
  readonly root: string;
}

/** Writes the results of a gate: `verdict.txt` and the report of its sessions in its folder, and what was asked for. */
export async function writeGate(outcome: GateOutcome, { junit, markdown, root }: GateFiles): Promise<void> {
  const { outDir } = outcome;
  writeAtomically(path.join(outDir, 'verdict.txt'), `${formatText(outcome)}\n`);
  if (junit !== undefined) writeAtomically(junit, formatJunit(outcome));
  if (markdown !== undefined) writeAtomically(markdown, formatMarkdown(outcome));
  if (outcome.begun === 0) return;
  const file = path.join(outDir, 'report.html');
  writeAtomically(file, htmlReport(reportModel(await loadSource(outDir)), { folder: outDir, file, root }));
}
