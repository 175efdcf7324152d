import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { sentenceOf } from '../sentenceOf.ts';
import type { Result } from '../../src/result.ts';
import type { Content } from '../../src/sim/content.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { contentFromSabreMovie } from '../../src/sim/video/sabreMovie.ts';
import { contentFromSizeFiles, SIZE_FILE } from '../../src/sim/video/sizeFiles.ts';

/** What a table of sizes does not tell itself. */
export interface VideoHints {
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
}

const BUILT_IN: readonly Content[] = [envivio];

/** The video that `--video` names: built in, a folder of size files, or a movie of Sabre. @throws Error in one sentence */
export async function videoFrom(given: string, hints: VideoHints): Promise<Content> {
  const builtIn = BUILT_IN.find(({ name }) => name === given);
  const content: Result<Content> = builtIn ? { ok: true, value: builtIn } : await videoAt(given, hints);
  if (!content.ok) throw new Error(content.error);
  return content.value;
}

async function videoAt(given: string, hints: VideoHints): Promise<Result<Content>> {
  try {
    if ((await stat(given)).isDirectory()) return await fromFolder(given, hints);
    return contentFromSabreMovie(await readFile(given, 'utf8'), given);
  } catch (error) {
    const known = BUILT_IN.map(({ name }) => name).join(', ');
    throw new Error(`${sentenceOf(given, error)} Built in: ${known}.`);
  }
}

async function fromFolder(folder: string, { ladder, segmentMs }: VideoHints): Promise<Result<Content>> {
  const names = (await readdir(folder)).filter((name) => SIZE_FILE.test(name));
  if (names.length === 0)
    return { ok: false, error: `${folder}: There is no video_size_0 and so on in this folder.` };
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
  return contentFromSizeFiles(files, {
    name: folder,
    ...(ladder && { bitratesKbps: ladder }),
    ...(segmentMs !== undefined && { segmentMs }),
  });
}
