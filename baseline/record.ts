import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { filesUnder, hasBundle, pathsIn, writeBundle, type Files } from './bundle.ts';
import { ffmpegVersion, runCommand } from './command.ts';
import { commandsOf, GROUPS, HALF, PAPER_RUN, type Group } from './commands.ts';
import { inputNames, unpackInputs } from './inputs.ts';
import { logOfEveryShape } from './shapes.ts';
import { recordLab } from './lab.ts';
import { madeFiles } from './made.ts';

/** Parts of the recording, in their order: later ones read what earlier ones recorded. */
const PARTS: Readonly<Record<string, (recorder: Recorder) => unknown>> = {
  'old-files': recordOldFiles,
  'logs-sim': (recorder) => recordGroup(recorder, 'sim'),
  campaign: recordCampaign,
  outputs: recordOutputs,
  'logs-lab': recordLogsLab,
};
/** Parts that are recorded when no part is named: all but those that need a browser. */
const USUAL = Object.keys(PARTS).filter((part) => part !== 'logs-lab');

interface Recorder {
  /** The checkout whose code is recorded. */
  readonly code: string;
  /** A folder for inputs and for what commands write. */
  readonly folder: string;
}

/** Runs the command line of the recorder. Resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { code: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((part) => !(part in PARTS) && !GROUPS.includes(part as Group));
  if (unknown !== undefined) {
    process.stderr.write(`"${unknown}" is no part; known: ${Object.keys(PARTS).join(', ')}\n`);
    return 2;
  }
  const parts = Object.keys(PARTS).filter((part) =>
    (positionals.length === 0 ? USUAL : positionals).includes(part),
  );
  const groups = GROUPS.filter((group) => !(group in PARTS) && positionals.includes(group));
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-baseline-'));
  const code = path.resolve(values.code ?? path.dirname(import.meta.dirname));
  try {
    for (const group of groups) await recordGroup({ code, folder }, group);
    for (const part of parts) await PARTS[part]!({ code, folder });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

/** Records copies of what is committed now, and what the commands play. */
async function recordOldFiles({ code, folder }: Recorder): Promise<void> {
  const files: Record<string, string> = {};
  const add = (to: string, added: Files): void => {
    for (const [name, text] of Object.entries(added)) files[`${to}/${name}`] = text;
  };
  add('root/campaigns', textsIn(path.join(code, 'campaigns')));
  add('root/research/papers', textsIn(path.join(code, 'research', 'papers')));
  add('examples', textsIn(path.join(code, 'docs', 'examples')));
  add('made', madeFiles());
  const schema = readFileSync(path.join(code, 'docs', 'session-log.schema.json'), 'utf8');
  for (const header of ['whole', 'least'] as const)
    files[`shapes/${header}.json`] = logOfEveryShape(schema, header);
  add(`runs/${PAPER_RUN}`, await paperRun(code, folder));
  wrote('old', files);
}

const textsIn = (folder: string): Files =>
  Object.fromEntries(pathsIn(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));

/** Simulates a paper's campaign and marks the run as not simulated: results of papers are of real sessions only. */
async function paperRun(code: string, folder: string): Promise<Files> {
  const args = [
    'compare',
    path.join(code, 'campaigns', `${PAPER_RUN}.json`),
    '--simulate',
    '--out',
    'out/run',
  ];
  const place = { code, inputs: folder, folder: path.join(folder, 'runs', 'paper') };
  const run = filesUnder(await runCommand({ id: PAPER_RUN, args }, place), 'out/run');
  return Object.fromEntries(
    Object.entries(run).map(([name, text]) => [
      name,
      text
        .replace('"simulator":"player"', '"simulator":null')
        .replace('"missing":{"dashjsVersion"', '"missing":{"simulator":"not-applicable","dashjsVersion"'),
    ]),
  );
}

async function recordGroup({ code, folder }: Recorder, group: Group): Promise<Files> {
  const inputs = unpackInputs(folder);
  const recorded: Record<string, string> = {};
  const commands = commandsOf(group, inputNames());
  const started = Date.now();
  const queue = commands.entries();
  const work = async (): Promise<void> => {
    for (const [index, command] of queue) {
      const place = { code, inputs, folder: path.join(folder, 'runs', group, String(index)) };
      const ran = await runCommand(command, place);
      if (ran['exit'] !== '0') say(`${group}/${command.id} ends with ${ran['exit']}: ${ran['stderr']}`);
      for (const [name, text] of Object.entries(ran)) recorded[`${command.id}/${name}`] = text;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  say(`${group}: ${commands.length} commands in ${Math.round((Date.now() - started) / 1000)} s`);
  wrote(group, recorded);
  return recorded;
}

/** Records the finished campaigns, and one in the state in which a run that is cut off leaves it. */
async function recordCampaign(recorder: Recorder): Promise<void> {
  const recorded = await recordGroup(recorder, 'campaign');
  const half = Object.entries(halfOf(filesUnder(recorded, `${HALF}/out/run`)));
  wrote('campaign', {
    ...recorded,
    ...Object.fromEntries(half.map(([name, text]) => [`half/${name}`, text])),
    'ffmpeg.txt': String(ffmpegVersion(recorder.code)),
  });
}

/** Makes a run that was cut off: of four sessions each, one is whole, one is torn, one failed and one never began. */
function halfOf(files: Files): Files {
  const half: Record<string, string> = {};
  const sessions = Object.keys(files).filter((name) => name.startsWith('sessions/'));
  for (const [name, text] of Object.entries(files)) {
    const at = sessions.indexOf(name) % 4;
    const beside = (ending: string): string => name.replace(/\.json$/, ending);
    if (at <= 0) half[name] = text;
    if (at === 1) half[name] = text.slice(0, text.length / 2);
    if (at !== 2) continue;
    const failure = {
      atUnixMs: 1_790_000_000_000,
      failure: 'stream-did-not-start',
      message: 'No frame came.',
    };
    half[beside('.failures.jsonl')] = `${JSON.stringify(failure)}\n{"torn`;
    half[beside('.partial.json')] = text;
    half[beside('.race-faults.json')] = '["A made-up fault."]\n';
  }
  return half;
}

async function recordOutputs(recorder: Recorder): Promise<void> {
  const groups: Group[] = ['read-sim', 'read-campaign', 'read-old'];
  if (hasBundle('lab')) groups.push('read-lab');
  for (const group of groups) await recordGroup(recorder, group);
}

async function recordLogsLab(recorder: Recorder): Promise<void> {
  wrote('lab', await recordLab(recorder.code));
  await recordGroup(recorder, 'read-lab');
}

/** Matches a folder of this machine: results that go to other people must not have one. */
const OWN_FOLDER = /(?<![\w>.])\/(?:home|root|tmp|work|Users)\/[\w./-]{1,80}/;

function wrote(bundle: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const found = OWN_FOLDER.exec(text)?.[0];
    if (found !== undefined) say(`${bundle}: ${name} names a folder of this machine: ${found}`);
  }
  const bytes = writeBundle(bundle, files);
  const raw = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  say(
    `${bundle}: ${Object.keys(files).length} files, ${(raw / 1e6).toFixed(1)} MB, packed ${(bytes / 1e6).toFixed(2)} MB`,
  );
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
