import type { TrialData } from '../design/fieldSession.ts';
import type { Trial } from '../design/trialFile.ts';
import { readKeptTrial, readTrialRows } from './readTrialFolder.ts';

/** What a folder of a trial has. */
export interface TrialFolder {
  readonly trial: Trial;
  readonly data: TrialData;
  readonly tornLines: number;
}

/** Reads a trial and the rows that it has stored. */
export async function readTrialFolder(folder: string): Promise<TrialFolder> {
  const trial = await readKeptTrial(folder);
  const data = {
    sessions: [] as TrialData['sessions'][number][],
    assignments: [] as TrialData['assignments'][number][],
    switches: [] as TrialData['switches'][number][],
  };
  const tornLines = await readTrialRows(folder, {
    session: (row) => data.sessions.push(row),
    assignment: (row) => data.assignments.push(row),
    turn: (row) => data.switches.push(row),
  });
  return { trial, data, tornLines };
}
