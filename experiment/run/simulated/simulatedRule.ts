/** dash.js' own rules that one of ours is to the letter; the others run in a browser only. */
const STAND_INS: Readonly<Record<string, string>> = { 'dashjs-dynamic': 'dynamic' };

/** The rule that plays for a rule of a campaign: itself, or the one of ours that does the same as one inside dash.js. */
export const simulatedRule = (rule: string): string => STAND_INS[rule] ?? rule;
