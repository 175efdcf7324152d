import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompareCell, ComparePlan } from './plan.ts';
import { isFinished } from '../../plan/isFinished.ts';

/** Whether a session of a campaign has its whole log. Outside campaigns every session is played. */
export async function isPlayed({ logDir }: ComparePlan, { id, design }: CompareCell): Promise<boolean> {
  if (design === null) return false;
  const text = await readFile(path.join(logDir, `${id}.json`), 'utf8').catch(() => null);
  return isFinished({ id, design }, text);
}
