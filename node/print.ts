import { EXIT, exitCodeOf } from './exitCodes.ts';
import { formatFileError } from './files.ts';

/** Writes a line to the terminal. */
export const print = (line: string): void => void process.stdout.write(printable(`${line}\n`));

/** Writes a sentence to standard error. */
export const warn = (sentence: string): void =>
  void process.stderr.write(printable(`pitwall: ${sentence}\n`));

/** Writes a line of progress to stderr, so that what is printed can be piped. */
export const printProgress = (line: string): void => void process.stderr.write(`  … ${line}\n`);

/** What a write to a reader that has gone away ends with, the first time and later. */
const READER_GONE = ['EPIPE', 'ERR_STREAM_DESTROYED'];

let faultCode: number | null = null;
let isWatched = false;

/**
 * Watches what this process prints. A reader may stop early ("pitwall metrics … | head -1"): the work goes on and keeps its exit
 * code. Another fault, such as a full disk, is printed once, in one sentence.
 */
export function watchOutput(): void {
  if (isWatched) return;
  isWatched = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (READER_GONE.includes(error.code ?? '') || faultCode !== null) return;
      faultCode = exitCodeOf(error);
      process.stderr.write(`pitwall: ${formatFileError('the output', error)}\n`);
    });
}

/** Resolves to the code that a process ends with whose work ended with `code`: output that is lost is no success. */
export async function exitCodeWithOutput(code: number): Promise<number> {
  // A stream reports the fault of a write after the code that wrote.
  await new Promise((reported) => setImmediate(reported));
  return code === EXIT.done ? (faultCode ?? code) : code;
}

/**
 * Text for a terminal. Names come from outside: each control character except line breaks, those of CSV (CR LF) too, and tabs
 * becomes a visible escape, so that it moves no cursor and changes no colour.
 */
export const printable = (text: string): string =>
  text.replace(
    /(?!\r\n)[^\P{Cc}\n\t]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
