import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { jsonFile, outFolder, port, seed } from './sharedOptions.ts';
import { positiveNumber, serverUrl } from './options.ts';
import type { Shell } from './shell.ts';
import { mustBeWritable, readText, writeAtomically } from '../node/files.ts';
import { print, printable, warn } from '../node/print.ts';
import { decimalsOf, formatCount, formatSigned, formatUnit } from '../src/shared/format.ts';
import { pick } from '../src/shared/registry.ts';
import { valueOf } from '../src/shared/result.ts';
import { pageTrial } from '../trial/assign/assign.ts';
import { readTrial } from '../trial/design/readTrial.ts';
import { startingTrial } from '../trial/design/startingTrial.ts';
import type { Trial } from '../trial/design/trialFile.ts';
import { trialMetrics } from '../trial/design/trialMetrics.ts';
import { formatHtml, formatJson, formatMarkdown, formatText } from '../trial/report/formatReport.ts';
import { reportStyles, trialFolderReport } from '../trial/report/trialFolderReport.ts';
import { KILL_FILE, startTrialServer } from '../trial/serve/trialServer.ts';
import { scenarios } from '../trial/simulate/scenarios.ts';
import { writeSimulated } from '../trial/simulate/writeSimulated.ts';
import { forgetId } from '../trial/store/forget.ts';
import { sha256 } from '../trial/store/hash.ts';
import { readKeptTrial } from '../trial/store/readTrialFolder.ts';
import { rollDays } from '../trial/store/rollDays.ts';
import { formatDesign } from '../trial/tell/designPage.ts';

export function addTrial(program: Command, shell: Shell): void {
  const trial = program
    .command('trial')
    .description('find out by a randomised trial whether HTTP/3 helps your own viewers (docs/trial.md)')
    .action(() => trial.outputHelp());
  addInit(trial);
  addPower(trial);
  addServe(trial);
  addSimulate(trial);
  addTrialReport(trial, shell);
  addRoll(trial);
  addForget(trial);
}

const FILE = ['<trial.json>', 'the trial file'] as const;

const readFile = async (file: string): Promise<Trial> => valueOf(readTrial(await readText(file), file));

function addInit(trial: Command): void {
  trial
    .command('init')
    .description(
      'write a trial file with explained fields and a secret salt of its own, and print its design',
    )
    .argument('<trial.json>', 'the file to write; one that is there is left alone')
    .action((file: string) => {
      if (existsSync(file)) throw new Error(`${file}: It is there already, and is not overwritten.`);
      const written = startingTrial(randomBytes(24).toString('base64url'));
      writeAtomically(file, `${JSON.stringify(written, null, 2)}\n`);
      print(`${file} is written. Edit it, then look at its design again: pitwall trial power ${file}\n`);
      print(formatDesign(written));
    });
}

function addPower(trial: Command): void {
  const command = trial
    .command('power')
    .description('print the design: what it finds in how many sessions and days, and what it may not claim')
    .argument(...FILE);
  withOptions(
    command,
    'inputs',
    option('--deviation <n>', 'standard deviation of the primary metric, instead of that of the file', {
      parse: positiveNumber('--deviation'),
    }),
    option('--sessions-per-day <n>', 'sessions a day, instead of those of the file', { min: 1 }),
  ).action(
    async (file: string, { deviation, sessionsPerDay }: { deviation?: number; sessionsPerDay?: number }) => {
      const read = await readFile(file);
      const expected = {
        ...read.expected,
        ...(deviation !== undefined && { spread: deviation }),
        ...(sessionsPerDay !== undefined && { sessionsPerDay }),
      };
      print(printable(formatDesign({ ...read, expected })));
    },
  );
}

interface ServeOptions {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly url?: string;
  readonly perSecond: number;
  readonly behindProxy?: boolean;
}

function addServe(trial: Command): void {
  const command = trial
    .command('serve')
    .description('assign arms by content steering (GET /steering) and collect sessions (POST /events)')
    .argument(...FILE);
  withOptions(
    command,
    'server',
    outFolder('folder for assignments and sessions', 'trial-data'),
    option('--host <address>', 'address to listen on', { preset: '127.0.0.1' }),
    port('port to listen on', 8090),
    option('--url <address>', 'address at which players reach the server; Shaka needs it', {
      parse: serverUrl('--url'),
    }),
    option('--per-second <n>', 'requests a second that one network may send to /events', {
      min: 1,
      preset: 20,
    }),
    option('--behind-proxy', 'read the address of a viewer from the last entry of X-Forwarded-For'),
  ).action(async (file: string, options: ServeOptions) => {
    const read = await readFile(file);
    const server = await startTrialServer(read, {
      ...options,
      folder: options.out,
      token: process.env['PITWALL_TRIAL_TOKEN'] ?? null,
      report: warn,
    });
    print(
      `${printable(formatDesign(read))}\n\n${formatServing(read, options.url ?? server.url, options.out)}`,
    );
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await server.stop();
  });
}

