import { commands } from './commands.ts';
import { addBench } from './bench.ts';
import { addGate } from './gate.ts';
import { refuseCommands, runCommandLine, type AddCommand } from './runCommandLine.ts';
import { addScreenshots } from './screenshots.ts';

/** Nothing else of the product needs `research`, which may be left out of a checkout: what is not found there is refused. */
const [foundPapers] = Object.values(
  import.meta.glob<AddCommand>('../research/replication/addPapers.ts', { eager: true, import: 'addPapers' }),
);

const addPapers: AddCommand =
  foundPapers ??
  refuseCommands(
    ['papers'],
    (name) => `pitwall ${name} needs the folder "research" of Pitwall, which is not here.`,
  );

/** All commands, in the order of the help: those that work on the files of a checkout come last. */
export const COMMANDS: readonly AddCommand[] = [...commands, addGate, addPapers, addBench, addScreenshots];

/** The command line of a checkout. Resolves to the exit code: docs/exit-codes.md. */
export const main = (args: readonly string[], root: string): Promise<number> =>
  runCommandLine(args, { root, commands: COMMANDS });
