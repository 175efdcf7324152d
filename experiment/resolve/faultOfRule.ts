import { pickedRule } from '../../src/player/rules.ts';
import { splitRuleFile } from '../../src/abr/ruleFile.ts';
import { splitWeights, WEIGHTS } from '../../src/abr/ruleText.ts';

/** What is wrong with a rule that a page is to play, in one sentence; null: nothing. A file that it names is not opened. */
export function faultOfRule(text: string): string | null {
  if (splitRuleFile(text) !== null) return null;
  const { spec, file } = splitWeights(text);
  const picked = pickedRule(spec);
  if (!picked.ok) return picked.error;
  const { id, rule } = picked.value;
  if (file !== null) return rule?.withWeights ? null : `The rule ${id} takes no weights.`;
  return rule?.withWeights && rule.shippedWeights === undefined
    ? `The rule ${id} needs weights: write ${id}${WEIGHTS}FILE.`
    : null;
}
