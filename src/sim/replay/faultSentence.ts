import { faultWords } from '../../abr/faultWords.ts';
import type { Rule } from '../../abr/rule.ts';

export const faultSentence = ({ id }: Rule, thrown: unknown): string =>
  `The rule ${id} failed: ${faultWords(thrown)}.`;
