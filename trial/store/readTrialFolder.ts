import { createHash } from 'node:crypto';
import path from 'node:path';
import { readText, writeAtomically } from '../../node/files.ts';
import { valueOf } from '../../src/shared/result.ts';
import { foldCmcd, type CmcdRow } from '../design/cmcdSessions.ts';
import type { AssignmentRow, FieldSession, SwitchRow } from '../design/fieldSession.ts';
import { readTrial } from '../design/readTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import type { TrialData } from '../tell/enrol.ts';
import type { LogKind } from './dayLogs.ts';
import { logFilesOf, readLog } from './readLogs.ts';
import { readRolledSessions } from './rollDays.ts';

const TRIAL_FILE = 'trial.json';

/** What a folder of a trial has. */
export interface TrialFolder {
  readonly trial: Trial;
  readonly data: TrialData;
  /** Lines that a crash cut off, and that no sender was answered for. */
  readonly tornLines: number;
}

/** Keeps the trial beside its data, with a fingerprint in place of the salt: whoever has the folder cannot find ids by trying. */
export function keepTrial(folder: string, trial: Trial): void {
  const kept: Trial = { ...trial, salt: fingerprintOf(trial) };
  writeAtomically(path.join(folder, TRIAL_FILE), `${JSON.stringify(kept, null, 2)}\n`);
}

const fingerprintOf = ({ salt }: Trial): string =>
  `sha256:${createHash('sha256').update(salt).digest('hex').slice(0, 24)}`;

/** @throws Error in one sentence for a folder whose ids were hashed with another salt */
export async function mustBeFolderOf(folder: string, trial: Trial): Promise<void> {
  const kept = await readKeptTrial(folder);
  if (kept.salt !== fingerprintOf(trial))
    throw new Error(`${folder}: Its ids were hashed with another salt than that of the trial file.`);
}

async function readKeptTrial(folder: string): Promise<Trial> {
  const file = path.join(folder, TRIAL_FILE);
  return valueOf(readTrial(await readText(file), file));
}

/** Reads a trial and what it has stored. @throws Error in one sentence */
export async function readTrialFolder(folder: string): Promise<TrialFolder> {
  const trial = await readKeptTrial(folder);
  const [sessions, events, assignments, switches] = [
    await readLogs<FieldSession>(folder, 'sessions'),
    await readLogs<CmcdRow>(folder, 'events'),
    await readLogs<AssignmentRow>(folder, 'assignments'),
    await readLogs<SwitchRow>(folder, 'switches'),
  ];
  return {
    trial,
    data: {
      sessions: [...(await readRolledSessions(folder)), ...sessions.rows, ...foldCmcd(events.rows)],
      assignments: assignments.rows,
      switches: switches.rows,
    },
    tornLines: sessions.torn + events.torn + assignments.torn + switches.torn,
  };
}

async function readLogs<Row>(folder: string, kind: LogKind): Promise<{ rows: Row[]; torn: number }> {
  const rows: Row[] = [];
  let torn = 0;
  for (const file of logFilesOf(folder, kind)) torn += await readLog(file, (row) => rows.push(row as Row));
  return { rows, torn };
}
