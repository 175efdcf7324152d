import { Command, CommanderError } from 'commander';
import path from 'node:path';
import { formatFileError } from '../node/files.ts';
import { EXIT, exitCodeOf } from '../node/exitCodes.ts';
import { columnsNow } from '../node/fittedTable.ts';
import { printable, exitCodeWithOutput, watchOutput } from '../node/print.ts';
import type { Shell } from './shell.ts';

/** Adds a command to the program. */
export type AddCommand = (program: Command, shell: Shell) => void;

/** Parses the arguments and runs the command that they name. Resolves to the exit code: docs/exit-codes.md. */
export async function runCommandLine(
  args: readonly string[],
  about: { readonly root: string; readonly commands: readonly AddCommand[] },
): Promise<number> {
  watchOutput();
  return exitCodeWithOutput(await runCommand(args, about));
}

async function runCommand(
  args: readonly string[],
  { root, commands }: Parameters<typeof runCommandLine>[1],
): Promise<number> {
  let code: number = EXIT.done;
  const shell: Shell = { root, exit: (wanted) => void (code = wanted) };
  const program = new Command('pitwall')
    .description('Play, record and compare adaptive streaming (DASH) over h1, h2 and h3.')
    .version(__PITWALL_VERSION__)
    .showHelpAfterError('(add --help for the options)')
    .configureHelp({ minWidthToWrap: MIN_TEXT_COLUMNS })
    .configureOutput({ writeOut: (text) => void process.stdout.write(wrapHelp(text, columnsNow())) })
    .exitOverride();
  for (const add of commands) add(program, shell);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`pitwall: ${oneLine(sentenceOf(error))}\n`);
    return exitCodeOf(error);
  }
}

/** Any command may need a temporary folder: there the system's words name a folder that nobody knows. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, path: made } = error as NodeJS.ErrnoException;
  return syscall === 'mkdtemp' && made !== undefined
    ? `${formatFileError(path.dirname(made), error)} It is for temporary files: TMPDIR names another.`
    : error.message;
}

/** Commander wraps a text only if it has so many columns; its own value, 40, is too many beside our commands. */
const MIN_TEXT_COLUMNS = 20;

/** A name or a value may hold anything; a sentence is one line. */
const oneLine = (text: string): string =>
  printable(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/**
 * Wraps the lines of a help text that are wider than `columns`, at spaces. What belongs to an item stands below its text:
 *
 *     chunk        Pensieve's environment: video only, 80 ms + bytes /
 *                  (0.95 × rate) a segment
 *
 * Examples stay on one line, so that they can be copied.
 */
export const wrapHelp = (text: string, columns: number): string =>
  text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');

const EXAMPLE = /^\s+pitwall \S/;

function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns || EXAMPLE.test(line)) return [line];
  const indent = indentOf(line, columns);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(' ', columns);
    // A word that is longer than a line stays whole.
    const end = at > indent ? at : rest.indexOf(' ', columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `${' '.repeat(indent)}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}

/** Where a line goes on: below the text of an item, or below its own beginning. */
function indentOf(line: string, columns: number): number {
  const item = /^\s*\S+ {2,}/.exec(line)?.[0].length ?? 0;
  return item > 0 && item < columns / 2 ? item : line.length - line.trimStart().length;
}

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
