import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readText, writeAtomically } from '../../node/files.ts';
import { valueOf } from '../../src/shared/result.ts';
import { foldCmcd, type CmcdRow } from '../design/cmcdSessions.ts';
import type { SwitchRow, TrialRows } from '../design/fieldSession.ts';
import { readTrial } from '../design/readTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import type { LogKind } from './dayLogs.ts';
import { logFilesOf, readLog } from './readLogs.ts';
import { partitionFilesOf, readPartition } from './rollDays.ts';

const TRIAL_FILE = 'trial.json';

/** What rows were drawn and judged by. Once a folder has rows it stays as it is. */
const FIXED = ['name', 'salt', 'arms', 'default', 'unit', 'primary', 'stopping', 'expected'] as const;

/** @throws Error in one sentence for a folder with rows of another trial, or of this one with other things to judge by */
export async function mustContinue(folder: string, trial: Trial): Promise<void> {
  if (!existsSync(path.join(folder, TRIAL_FILE)) || !hasRows(folder)) return;
  const kept = await readKeptTrial(folder);
  const now: Trial = { ...trial, salt: fingerprintOf(trial) };
  const changed = FIXED.find((field) => !isDeepStrictEqual(kept[field], now[field]));
  if (changed !== undefined)
    throw new Error(
      `${folder}: It has rows of a trial with another "${changed}", and a report would take both for one: --out names another folder.`,
    );
}

const hasRows = (folder: string): boolean =>
  partitionFilesOf(folder).length > 0 ||
  (['assignments', 'sessions', 'events'] as const).some((kind) => logFilesOf(folder, kind).length > 0);

/** Resolves to whether the kill switch was on when it was last turned. */
export async function wasKilled(folder: string): Promise<boolean> {
  let last: SwitchRow = { atMs: -Infinity, killed: false };
  for (const file of logFilesOf(folder, 'switches'))
    await readLog(file, (row) => {
      const turn = row as SwitchRow;
      if (turn.atMs >= last.atMs) last = turn;
    });
  return last.killed;
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

/** Reads the trial that a folder is of, with a fingerprint in place of the salt. @throws Error in one sentence */
export async function readKeptTrial(folder: string): Promise<Trial> {
  const file = path.join(folder, TRIAL_FILE);
  return valueOf(readTrial(await readText(file), file));
}

/**
 * Reads all rows that a trial has stored. Resolves to the number of lines that a crash cut off, and that no sender was answered for.
 * Only CMCD events are held in memory.
 */
export async function readTrialRows(folder: string, rows: TrialRows): Promise<number> {
  for (const file of partitionFilesOf(folder)) await readPartition(file, rows.session);
  let torn = 0;
  async function readLogs<Row>(kind: LogKind, take: (row: Row) => void): Promise<void> {
    for (const file of logFilesOf(folder, kind)) torn += await readLog(file, (row) => take(row as Row));
  }
  await readLogs('sessions', rows.session);
  const events: CmcdRow[] = [];
  await readLogs<CmcdRow>('events', (row) => events.push(row));
  for (const session of foldCmcd(events)) rows.session(session);
  await readLogs('assignments', rows.assignment);
  await readLogs('switches', rows.turn);
  return torn;
}
