import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { pathsIn, type Files } from './bundle.ts';
import { INPUTS } from './inputs.ts';

/** A command whose results are recorded. Inputs are named as the bundles lie: `old/made/movie.json`. */
export interface Command {
  readonly id: string;
  /** What follows `pitwall`; what it writes goes to `out`. */
  readonly args: readonly string[];
  /** What of the inputs it changes, so that it gets a copy: from → to (in `out`). */
  readonly copies?: Readonly<Record<string, string>>;
  /** The folder that it takes for the checkout (`pitwall papers` writes there). */
  readonly root?: string;
  /** Its standard output tells times of this machine, or which files got other words: it is left out. */
  readonly silent?: true;
}

interface Place {
  /** The checkout whose command line runs. */
  readonly code: string;
  /** Where the bundles are unpacked, a folder each. */
  readonly inputs: string;
  /** Its own folder, made anew. */
  readonly folder: string;
}

/** Runs a command in a folder of its own; what it said and wrote, by path: `exit`, `stdout`, `stderr`, `out/…`. */
export async function runCommand(command: Command, { code, inputs, folder }: Place): Promise<Files> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'out'), { recursive: true });
  for (const bundle of INPUTS) symlinkSync(path.join(inputs, bundle), path.join(folder, bundle));
  for (const [from, to] of Object.entries(command.copies ?? {}))
    cpSync(path.join(inputs, from), path.join(folder, to), { recursive: true });
  if (command.root) completeRoot(code, path.join(folder, command.root));
  const program = command.root
    ? [path.join(import.meta.dirname, 'withRoot.mjs'), code, path.join(folder, command.root)]
    : [path.join(code, 'bin', 'pitwall')];
  const { exit, stdout, stderr } = await spawned([...program, ...command.args], folder);
  const mask = masking({ folder, code });
  const said = {
    exit: String(exit),
    ...(command.silent ? {} : { stdout: mask(stdout) }),
    // Progress goes there too, and is drawn as often as the machine is fast.
    stderr: mask(stderr.split('\n').filter(isSentence).join('\n')),
  };
  return { ...said, ...(await written(folder, mask)) };
}

/**
 * Makes a recorded checkout one of today: adds the campaigns of the papers that were registered later, since every
 * registered one needs its file, and moves the pages of the papers to where they are now.
 */
function completeRoot(code: string, root: string): void {
  const [from, to] = [path.join(code, 'campaigns'), path.join(root, 'campaigns')];
  for (const name of readdirSync(from).filter((each) => each.endsWith('.json')))
    if (!existsSync(path.join(to, name))) cpSync(path.join(from, name), path.join(to, name));
  if (!existsSync(path.join(root, 'docs', 'papers'))) return;
  mkdirSync(path.join(root, 'research'), { recursive: true });
  renameSync(path.join(root, 'docs', 'papers'), path.join(root, 'research', 'papers'));
}

const isSentence = (line: string): boolean => line.startsWith('pitwall:');

function spawned(
  args: readonly string[],
  cwd: string,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, COLUMNS: '80', NO_COLOR: '1', TZ: 'UTC' },
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (part: string) => (said[stream] += part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, ...said }));
  });
}

async function written(folder: string, mask: (text: string) => string): Promise<Files> {
  const out = path.join(folder, 'out');
  const files: Record<string, string> = {};
  for (const name of pathsIn(out)) {
    const bytes = readFileSync(path.join(out, name));
    if (name.endsWith('.parquet')) files[`out/${name}.json`] = await parquetText(bytes);
    else files[`out/${name}`] = mask(bytes.toString());
  }
  return files;
}

/** A Parquet file as its rows: two files of the same rows need not have the same bytes. */
async function parquetText(bytes: Uint8Array): Promise<string> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file });
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/**
 * What cannot be the same in two runs, and nothing else: paths of this machine, the version and the commit of Pitwall, how long a search
 * took, whether a padded stream was in the cache or had to be made (the ends of two lines).
 */
export function masking({ folder, code }: Pick<Place, 'folder' | 'code'>): (text: string) => string {
  const { version } = JSON.parse(readFileSync(path.join(code, 'package.json'), 'utf8')) as {
    version: string;
  };
  const build = String.raw`${version.replaceAll('.', String.raw`\.`)}(?:\+g[0-9a-f]{10}(?:\.dirty)?)?`;
  return (text) =>
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(code, '<code>')
      .replaceAll(new RegExp(`"${build}"`, 'g'), '"<version>"')
      .replaceAll(new RegExp(`Pitwall ${build}`, 'g'), 'Pitwall <version>')
      .replaceAll(/("searchMs": ?)[\d.e-]+/g, '$1null')
      .replaceAll(/^((?:live:)?padded:\S*): [a-z ]*(?:\d+(?:\.\d+)? s)?$/gm, '$1')
      .replaceAll(/^((?:live|padded):? ?[^;\n]*);.*$/gm, '$1');
}

/**
 * Major and minor version of the ffmpeg that makes the padded streams of campaigns; null where there is none. The first
 * request of a session is as long as what another one writes.
 */
export function ffmpegVersion(code: string): string | null {
  const file = path.join(code, '.pitwall', 'tools.json');
  const tools = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { ffmpeg?: string }) : {};
  const { stdout } = spawnSync(tools.ffmpeg ?? 'ffmpeg', ['-version'], { encoding: 'utf8' });
  return /^ffmpeg version \D*(\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? null;
}
