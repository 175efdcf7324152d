import path from 'node:path';
import type { Command } from 'commander';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { outFolder } from './sharedOptions.ts';
import { readLog } from '../node/logFiles.ts';
import { pageFacts } from './serve.ts';
import type { Shell } from './shell.ts';
import { startCaddy } from '../lab/caddy/startCaddy.ts';
import { demoMounts } from '../lab/content/contentMounts.ts';
import { photographSessions, takeScreenshots } from '../lab/screenshots/takeScreenshots.ts';
import { DOC_PICTURES, pictureFaults } from '../lab/screenshots/docPictures.ts';
import { formatCount } from '../src/shared/format.ts';
import { buildApp } from '../setup/buildApp.mjs';

const HOST = 'localhost';

interface Options {
  readonly out: string;
  readonly readme?: boolean;
  readonly check?: boolean;
  readonly session?: readonly string[];
}

export function addScreenshots(program: Command, shell: Shell): void {
  const command = program
    .command('screenshots')
    .description(
      'play the demo for a minute and take screenshots of every view, wide and narrow, light and dark',
    );
  withOptions(command, 'inputs', option('--session <file...>', 'open these session logs instead of playing'));
  withOptions(
    command,
    'output',
    outFolder('folder for the screenshots', 'screenshots'),
    option('--readme', 'also write the pictures of README and docs'),
    option('--check', 'take none: fail where a picture of README or docs is older than the page'),
  ).action((options: Options) =>
    options.check ? checkPictures(shell.root) : screenshots(shell.root, options),
  );
}

/** @throws Error that names each picture which does not show the page as it is, and the command that takes it */
function checkPictures(root: string): void {
  const faults = pictureFaults(root);
  if (faults.length > 0)
    throw new Error([...faults, 'To take them: npm run screenshots -- --readme'].join('\n'));
  print(`${formatCount(DOC_PICTURES.length, 'picture')}: as the page is`);
}

async function screenshots(root: string, { out, readme, session }: Options): Promise<void> {
  for (const file of session ?? []) {
    const log = await readLog(file);
    if (!log.ok) throw new Error(`${file}: ${log.error}`);
  }
  await buildApp(root, print);
  const origin = await startCaddy({
    host: HOST,
    mounts: demoMounts(),
    appFolder: path.join(root, 'dist'),
    answers: (ports) => ({ '/pitwall.json': JSON.stringify(pageFacts(HOST, ports)) }),
  });
  try {
    const outDir = path.resolve(out);
    if (session) await photographSessions(origin, { outDir, sessionFiles: session, say: print });
    else await takeScreenshots(origin, { outDir, docsRoot: readme ? root : null, say: print });
  } finally {
    await origin.stop();
  }
}
