import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatFileError, readerOnce, readPlainFile, readText, type ReadFile } from '../../node/files.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { readTraceAndFormat, readTrace } from '../../src/network/traces/readTrace.ts';
import { valueOf } from '../../src/shared/result.ts';
import { notSimulated, traceOfProfile } from '../../src/network/convertProfile.ts';
import {
  profilePath,
  looksLikeProfile,
  profileFileName,
  profileOfFile,
  readProfileFile,
} from '../design/profileFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { TRACE } from '../../src/network/traceSets/traceSets.ts';
import { filesOfTrace } from './traceStore.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import { usageError } from '../../node/exitCodes.ts';

/** Traces, and the ids of the formats that they were in. */
interface TraceSet {
  readonly traces: readonly RateTrace[];
  readonly formats: readonly string[];
  /** Notes on what of a profile is not in its trace, and on which files of a folder are no traces. */
  readonly notes: readonly string[];
}

/**
 * Reads the traces of files and folders, by name within a folder, those of published sets (`trace:SET`, `trace:SET/NAME`), and
 * after them those of profiles: `profile:ID`, `profile:PATH.json`, `file:PATH`, or the path of a profile's file. What is no
 * trace in a folder (a licence, a note on the source) is left out, and the notes say what and why; hidden files and folders in
 * it are not looked at. @throws Error in one sentence that names a file that was asked for by name, or a folder without a trace
 */
export async function traceFiles(
  given: readonly string[],
  format: string | null,
  { read = readerOnce(), folder = '.' }: { readonly read?: ReadFile; readonly folder?: string } = {},
): Promise<TraceSet> {
  const places = given.flatMap((each) => (each.startsWith(TRACE) ? filesOfTrace(each, folder) : [each]));
  const asked = await profilesAmong(places, read);
  const profiles: ProfileTrace[] = [];
  for (const each of asked) profiles.push(await profileTrace(each, read));
  const paths = places.filter((each) => !asked.includes(each));
  const found = (await Promise.all(paths.map(filesOf))).flat();
  refuseTwice([...found.map(({ file }) => file), ...asked]);
  const { read: files, skipped } = await readAll(found, format, read);
  const names = files.map(({ file }) => path.basename(file));
  const allNames = [...names, ...profiles.map(({ trace }) => trace.name)];
  const isUnique = new Set(allNames).size === allNames.length;
  const traces = files.map(({ file, trace }, index) => ({ ...trace, name: isUnique ? names[index]! : file }));
  const formats = new Set(files.map((each) => each.format));
  if (profiles.length > 0) formats.add('profile');
  traces.push(...profiles.map(({ trace }) => trace));
  return {
    traces,
    formats: [...formats],
    notes: [...profiles.map(({ note }) => note), ...skippedNotes(skipped)],
  };
}

interface FoundFile {
  readonly file: string;
  /** Folder that was asked for instead of the file; null for a file that was asked for itself. */
  readonly folder: string | null;
}

interface ReadTrace extends FoundFile {
  readonly trace: RateTrace;
  readonly hash: string;
  readonly format: string;
}

interface ReadFiles {
  readonly read: readonly ReadTrace[];
  readonly skipped: readonly Skipped[];
}

interface Skipped {
  readonly folder: string;
  /** A sentence that names the file. */
  readonly why: string;
}

async function readAll(
  files: readonly FoundFile[],
  format: string | null,
  readFile: ReadFile,
): Promise<ReadFiles> {
  const read: ReadTrace[] = [];
  const skipped: Skipped[] = [];
  for (const { file, folder } of files) {
    const text = await readText(file, readFile);
    const found = readTraceAndFormat(text, { name: file, format });
    if (found.ok) {
      const { trace, format: known } = found.value;
      read.push({ file, folder, hash: hashOf(text), trace, format: known.id });
    } else if (folder === null) throw new Error(found.error);
    else skipped.push({ folder, why: found.error });
  }
  for (const folder of new Set(files.map((each) => each.folder)))
    if (folder !== null && !read.some((each) => each.folder === folder))
      throw new Error(noTraceIn(folder, skipped));
  refuseCopies(read);
  return { read, skipped };
}

/** Maximum number of files that notes name: more say nothing new. */
const MAX_SKIPPED_NAMED = 5;

function skippedNotes(skipped: readonly Skipped[]): string[] {
  const named = skipped.slice(0, MAX_SKIPPED_NAMED).map(({ why }) => `left out: ${shortened(why)}`);
  const more = skipped.length - named.length;
  return more > 0 ? [...named, `left out: ${more} more files that are not traces`] : named;
}

/** Maximum length of a reason: it may quote a line of what is a whole licence. */
const MAX_REASON_CHARACTERS = 240;
const shortened = (text: string): string =>
  text.length > MAX_REASON_CHARACTERS ? `${text.slice(0, MAX_REASON_CHARACTERS - 1)}…` : text;

