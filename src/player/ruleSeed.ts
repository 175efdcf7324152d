/** What rules draw their lots from (FESTIVE's request levels): the same in every session, and in its log. */
export const RULE_SEED = 1;
