import { formatThrown } from '../../abr/answer.ts';
import type { Rule } from '../../abr/rule.ts';

export const formatRuleFault = ({ id }: Rule, thrown: unknown): string =>
  `The rule ${id} failed: ${formatThrown(thrown)}.`;
