/** Writes a line to the terminal. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Writes a line of progress to stderr, so that what is printed can be piped. */
export const printProgress = (line: string): void => void process.stderr.write(`  … ${line}\n`);