/** Says what to put into manifests, and how to stop the trial. */
function formatServing(trial: Trial, url: string, folder: string): string {
  const { arms, default: usual } = trial;
  const steering = `${url}/steering?session=SESSION&viewer=VIEWER`;
  return [
    `Steering and collector are ready at ${url}. Replace SESSION and VIEWER by the ids that your pages report; a session that reports another one does not count.`,
    '',
    'DASH, in the MPD:',
    ...arms.map(({ pathway, baseUrl }) => `  <BaseURL serviceLocation="${pathway}">${baseUrl}</BaseURL>`),
    `  <ContentSteering defaultServiceLocation="${usual}" queryBeforeStart="true">${steering.replace('&', '&amp;')}</ContentSteering>`,
    'HLS, in the multivariant playlist (PATHWAY-ID of each variant is its pathway):',
    `  #EXT-X-CONTENT-STEERING:SERVER-URI="${steering}",PATHWAY-ID="${usual}"`,
    'Pages that report, `trial` of @pitwall/telemetry/trial:',
    `  ${JSON.stringify(pageTrial(trial, sha256))}`,
    '',
    `Kill switch: touch ${path.join(folder, KILL_FILE)} (or POST /kill with the token of PITWALL_TRIAL_TOKEN); remove it to resume.`,
    `Report: pitwall trial report ${folder}`,
  ].join('\n');
}

interface SimulateOptions {
  readonly sessions: number;
  readonly seed: number;
  readonly scenario: string;
  readonly out: string;
}

function addSimulate(trial: Command): void {
  const command = trial
    .command('simulate')
    .description('make sessions of viewers with a known truth, through the real assignment and formats')
    .argument(...FILE);
  withOptions(
    command,
    'run',
    option('--sessions <n>', 'number of sessions', { min: 100, preset: 20_000 }),
    seed('seed of all draws'),
    option('--scenario <id>', 'what is true of the viewers', { choices: idsOf(scenarios), preset: 'usual' }),
  );
  withOptions(command, 'output', outFolder('folder to write, empty or new', 'trial-simulated'))
    .addHelpText(
      'after',
      `\nScenarios:\n${scenarios.map(({ id, meaning }) => `  ${id.padEnd(12)} ${meaning}`).join('\n')}\n`,
    )
    .action(async (file: string, { scenario, out, ...asked }: SimulateOptions) => {
      const read = await readFile(file);
      const { data, truth } = writeSimulated(read, pick(scenarios, scenario), { ...asked, folder: out });
      const { metric } = read.primary;
      print(
        `${out}: ${formatCount(data.assignments.length, 'session')} assigned, ${formatCount(data.sessions.length, 'beacon')} received; the true difference in ${metric} is ${formatTruth(truth[metric] ?? null, metric)} (truth.json)`,
      );
      print(`Report: pitwall trial report ${out}`);
    });
}

function formatTruth(difference: number | null, metric: string): string {
  if (difference === null) return 'unknown';
  const { unit } = pick(trialMetrics, metric);
  return `${formatSigned(difference, decimalsOf(null, difference) + 1)}${formatUnit(unit)}`;
}

interface ReportOptions {
  readonly html?: string;
  readonly md?: string;
  readonly json?: string;
}

function addTrialReport(trial: Command, { root }: Shell): void {
  const command = trial
    .command('report')
    .description('tell what the trial found: verdict, adherence, mismatch, and the naive comparison')
    .argument('<folder>', 'folder that "pitwall trial serve" or "simulate" wrote');
  withOptions(
    command,
    'output',
    option('--html <file>', 'also write the report as one HTML file'),
    option('--md <file>', 'also write the report as Markdown'),
    jsonFile('also write the report as JSON'),
  ).action(async (folder: string, { html, md, json }: ReportOptions) => {
    await mustBeWritable('--html', html);
    await mustBeWritable('--md', md);
    await mustBeWritable('--json', json);
    const report = await trialFolderReport(folder);
    if (html !== undefined) writeAtomically(html, formatHtml(report, reportStyles(root)));
    if (md !== undefined) writeAtomically(md, formatMarkdown(report));
    if (json !== undefined) writeAtomically(json, formatJson(report));
    print(printable(formatText(report)));
  });
}

function addRoll(trial: Command): void {
  trial
    .command('roll')
    .description('write finished days as Parquet by day and arm, and delete days beyond the retention')
    .argument('<folder>', 'folder that "pitwall trial serve" wrote')
    .action(async (folder: string) => {
      const { days, sessions, deleted } = await rollDays(folder, await readKeptTrial(folder), Date.now());
      print(
        `${folder}: ${formatCount(days.length, 'day')} with ${formatCount(sessions, 'session')} rolled, ${formatCount(deleted.length, 'day')} deleted`,
      );
    });
}

function addForget(trial: Command): void {
  const command = trial
    .command('forget')
    .description('delete all that is stored of a viewer or a session; the server may go on meanwhile')
    .argument(...FILE);
  withOptions(
    command,
    'inputs',
    option('--id <id>', 'id of the viewer or of the session, as the page sent it').makeOptionMandatory(),
    option('--data <folder>', 'folder that "pitwall trial serve" wrote', { preset: 'trial-data' }),
  ).action(async (file: string, { id, data }: { id: string; data: string }) => {
    const { beacons, events, assignments } = await forgetId(data, await readFile(file), id);
    const removed = [
      formatCount(beacons, 'beacon'),
      formatCount(events, 'CMCD event'),
      formatCount(assignments, 'assignment'),
    ];
    print(`${data}: ${removed.join(', ')} removed`);
  });
}
