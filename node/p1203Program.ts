import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { failed, ok, type Result } from '../src/shared/result.ts';

/** A command that computes scores of ITU-T P.1203, as its authors' implementation does (github.com/itu-p1203/itu-p1203). */
interface P1203Program {
  readonly command: readonly string[];
  /** Version as the program states it. */
  readonly version: string;
}

/** Commands under which an installation of the program can be found, in the order in which they are tried. */
const USUAL = ['p1203-standalone', 'itu-p1203', 'python3 -m itu_p1203'];

export const P1203_VARIABLE = 'PITWALL_P1203';

const INSTALL =
  'Install the reference implementation (docs/prediction.md#p1203), or name its command with --p1203-program.';

/**
 * Finds the program: the command that was asked for, words with blanks between, or one of the usual ones. The error is a
 * sentence that says what to install.
 */
export async function findP1203(asked: string | undefined): Promise<Result<P1203Program>> {
  for (const text of asked === undefined ? USUAL : [asked]) {
    const command = text.split(' ').filter((word) => word !== '');
    const answer = await run([...command, '--version']);
    const version = answer.stdout.trim();
    if (answer.code === 0 && /^\d[\w.+-]*$/.test(version)) return ok({ command, version });
  }
  return failed(
    asked === undefined
      ? `No program for ITU-T P.1203 was found. ${INSTALL}`
      : `--p1203-program: "${asked} --version" does not run. ${INSTALL}`,
  );
}

/** Count of sessions that one process scores: most of a process's time is that of starting. */
const BATCH = 50;

interface P1203Reports {
  readonly onDone?: (count: number) => void;
  /** Gets each warning of the program that scored, in its words. */
  readonly onWarning?: (warning: string) => void;
}

/**
 * The overall score O.46 of each input, from 1 to 5, or a sentence that says why there is none. `inputs` are texts of JSON, as
 * `src/export/p1203.ts` writes them. @throws Error in one sentence where the program asks for its licence first
 */
export async function scoreP1203(
  { command }: P1203Program,
  inputs: readonly string[],
  { onDone = () => {}, onWarning = () => {} }: P1203Reports = {},
): Promise<Result<number>[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-p1203-'));
  try {
    const files = await Promise.all(
      inputs.map(async (text, place) => {
        const file = path.join(folder, `${place}.json`);
        await writeFile(file, text);
        return file;
      }),
    );
    const scores: Result<number>[] = [];
    for (let from = 0; from < files.length; from += BATCH) {
      const batch = files.slice(from, from + BATCH);
      scores.push(...(await scoresOf(command, batch, onWarning)));
      onDone(batch.length);
    }
    return scores;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Scores files with one run. An input that the program refuses ends the run for all: then each half is tried by itself. */
async function scoresOf(
  command: readonly string[],
  files: readonly string[],
  onWarning: (warning: string) => void,
): Promise<Result<number>[]> {
  const answer = await run([...command, '--cpu-count', '1', ...files]);
  if (answer.code === 0) {
    warningsIn(answer.stderr).forEach(onWarning);
    return files.map((file) => scoreIn(answer.stdout, file));
  }
  if (answer.stdout.includes('--accept-notice'))
    throw new Error(
      `The program for P.1203 asks to accept its licence first: run "${command.join(' ')}" once by hand with any file, or add --accept-notice to the command of --p1203-program.`,
    );
  if (files.length === 1) return [failed(`The program for P.1203 failed: ${lastLine(answer.stderr)}.`)];
  const half = Math.ceil(files.length / 2);
  return [
    ...(await scoresOf(command, files.slice(0, half), onWarning)),
    ...(await scoresOf(command, files.slice(half), onWarning)),
  ];
}

/** Finds each warning once, but for one: a wait of no time for the first frame, whose place must be named all the same. */
function warningsIn(stderr: string): string[] {
  const warnings = stripVTControlCharacters(stderr)
    .split('\n')
    .flatMap((line) => /^WARNING - \w+ - (.*?)\.?$/.exec(line.trim())?.[1] ?? []);
  return [...new Set(warnings)].filter(
    (warning) => !/position 0(\.0)?, since .* zero duration/.test(warning),
  );
}

function scoreIn(stdout: string, file: string): Result<number> {
  try {
    // Warnings may stand before the report.
    const reports = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, { O46?: unknown }>;
    const score = reports[file]?.O46;
    if (typeof score === 'number' && score >= 1 && score <= 5) return ok(score);
  } catch {
    // The error that follows also covers output that is no JSON.
  }
  return failed('The program for P.1203 reported no score O46.');
}

/** Returns the last line of a Python traceback, which is the error, without its class in front. */
const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^[\w.]+Error: /, '')
    .replace(/\.$/, '') || 'it gave no reason';

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

/** Runs a command without input to its end. One that cannot be started has code 127, as in a shell. */
function run([program = '', ...args]: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end();
  });
}
