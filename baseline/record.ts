import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { filesUnder, hasBundle, pathsIn, writeBundle, type Files } from './bundle.ts';
import { runCommand } from './command.ts';
import { commandsOf, GROUPS, HALF, type Group } from './commands.ts';
import { inputNames, unpackInputs } from './inputs.ts';
import { madeFiles } from './made.ts';

/** In their order: later ones read what earlier ones recorded. */
const PARTS: Readonly<Record<string, (recorder: Recorder) => unknown>> = {
  'old-files': recordOldFiles,
  'logs-sim': (recorder) => recordGroup(recorder, 'sim'),
  campaign: recordCampaign,
  outputs: recordOutputs,
};

interface Recorder {
  /** The checkout whose code is recorded. */
  readonly code: string;
  /** A folder for inputs and for what commands write. */
  readonly folder: string;
}

/** The command line of the recorder. Resolves to the exit code. */
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
  const parts = Object.keys(PARTS).filter((part) => positionals.length === 0 || positionals.includes(part));
  const groups = GROUPS.filter((group) => !(group in PARTS) && positionals.includes(group));
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-baseline-'));
  const code = path.resolve(values.code ?? path.dirname(import.meta.dirname));
  try {
    for (const group of groups) await recordGroup({ code, folder }, group);
    for (const part of parts) await PARTS[part]!({ code, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

/** Copies of what is committed now, and what the commands play. */
function recordOldFiles({ code }: Recorder): void {
  const files: Record<string, string> = {};
  const copy = (from: string, to: string): void => {
    for (const name of pathsIn(path.join(code, from)))
      files[`${to}/${name}`] = readFileSync(path.join(code, from, name), 'utf8');
  };
  copy('campaigns', 'root/campaigns');
  copy('docs/papers', 'root/docs/papers');
  copy('docs/examples', 'examples');
  for (const [name, text] of Object.entries(madeFiles())) files[`made/${name}`] = text;
  wrote('old', files);
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

/** The finished campaigns, and one as it lies there when its run was cut off. */
async function recordCampaign(recorder: Recorder): Promise<void> {
  const recorded = await recordGroup(recorder, 'campaign');
  const half = halfOf(filesUnder(recorded, `${HALF}/out/run`));
  wrote('campaign', {
    ...recorded,
    ...Object.fromEntries(Object.entries(half).map(([name, text]) => [`half/${name}`, text])),
  });
}

/** Of every four sessions one is there, one is torn, one failed and one was never begun. */
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

function wrote(bundle: string, files: Files): void {
  const bytes = writeBundle(bundle, files);
  const raw = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  say(
    `${bundle}: ${Object.keys(files).length} files, ${(raw / 1e6).toFixed(1)} MB, packed ${(bytes / 1e6).toFixed(2)} MB`,
  );
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
