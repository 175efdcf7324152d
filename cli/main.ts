import { commands } from './commands.ts';
import { addBench } from './bench.ts';
import { addGate } from './gate.ts';
import { addPapers } from './papers.ts';
import { runCommandLine, type AddCommand } from './runCommandLine.ts';
import { addScreenshots } from './screenshots.ts';

/** All commands, in the order of the help: those that work on the files of a checkout come last. */
export const COMMANDS: readonly AddCommand[] = [...commands, addGate, addPapers, addBench, addScreenshots];

/** The command line of a checkout. Resolves to the exit code: docs/exit-codes.md. */
export const main = (args: readonly string[], root: string): Promise<number> =>
  runCommandLine(args, { root, commands: COMMANDS });
