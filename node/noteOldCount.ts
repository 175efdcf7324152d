import { formatOldCount } from '../src/abr/ruleText.ts';

/** Says on standard error which of these texts of rules count levels from 0. */
export function noteOldCount(texts: readonly string[]): void {
  for (const text of texts) {
    const sentence = formatOldCount(text);
    if (sentence !== null) process.stderr.write(`${sentence}\n`);
  }
}
