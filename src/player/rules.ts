import { abrRules } from '../abr/registry.ts';
import type { Rule } from '../abr/rule.ts';
import type { Entry } from '../shared/registry.ts';

/** A rule that can be picked on the page, in a URL (`?rule=…`) and on the command line. */
export interface PickableRule extends Entry {
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
  own({ id: 'dashjs-dynamic', label: 'Dynamic (dash.js)' }, { throughputRule: true, bolaRule: true }),
  own({ id: 'dashjs-throughput', label: 'Throughput (dash.js)' }, { throughputRule: true, bolaRule: false }),
  own({ id: 'dashjs-bola', label: 'BOLA (dash.js)' }, { throughputRule: false, bolaRule: true }),
];

/** dash.js' own rules first, then every rule of `src/abr/rules/`. */
export const playerRules: readonly PickableRule[] = [
  ...DASHJS_RULES,
  ...abrRules.map((rule) => ({ id: rule.id, label: rule.label, rule, builtIns: null })),
];

function own(entry: Entry, builtIns: BuiltIns): PickableRule {
  return { ...entry, rule: null, builtIns };
}
