import type { Rule } from './rule.ts';

/** A rule for tests of what is around rules: always the lowest level, and it keeps nothing. */
export const plainRule: Rule = {
  id: 'plain',
  label: 'Plain',
  paper: 'none: made for this test',
  parameters: {},
  start: () => null,
  observe: (state) => state,
  decide: () => ({ rung: 0, because: 'Because.' }),
};
