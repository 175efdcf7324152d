import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../node/files.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import type { Trial } from '../design/trialFile.ts';
import { dayOf, type LogKind } from '../store/dayLogs.ts';
import { keepTrial } from '../store/readTrialFolder.ts';
import { TRUTH_FILE } from '../store/rollDays.ts';
import type { Scenario } from './scenarios.ts';
import { simulateTrial, type SimulatedTrial } from './simulateTrial.ts';

interface Asked {
  readonly sessions: number;
  readonly seed: number;
  readonly folder: string;
}

/**
 * Simulates a trial and writes it as the server stores one, with `truth.json` beside it.
 * @throws Error in one sentence where the folder has something
 */
export function writeSimulated(
  trial: Trial,
  scenario: Scenario,
  { sessions, seed, folder }: Asked,
): SimulatedTrial {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder}: It is not empty, and simulated sessions must not mix with others.`);
  makeFolder(folder);
  const simulated = simulateTrial(trial, scenario, { sessions, seed });
  keepTrial(folder, trial);
  writeDays(folder, 'assignments', simulated.data.assignments, ({ atMs }) => atMs);
  writeDays(folder, 'sessions', simulated.data.sessions, ({ receivedMs }) => receivedMs);
  const truth = {
    scenario: scenario.id,
    meaning: scenario.meaning,
    seed,
    sessions,
    difference: simulated.truth,
  };
  writeAtomically(path.join(folder, TRUTH_FILE), `${JSON.stringify(truth, null, 2)}\n`);
  return simulated;
}

function writeDays<Row>(
  folder: string,
  kind: LogKind,
  rows: readonly Row[],
  atMs: (row: Row) => number,
): void {
  makeFolder(path.join(folder, kind));
  for (const [day, of] of groupBy(rows, (row) => dayOf(atMs(row))))
    writeAtomically(
      path.join(folder, kind, `${day}.jsonl`),
      of.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
}
