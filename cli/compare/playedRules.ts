import { InvalidArgumentError } from 'commander';
import { pickedRule } from '../../src/player/pickedRule.ts';
import { playerRules } from '../../src/player/rules.ts';

/** A parser for a comma-separated list of rules that a page can play, with parameters or without; each once. */
export function playedRules(text: string): string[] {
  const asked = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  if (asked.length === 0)
    throw new InvalidArgumentError(`Name at least one rule: ${playerRules.map(({ id }) => id).join(', ')}.`);
  for (const each of asked) {
    const rule = playerRules.find(({ id }) => id === each.split(':')[0])?.rule;
    if (rule?.withWeights && rule.shippedWeights === undefined)
      throw new InvalidArgumentError(
        `The rule ${rule.id} needs a weights file, which compare does not take.`,
      );
    const picked = pickedRule(each);
    if (!picked.ok) throw new InvalidArgumentError(picked.error);
  }
  return asked;
}
