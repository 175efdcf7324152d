import { abrRules } from '../abr/registry.ts';
import type { Rule } from '../abr/rule.ts';
import { codeOf, type Entry } from '../registry.ts';

/** A rule that can be picked on the page, in a URL (`?rule=…`) and on the command line. */
export interface PickableRule extends Entry {
  /** Three letters for charts and the overlay; unique. */
  readonly code: string;
  /** Of ours: the rule itself. Of dash.js' own: null, and `builtIns` says which of its rules run. */
  readonly rule: Rule | null;
  readonly builtIns: BuiltIns | null;
}

/** dash.js asks either its ThroughputRule or its BolaRule; with both active it changes over by buffer level. */
export interface BuiltIns {
  readonly throughputRule: boolean;
  readonly bolaRule: boolean;
}

const DASHJS_RULES: readonly PickableRule[] = [
  own({ id: 'dynamic', label: 'Dynamic (dash.js)', code: 'DYN' }, { throughputRule: true, bolaRule: true }),
  own(
    { id: 'throughput', label: 'Throughput (dash.js)', code: 'THR' },
    { throughputRule: true, bolaRule: false },
  ),
  own({ id: 'bola', label: 'BOLA (dash.js)', code: 'BOL' }, { throughputRule: false, bolaRule: true }),
];

/** dash.js' own rules first, then every rule of `src/abr/rules/`. */
export const playerRules: readonly PickableRule[] = [
  ...DASHJS_RULES,
  ...abrRules.map((rule) => ({
    id: rule.id,
    label: rule.label,
    code: codeOf(rule.id),
    rule,
    builtIns: null,
  })),
];

function own(entry: Entry & { code: string }, builtIns: BuiltIns): PickableRule {
  return { ...entry, rule: null, builtIns };
}
