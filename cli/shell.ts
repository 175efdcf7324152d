/** Where a command runs: the checkout, and what to do with its exit code. */
export interface Shell {
  readonly root: string;
  /** Sets the exit code of the process without cutting off its output. */
  exit(code: number): void;
}
