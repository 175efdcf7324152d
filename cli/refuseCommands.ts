import type { AddCommand } from './runCommandLine.ts';

/** Adds commands that are not in the help, and that end with a sentence whatever their arguments. */
export const refuseCommands =
  (names: readonly string[], sentenceOf: (name: string) => string): AddCommand =>
  (program) => {
    for (const name of names)
      program
        .command(name, { hidden: true })
        .allowUnknownOption()
        .allowExcessArguments()
        .helpOption(false)
        .action(() => {
          throw new Error(sentenceOf(name));
        });
  };
