import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { logFiles, plannedIds } from '../../src/analysis/comparison/logFiles.ts';

/** What is served so that the page can read logs. */
export interface OpenedLogs {
  /** URL prefix → folder. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Of the logs, relative to the page. */
  readonly addresses: readonly string[];
  /** Of the campaign's report, relative to the page; null without one. */
  readonly report: string | null;
}

/** Finds the logs in what was named: one folder is served as `/campaign`. @throws Error in one sentence */
export function openedLogs(named: readonly string[]): OpenedLogs {
  const paths = named.map((each) => path.resolve(each));
  const missing = paths.findIndex((each) => !existsSync(each));
  if (missing !== -1) throw new Error(`${named[missing]}: There is no such file or folder.`);
  const mounts: Record<string, string> = {};
  const addresses: string[] = [];
  paths.forEach((each, index) => {
    const isFolder = statSync(each).isDirectory();
    const prefix = paths.length === 1 && isFolder ? 'campaign' : `logs/${index + 1}`;
    mounts[`/${prefix}`] = isFolder ? each : path.dirname(each);
    const files = isFolder ? logsIn(each) : [path.basename(each)];
    addresses.push(...files.map((file) => `${prefix}/${file.split('/').map(encodeURIComponent).join('/')}`));
  });
  if (addresses.length === 0)
    throw new Error(`${named.join(', ')}: There is no session log (.json) in this folder.`);
  const report =
    '/campaign' in mounts && existsSync(path.join(paths[0]!, 'report.html')) ? 'campaign/report.html' : null;
  return { mounts, addresses, report };
}

/** The session logs of a folder, those of a pair one after the other. */
function logsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.split(path.sep).join('/'),
  );
  const plan = path.join(folder, 'plan.json');
  return logFiles(files, existsSync(plan) ? plannedIds(readFileSync(plan, 'utf8')) : []);
}
