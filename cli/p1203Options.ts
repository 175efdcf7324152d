import { InvalidArgumentError, type Option } from 'commander';
import { option } from './declareOptions.ts';
import { p1203Scores } from '../experiment/report/read/p1203Scores.ts';
import { P1203_VARIABLE } from '../node/p1203Program.ts';
import { warn } from '../node/print.ts';
import type { Result } from '../src/shared/result.ts';

/** What sessions are scored with where the score of P.1203 is asked for. */
export interface P1203Flags {
  readonly p1203Score?: true;
  readonly p1203Program?: string;
  readonly screen: string;
  readonly fps?: number;
}

export const p1203ScoreOption = (text: string): Option => option('--p1203-score', text);

export const p1203ProgramOption = (): Option =>
  option(
    '--p1203-program <command>',
    'with --p1203-score: command of the reference implementation (default: the first that runs of p1203-standalone, itu-p1203 and python3 -m itu_p1203)',
    { parse: commandText },
  ).env(P1203_VARIABLE);

function commandText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('--p1203-program takes a command.');
  return text.trim();
}

/** `--screen` and `--fps` of what `uses` names: no log knows the screen. */
export const screenOptions = (uses: string): Option[] => [
  option('--screen <size>', `with ${uses}: width and height of the screen in pixels`, {
    preset: '1920x1080',
  }),
  option('--fps <n>', `with ${uses}: frames per second of the video (default: as counted in the session)`, {
    parse: Number,
  }),
];

/** The scores of session logs, by file; on stderr what was assumed. @throws Error in one sentence */
export async function scoreFiles(
  files: readonly string[],
  { p1203Program, screen, fps }: P1203Flags,
): Promise<ReadonlyMap<string, Result<number>>> {
  const program = p1203Program === undefined ? {} : { program: p1203Program };
  const { scores, notes } = await p1203Scores(files, { screen, fps: fps ?? null, ...program });
  notes.forEach(warn);
  return scores;
}