function noTraceIn(folder: string, skipped: readonly Skipped[]): string {
  const first = skipped.find((each) => each.folder === folder);
  return `${folder}: There is no trace in this folder. ${shortened(first?.why ?? '')}`.trimEnd();
}

/** Refuses a trace that is given twice: counted twice, it would make the interval narrower than it is. */
function refuseTwice(given: readonly string[]): void {
  const seen = new Set<string>();
  for (const each of given) {
    const place = each.startsWith(PROFILE) ? each.slice(PROFILE.length) : each;
    const id = path.resolve(profilePath(place) ?? each);
    if (seen.has(id)) throw new Error(`${each}: This trace is given twice.`);
    seen.add(id);
  }
}

/** Refuses a trace that is given twice through a link or as a copy: what counts is what is in a file. */
function refuseCopies(traces: readonly (FoundFile & { hash: string })[]): void {
  const seen = new Map<string, string>();
  for (const { file, hash } of traces) {
    const other = seen.get(hash);
    if (other !== undefined)
      throw new Error(`${file}: It has the same text as ${other}; a trace may be given only once.`);
    seen.set(hash, file);
  }
}

/** Hashes the text with line ends of one character. */
const hashOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n').trim()).digest('hex');

async function filesOf(given: string): Promise<FoundFile[]> {
  const entry = await stat(given).catch((error: unknown) => {
    throw new Error(formatFileError(given, error));
  });
  if (!entry.isDirectory()) return [{ file: given, folder: null }];
  const entries = await readdir(given, { withFileTypes: true });
  const files = entries.filter((each) => !each.isDirectory() && !each.name.startsWith('.'));
  if (files.length === 0) throw new Error(`${given}: There is no trace in this folder.`);
  return files.map(({ name }) => ({ file: path.join(given, name), folder: given })).sort(byFile);
}

const byFile = (one: FoundFile, other: FoundFile): number => (one.file < other.file ? -1 : 1);

/** How a profile is named among paths. */
const PROFILE = 'profile:';

/** Selects the names that are those of profiles. A file is a profile if it says so: traces may be JSON, too. */
async function profilesAmong(given: readonly string[], read: ReadFile): Promise<string[]> {
  const found: string[] = [];
  for (const each of given)
    if (each.startsWith(PROFILE) || each.startsWith('file:') || (await isProfileFile(each, read)))
      found.push(each);
  return found;
}

const isProfileFile = async (given: string, read: ReadFile): Promise<boolean> =>
  profilePath(given) !== null &&
  looksLikeProfile(
    // A folder, or a file that is not there: the reader of traces says so.
    await read(given).catch(() => ''),
  );

interface ProfileTrace {
  readonly trace: RateTrace;
  /** What is lost when the profile becomes a trace, in words. */
  readonly note: string;
}

/** Reads a profile as a trace. @throws Error in one sentence for an id that nobody knows, or what is wrong with a file */
async function profileTrace(given: string, read: ReadFile): Promise<ProfileTrace> {
  const entry = given.startsWith(PROFILE) ? given.slice(PROFILE.length) : given;
  const profile = await profileNamed(entry, given, read);
  return {
    trace: valueOf(traceOfProfile(profile)),
    note: `${given} without ${notSimulated(profile).join(', ')}`,
  };
}

/** Reads a profile by its id or its file; `given` is how it was asked for. @throws Error in one sentence */
export async function profileNamed(
  entry: string,
  given = entry,
  read: ReadFile = readPlainFile,
): Promise<Profile> {
  const file = profilePath(entry);
  if (file !== null) return profileFromFile(file, read);
  const profile = networkProfiles.find(({ id }) => id === entry);
  if (profile) return profile;
  const ids = networkProfiles.map(({ id }) => id);
  throw usageError(`${given}: ${unknownId('profile', entry, ids)}`);
}

/**
 * The profile that a file describes, with the traces that it names, relative to its folder. @throws Error in one sentence that
 * names the file and the place in it
 */
export async function profileFromFile(file: string, read: ReadFile = readPlainFile): Promise<Profile> {
  const described = valueOf(readProfileFile(await readText(file, read), file));
  const traces = new Map<string, RateTrace>();
  for (const [index, { trace }] of described.steps.entries())
    if (trace !== undefined && !traces.has(trace))
      traces.set(
        trace,
        await traceFrom(path.resolve(path.dirname(file), trace), read).catch((error: Error) => {
          throw new Error(`${file}: /steps/${index}/trace: ${error.message}`);
        }),
      );
  const profile = profileOfFile(described, { id: profileFileName(file), traces });
  if (!profile.ok) throw new Error(`${file}: ${profile.error}`);
  return profile.value;
}

const traceFrom = async (file: string, read: ReadFile): Promise<RateTrace> =>
  valueOf(readTrace(await readText(file, read), { name: file }));
