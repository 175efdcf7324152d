import { InvalidArgumentError } from 'commander';
import { faultOfRule } from '../experiment/run/faultOfRule.ts';
import { noteOldCount } from '../node/noteOldCount.ts';
import { playerRules } from '../src/player/rules.ts';

/** A parser for a comma-separated list of rules that a page can play, with parameters or without; each once. */
export function playedRules(text: string): string[] {
  const asked = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  if (asked.length === 0)
    throw new InvalidArgumentError(`Name at least one rule: ${playerRules.map(({ id }) => id).join(', ')}.`);
  for (const each of asked) {
    const fault = faultOfRule(each);
    if (fault !== null) throw new InvalidArgumentError(fault);
  }
  noteOldCount(asked);
  return asked;
}
