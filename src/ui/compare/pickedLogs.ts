import { fileSource, type LogSource } from './logSource.ts';
import { logFiles, plannedIds } from '../../analysis/comparison/logFiles.ts';

/** What was dropped or picked: files, and folders as the browser hands them over. */
export type Picked = File | FileSystemEntry;

/** More files than any campaign has logs: a folder picked by mistake ends somewhere. */
const MAX_FILES = 20_000;

/** The logs among what was dropped or picked. Files named one by one are all meant; of folders, the session logs. */
export async function pickedLogs(picked: readonly Picked[]): Promise<LogSource[]> {
  const named = picked.filter((each) => each instanceof File && !each.webkitRelativePath) as File[];
  const inFolders = new Map<string, File>();
  for (const each of picked) {
    if (each instanceof File) {
      if (each.webkitRelativePath) inFolders.set(each.webkitRelativePath, each);
    } else if (each.isFile) named.push(await fileOf(each as FileSystemFileEntry));
    else await addFolder(each as FileSystemDirectoryEntry, inFolders);
  }
  const plan = [...inFolders].find(([path]) => /(^|\/)plan\.json$/.test(path))?.[1];
  const paths = logFiles([...inFolders.keys()], plan ? plannedIds(await plan.text()) : []);
  return [...named, ...paths.map((path) => inFolders.get(path)!)].map(fileSource);
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
