/** The folder of the checkout, or of the installed package. */
export const root: string;
/** Runs every step of the set-up and prints a line for each. Rejects with one sentence. */
export function setUp(options?: {
  forLab?: boolean;
  forTests?: boolean;
  forImage?: boolean;
  withFirefox?: boolean;
}): Promise<void>;
