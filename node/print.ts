/** Writes a line to the terminal. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
