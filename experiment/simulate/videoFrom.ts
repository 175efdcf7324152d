import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { contentFromMpd } from './mpd/contentFromMpd.ts';
import { readPlainFile, readText, formatFileError, type ReadFile } from '../../node/files.ts';
import type { Trusted } from '../../node/trust.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { Content } from '../../src/sim/content.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { contentFromSabreMovie, contentFromSizeFiles, SIZE_FILE } from '../../src/sim/videoFiles.ts';

/** What a table of sizes does not contain. */
export interface VideoHints {
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
  /** Whose certificates the server of an MPD may have; absent: public ones alone. */
  readonly trusted?: Pick<Trusted, 'pem'> | undefined;
}

const BUILT_IN: readonly Content[] = [envivio];

/**
 * The video that `--video` names: built in, a folder of size files, a movie of Sabre, or an MPD on disk or on a server.
 * @throws Error in one sentence
 */
export async function videoFrom(
  given: string,
  hints: VideoHints,
  read: ReadFile = readPlainFile,
): Promise<Content> {
  const builtIn = BUILT_IN.find(({ name }) => name === given);
  if (builtIn) return tellingItself(builtIn, hints);
  if (/^https?:/.test(given)) return tellingItself(await contentFromMpd(given, given, hints.trusted), hints);
  const entry = await stat(given).catch((error: unknown) => {
    throw new Error(
      `${formatFileError(given, error)} Built in: ${BUILT_IN.map(({ name }) => name).join(', ')}.`,
    );
  });
  return entry.isDirectory()
    ? fromFolder(given, hints, read)
    : tellingItself(await fromFile(given, read, hints), hints);
}

/** Refuses a ladder or a segment length for a video that has its own. */
function tellingItself(content: Content, { ladder, segmentMs }: VideoHints): Content {
  if (!ladder && segmentMs === undefined) return content;
  const option = ladder ? '--ladder' : '--segment-ms';
  throw new Error(`${content.name}: ${option} needs a folder of size files; this video has its own.`);
}

async function fromFile(file: string, read: ReadFile, { trusted }: VideoHints): Promise<Content> {
  const text = await readText(file, read);
  if (text.trim() === '') throw new Error(`${file}: The file is empty.`);
  if (/^\uFEFF?\s*</.test(text)) return contentFromMpd(pathToFileURL(path.resolve(file)).href, file, trusted);
  return valueOf(contentFromSabreMovie(text, file));
}

async function fromFolder(
  folder: string,
  { ladder, segmentMs }: VideoHints,
  read: ReadFile,
): Promise<Content> {
  const names = (await readdir(folder)).filter((name) => SIZE_FILE.test(name));
  if (names.length === 0)
    throw new Error(`${folder}: There are no size files (video_size_0 and so on) in this folder.`);
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readText(path.join(folder, name), read) })),
  );
  return valueOf(
    contentFromSizeFiles(files, {
      name: folder,
      ...(ladder && { bitratesKbps: ladder }),
      ...(segmentMs !== undefined && { segmentMs }),
    }),
  );
}
