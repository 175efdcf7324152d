import type { Command } from 'commander';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { port } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import path from 'node:path';
import { buildApp } from '../setup/buildApp.mjs';
import { ACCESS_LOG_LIMIT_BYTES } from '../lab/caddy/origin.ts';
import { startCaddy } from '../lab/caddy/startCaddy.ts';
import { tools } from '../lab/tools.ts';
import { hasDisplay, openChromium } from './openChromium.ts';
import { signalled } from './serve.ts';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { refuseRows } from '../node/logFiles.ts';
import { logFiles, readPlanned, type Planned } from '../src/analysis/comparison/logFiles.ts';

export function addOpen(program: Command, shell: Shell): void {
  const command = program
    .command('open')
    .description(
      'show sessions side by side in the page, until Ctrl-C: a campaign, or 2 to 20 logs (docs/compare-view.md)',
    )
    .argument('<folder-or-logs...>', 'a campaign folder that "pitwall compare" wrote, or session logs');
  withOptions(
    command,
    'server',
    port('port of the page (0: any free port)', 0),
    option('--no-window', 'do not open a browser, only print the address'),
  ).action((paths: string[], options: OpenOptions) => runOpen(shell.root, paths, options));
}

interface OpenOptions {
  readonly port: number;
  readonly window: boolean;
}

/** Name of the file in which the page finds the list of what was opened. */
const LIST = 'logs.json';

/** Serves page and logs on loopback until Ctrl-C, SIGTERM, or until the opened browser is closed. */
async function runOpen(root: string, paths: readonly string[], options: OpenOptions): Promise<void> {
  const { mounts, addresses, report } = openedLogs(paths);
  await buildApp(root, print);
  const interrupted = signalled();
  const origin = await startCaddy({
    host: 'localhost',
    httpPort: options.port,
    httpsPort: 0,
    // Session logs are private: no other page may read them.
    mounts: Object.fromEntries(
      Object.entries(mounts).map(([prefix, privateFolder]) => [prefix, { privateFolder }]),
    ),
    accessLogLimitBytes: ACCESS_LOG_LIMIT_BYTES,
    appFolder: path.join(root, 'dist'),
    answers: () => ({ [`/${LIST}`]: JSON.stringify(addresses) }),
  });
  try {
    const start = `${origin.httpUrl}/?logs=${LIST}`;
    print(formatOpened(start, { logs: addresses.length, report: report && `${origin.httpUrl}/${report}` }));
    const { chromium } = tools();
    const browser =
      options.window && chromium && hasDisplay() ? openChromium(chromium, { origin, start }) : null;
    await Promise.race([interrupted, ...(browser ? [browser.closed] : [])]);
    await browser?.close();
  } finally {
    await origin.stop();
    print('Stopped.');
  }
}

/** Folders that are served so that the page can read logs, and addresses of the logs. */
interface OpenedLogs {
  /** URL prefix → folder. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Addresses of the logs, relative to the page. */
  readonly addresses: readonly string[];
  /** Address of the campaign's report, relative to the page; null without a report. */
  readonly report: string | null;
}

/** Finds the logs in the named files and folders: a single folder is served as `/campaign`. @throws Error in one sentence */
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
    const { files, compared }: FolderLogs = isFolder ? logsIn(each) : { files: [path.basename(each)] };
    const query = compared === 'transfers' ? '?by=transfers' : '';
    addresses.push(
      ...files.map((file) => `${prefix}/${file.split('/').map(encodeURIComponent).join('/')}${query}`),
    );
  });
  if (addresses.length === 0)
    throw new Error(`${named.join(', ')}: There is no session log (.json) in this folder.`);
  const report =
    '/campaign' in mounts && existsSync(path.join(paths[0]!, 'report.html')) ? 'campaign/report.html' : null;
  return { mounts, addresses, report };
}

interface FolderLogs extends Pick<Planned, 'compared'> {
  readonly files: readonly string[];
}

/** Finds the session logs of a folder, those of a pair one after the other. */
function logsIn(folder: string): FolderLogs {
  refuseRows(folder);
  // Links, which may lead back or out and are not served, and pipes are left out.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((file) => file.split(path.sep).join('/'));
  const plan = path.join(folder, 'plan.json');
  const { ids, ...declared }: Planned = existsSync(plan)
    ? readPlanned(readFileSync(plan, 'utf8'))
    : { ids: [] };
  return { files: logFiles(files, ids), ...declared };
}

/** Formats what is served, in words. */
function formatOpened(start: string, { logs, report }: { logs: number; report: string | null }): string {
  return [
    '',
    `Side by side:  ${start}`,
    ...(report === null ? [] : [`Report:        ${report}`]),
    '',
    logs === 1
      ? '1 log'
      : `${logs} logs${logs > 20 ? '; the page shows up to 240 of a campaign by arm, of others the first 20' : ''}`,
    '',
    'Ctrl-C stops.',
  ].join('\n');
}
