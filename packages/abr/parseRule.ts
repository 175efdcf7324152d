import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { ruleOf } from '../../src/abr/ruleText.ts';
import { valueOf } from '../../src/shared/result.ts';

/**
 * Returns the rule that a text names: an id, and any number of parameters (`bola`, `fixed:level=4`).
 * @throws Error with one sentence for an unknown id, an unknown parameter, or a value that the rule cannot use
 */
export const parseRule = (text: string): Rule => valueOf(ruleOf(text, abrRules));
