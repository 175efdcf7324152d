import { findP1203, scoreP1203 } from '../../../node/p1203Program.ts';
import { readWholeLog } from '../../../node/logFiles.ts';
import { progressOf } from '../../simulate/playAll.ts';
import { type Metric, unmeasured } from '../../../src/analysis/metrics/metric.ts';
import { p1203 } from '../../../src/export/p1203.ts';
import type { FormatOptions } from '../../../src/export/sessionFormat.ts';
import { failed, valueOf, type Result } from '../../../src/shared/result.ts';

interface P1203Scores {
  /** By file of a session log. */
  readonly scores: ReadonlyMap<string, Result<number>>;
  /** What was assumed, a sentence each, and which program scored. */
  readonly notes: readonly string[];
}

interface P1203Asked extends FormatOptions {
  /** The command; absent: one of the usual ones. */
  readonly program?: string;
}

/**
 * Scores sessions by ITU-T P.1203 in mode 0, with the reference implementation. One log is in memory at a time.
 * @throws Error in one sentence where there is no program, or an option is wrong
 */
export async function p1203Scores(files: readonly string[], asked: P1203Asked): Promise<P1203Scores> {
  const program = valueOf(await findP1203(asked.program));
  const notes = new Set([`P.1203 scores are of "${program.command.join(' ')}", version ${program.version}.`]);
  const scores = new Map<string, Result<number>>();
  const inputs = new Map<string, string>();
  for (const file of files) {
    const input = await inputOf(file, asked, notes);
    if (input.ok) inputs.set(file, input.value);
    else scores.set(file, input);
  }
  const progress = progressOf(inputs.size, 'P.1203 scores');
  try {
    const found = await scoreP1203(program, [...inputs.values()], {
      onDone: (count) => progress.done(count),
      onWarning: (warning) => notes.add(`The program for P.1203 warns: ${warning}.`),
    });
    for (const [place, file] of [...inputs.keys()].entries()) scores.set(file, found[place]!);
  } finally {
    progress.end();
  }
  return { scores, notes: [...notes] };
}

async function inputOf(file: string, asked: P1203Asked, notes: Set<string>): Promise<Result<string>> {
  const log = await readWholeLog(file);
  if (!log.ok) return log;
  const made = p1203.convert(log.value, asked);
  if (!made.ok) {
    if (made.error.startsWith('--')) throw new Error(made.error);
    return failed(made.error);
  }
  for (const note of made.value.notes) notes.add(note);
  return { ok: true, value: made.value.text };
}

/** The score of one session as a metric. It is not in the registry, because no log has it. */
export const p1203Metric = (score: Result<number>): Metric => ({
  ...P1203_METRIC,
  of: () => (score.ok ? { value: score.value } : unmeasured(score.error)),
});

export const P1203_METRIC = {
  id: 'p1203',
  label: 'P.1203 score',
  meaning:
    'overall quality O.46 of ITU-T P.1203 in mode 0, from 1 (bad) to 5 (excellent), computed by the reference implementation',
  unit: '',
  better: 'higher',
  isPositive: true,
  paper: 'ITU-T P.1203.3; Robitza et al., ACM MMSys 2018',
  unknown: 'the session cannot be put as input of P.1203, or the program failed',
  decimals: 2,
} as const satisfies Omit<Metric, 'of'>;
