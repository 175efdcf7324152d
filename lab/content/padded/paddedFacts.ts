import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveSource } from '../liveSource.ts';

/** What a live stream of a padded one's segments has to know, kept beside them. */
export type PaddedFacts = LiveSource['recipe'] & Pick<LiveSource, 'tracks'>;

const FILE = 'stream.json';

export async function writeFacts(folder: string, facts: PaddedFacts): Promise<void> {
  const { title, framesPerSecond, segmentSeconds, segments, tracks } = facts;
  const text = JSON.stringify({ title, framesPerSecond, segmentSeconds, segments, tracks });
  await writeFile(join(folder, FILE), `${text}\n`);
}

export const readFacts = async (folder: string): Promise<PaddedFacts> =>
  JSON.parse(await readFile(join(folder, FILE), 'utf8')) as PaddedFacts;
