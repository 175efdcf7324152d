import { failed, ok, type Result } from '../../shared/result.ts';
import type { CompareLink } from './compareLink.ts';
import { logFiles, readPlanned } from '../../analysis/comparison/logFiles.ts';

/** Where a log comes from: a file of the visitor, or an address. */
export interface LogSource {
  /** As people know it: the file's name, or the end of the address. */
  readonly name: string;
  /** What a link to this view names it by; null for a file, which no link can reach. */
  readonly address: string | null;
  /** The factor that the log's campaign declares to be compared, as far as plan or address say it. */
  readonly compared?: string | null | undefined;
  file(): Promise<Result<Blob>>;
}

const fileSource = (file: File, compared?: string): LogSource => ({
  name: file.name,
  address: null,
  compared,
  file: () => Promise.resolve(ok(file)),
});

/** `address` as the link has it, relative to the page or to the list it stood in (`base`); `?by=transfers` in it says what is compared. */
function linkedSource(address: string, base: string): LogSource {
  const url = URL.parse(address, base);
  return {
    name: nameOf(url?.pathname ?? address),
    address,
    compared: url?.searchParams.get('by'),
    file: () => fetchLog(url),
  };
}

/** An answer's body, or one sentence that says why there is none. */
async function fetchLog(url: URL | null): Promise<Result<Blob>> {
  if (!url || !/^https?:$/.test(url.protocol)) return failed('Its address is not http(s).');
  const answer = await fetch(url).catch(() => null);
  if (answer === null)
    return failed('It could not be fetched: no answer, or not open to other pages (CORS).');
  if (!answer.ok) return failed(`The server answered ${answer.status}.`);
  const body = await answer.blob().catch(() => null);
  return body === null ? failed('The connection ended before it was complete.') : ok(body);
}

const nameOf = (path: string): string => {
  const last = path.split('/').at(-1) ?? path;
  try {
    return decodeURIComponent(last) || path;
  } catch {
    return last;
  }
};

/** The logs that a link names, those of its lists first. A list that cannot be read is a sentence. */
export async function fetchLinkedSources(
  { logs, lists }: Pick<CompareLink, 'logs' | 'lists'>,
  base: string,
): Promise<{ sources: LogSource[]; faults: string[] }> {
  const sources: LogSource[] = [];
  const faults: string[] = [];
  for (const list of lists) {
    const url = URL.parse(list, base);
    const body = await fetchLog(url);
    const listed = body.ok ? listedLogs(await body.value.text(), url!.href) : body;
    if (listed.ok)
      sources.push(...listed.value.map((address) => linkedSource(withoutOrigin(address, base), base)));
    else faults.push(`${list} was not opened. ${listed.error}`);
  }
  sources.push(...logs.map((address) => linkedSource(address, base)));
  return { sources, faults };
}

/** Short for a link, where a log lies on the page's own origin. */
const withoutOrigin = (address: string, base: string): string => {
  const { origin } = new URL(base);
  return address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
};

/** The addresses in a list file: a JSON array of texts, or one a line, `#` for remarks. Relative to the list. */
export function listedLogs(text: string, listUrl: string): Result<string[]> {
  const addresses = text.trimStart().startsWith('[') ? fromJson(text) : ok(lines(text));
  if (!addresses.ok) return addresses;
  if (addresses.value.length === 0) return failed('It lists no log.');
  const urls = addresses.value.map((address) => URL.parse(address, listUrl)?.href ?? null);
  const bad = urls.indexOf(null);
  return bad === -1
    ? ok(urls as string[])
    : failed(`Its entry ${bad + 1} is not an address: "${addresses.value[bad]!.slice(0, 80)}".`);
}

const lines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function fromJson(text: string): Result<string[]> {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? ok(value)
      : failed('It should be a JSON array of addresses.');
  } catch {
    return failed('It is not valid JSON.');
  }
}

/** What was dropped or picked: files, and folders as the browser hands them over. */
export type Picked = File | FileSystemEntry;

/** More files than any campaign has logs: a folder picked by mistake ends somewhere. */
const MAX_FILES = 20_000;

/** The logs among what was dropped or picked. Files named one by one are all meant; of folders, the session logs. */
export async function readPickedLogs(picked: readonly Picked[]): Promise<LogSource[]> {
  const named = picked.filter((each) => each instanceof File && !each.webkitRelativePath) as File[];
  const inFolders = new Map<string, File>();
  for (const each of picked) {
    if (each instanceof File) {
      if (each.webkitRelativePath) inFolders.set(each.webkitRelativePath, each);
    } else if (each.isFile) named.push(await fileOf(each as FileSystemFileEntry));
    else await addFolder(each as FileSystemDirectoryEntry, inFolders);
  }
  const plan = [...inFolders].find(([path]) => /(^|\/)plan\.json$/.test(path))?.[1];
  const { ids, compared } = readPlanned((await plan?.text()) ?? '');
  const paths = logFiles([...inFolders.keys()], ids);
  return [...named, ...paths.map((path) => inFolders.get(path)!)].map((file) => fileSource(file, compared));
}

async function addFolder(folder: FileSystemDirectoryEntry, into: Map<string, File>): Promise<void> {
  const reader = folder.createReader();
  // A reader hands over a hundred entries at a time, and none when it is done.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0 || into.size > MAX_FILES) return;
    for (const entry of entries)
      if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, into);
      else if (/\.json$/i.test(entry.name))
        into.set(entry.fullPath, await fileOf(entry as FileSystemFileEntry));
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));
