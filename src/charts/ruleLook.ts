import { codeOf } from '../registry.ts';

export interface RuleLook {
  /** Three letters that always stand beside the colour. */
  readonly code: string;
  readonly label: string;
  /** Token of the colour. */
  readonly tone: string;
}

/** dash.js' rules by class name (src/streaming/rules/abr), ours by id. The first pattern that fits counts. */
const LOOKS: readonly (readonly [RegExp, RuleLook])[] = [
  // What the player starts with before any rule has a wish.
  [/^none$/, { code: 'INI', label: 'start rung, no rule yet', tone: 'rule-ins' }],
  [/^throughput/i, { code: 'THR', label: 'throughput', tone: 'rule-thr' }],
  [/^bola/i, { code: 'BOL', label: 'BOLA', tone: 'rule-bol' }],
  [/^dynamic/i, { code: 'DYN', label: 'dynamic', tone: 'rule-dyn' }],
  [/^insufficient/i, { code: 'INS', label: 'insufficient buffer', tone: 'rule-ins' }],
  [/^switch-?history/i, { code: 'SWH', label: 'switch history', tone: 'rule-ins' }],
  [/^dropped-?frames/i, { code: 'DRP', label: 'dropped frames', tone: 'rule-ins' }],
  [/^abandon/i, { code: 'ABN', label: 'abandon request', tone: 'rule-ins' }],
  [/^l2a/i, { code: 'L2A', label: 'L2A-LL', tone: 'rule-sar' }],
  [/^lol/i, { code: 'LOL', label: 'LoL+', tone: 'rule-bas' }],
  [/^bba/i, { code: 'BBA', label: 'BBA', tone: 'rule-bba' }],
  [/^sara/i, { code: 'SAR', label: 'SARA', tone: 'rule-sar' }],
  [/^basic/i, { code: 'BAS', label: 'BASIC', tone: 'rule-bas' }],
  [/^festive/i, { code: 'FES', label: 'FESTIVE', tone: 'rule-fes' }],
  [/^mpc/i, { code: 'MPC', label: 'MPC', tone: 'rule-mpc' }],
  [/^pens/i, { code: 'PEN', label: 'Pensieve', tone: 'rule-pen' }],
];

/** How a rule is written and coloured; a rule without a colour of its own shows its code, in ink. */
export function ruleLook(rule: string): RuleLook {
  const known = LOOKS.find(([pattern]) => pattern.test(rule))?.[1];
  const words = rule.replace(/[^A-Za-z0-9-]/g, '');
  return known ?? { code: codeOf(words) || '???', label: rule, tone: toneOf(rule) };
}

/** A variant of a rule we know ("pitwall-throughput") has its colour. */
const toneOf = (rule: string): string =>
  LOOKS.find(([pattern]) => rule.split('-').some((word) => pattern.test(word)))?.[1].tone ?? 'rule-dyn';
