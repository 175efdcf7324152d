import type { Rule } from 'eslint';

export const fences: Rule.RuleModule;
