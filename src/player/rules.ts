import { FILE_PARAMETERS } from '../abr/parameters.ts';
import { abrRules } from '../abr/registry.ts';
import type { Parameters, Rule } from '../abr/rule.ts';
import { parseRuleText, ruleOf } from '../abr/ruleText.ts';
import type { Entry } from '../shared/registry.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import { unknownId } from '../shared/unknownId.ts';

/** A rule that can be picked on the page, in a URL (`?rule=…`) and on the command line. */
export interface PickableRule extends Entry {
  /** The rule itself if it is one of ours. null for dash.js' own rules: `builtIns` says which of them run. */
  readonly rule: Rule | null;
  readonly builtIns: BuiltIns | null;
}

/** Which of dash.js' own rules run. */
type BuiltIns = HybridRules | LoneRule;

/** dash.js asks either its ThroughputRule or its BolaRule; with both active it changes over by buffer level. */
export interface HybridRules {
  readonly kind: 'hybrid';
  readonly throughputRule: boolean;
  readonly bolaRule: boolean;
}

/**
 * A rule for low-latency live streams. dash.js tests such rules without its other rules (core/Settings.js, AbrSettings), so
 * that no other runs beside it.
 */
interface LoneRule {
  readonly kind: 'lone';
  readonly rule: 'l2ARule' | 'loLPRule';
  /** How dash.js sets the playback rate to come near its target latency; LoL+ is a rule and such a mode. */
  readonly catchupMode: 'liveCatchupModeDefault' | 'liveCatchupModeLoLP';
}

const DASHJS_RULES: readonly PickableRule[] = [
  own({ id: 'dashjs-dynamic', label: 'Dynamic (dash.js)' }, hybrid(true, true)),
  own({ id: 'dashjs-throughput', label: 'Throughput (dash.js)' }, hybrid(true, false)),
  own({ id: 'dashjs-bola', label: 'BOLA (dash.js)' }, hybrid(false, true)),
  own(
    { id: 'dashjs-l2a', label: 'L2A, for low latency (dash.js)' },
    { kind: 'lone', rule: 'l2ARule', catchupMode: 'liveCatchupModeDefault' },
  ),
  own(
    { id: 'dashjs-lolp', label: 'LoL+, for low latency (dash.js)' },
    { kind: 'lone', rule: 'loLPRule', catchupMode: 'liveCatchupModeLoLP' },
  ),
];

const ours = (rule: Rule): PickableRule => ({ id: rule.id, label: rule.label, rule, builtIns: null });

const pickable = [...DASHJS_RULES, ...abrRules.map(ours)];

/** dash.js' own rules first, then every rule of `src/abr/rules/`; before them those of files that the visitor chose. */
export const playerRules: readonly PickableRule[] = pickable;

/** Lets a rule of a file be picked. The first with an id is found: an earlier version of it is not. */
export const addPlayerRule = (rule: Rule): void => void pickable.unshift(ours(rule));

function hybrid(throughputRule: boolean, bolaRule: boolean): HybridRules {
  return { kind: 'hybrid', throughputRule, bolaRule };
}

function own(entry: Entry, builtIns: BuiltIns): PickableRule {
  return { ...entry, rule: null, builtIns };
}

/**
 * The rule that a text of the page or the command line means: an id, for rules of ours with parameters
 * (`fixed:level=4`). The error is one sentence.
 */
export function pickedRule(text: string, rules: readonly PickableRule[] = playerRules): Result<PickableRule> {
  const { id } = parseRuleText(text);
  const picked = rules.find((each) => each.id === id);
  if (!picked)
    return failed(
      unknownId(
        'rule',
        id,
        rules.map((each) => each.id),
      ),
    );
  if (picked.rule === null)
    return text === id
      ? ok(picked)
      : failed(`The rule ${id} is a part of dash.js: its parameters are those of the preset.`);
  const tuned = ruleOf(text, [picked.rule]);
  return tuned.ok ? ok({ ...picked, rule: tuned.value }) : tuned;
}

interface Sources {
  /** Text of the weights file, for a rule that cannot decide without one; null for the one that comes with it. */
  readonly weights: string | null;
  /** Loads a file that comes with Pitwall, by its place in `public/`; rejects with one sentence. */
  readonly shipped: (file: string) => Promise<string>;
}

/** The rule that a text means, able to decide: with its weights, and with the code that takes. The error is one sentence. */
export async function ableRule(
  text: string,
  sources: Sources,
  rules?: readonly PickableRule[],
): Promise<Result<PickableRule>> {
  const picked = pickedRule(text, rules);
  if (!picked.ok || picked.value.rule === null) return picked;
  const rule = await withWeights(picked.value.rule, sources);
  return rule.ok ? ok({ ...picked.value, rule: rule.value }) : rule;
}

async function withWeights(rule: Rule, { weights, shipped }: Sources): Promise<Result<Rule>> {
  if (!rule.withWeights) return ok(rule);
  if (weights === null && rule.shippedWeights === undefined)
    return failed(
      `The rule ${rule.id} needs its weights: choose the file under Advanced, or name it in the link (weights=…).`,
    );
  const able = await rule.withWeights(weights ?? (await shipped(rule.shippedWeights!)));
  return able.ok ? able : failed(`The weights of ${rule.id} cannot be used: ${able.error}`);
}

/**
 * The text that means a recorded rule: its id, and for one of ours the parameters that differ from those it comes with.
 * An id or a name that this version does not have is kept: using it then says so. The name of a net is no setting.
 */
export function formatRule(id: string, parameters: Parameters | null): string {
  const rule = playerRules.find((each) => each.id === id)?.rule;
  if (!rule?.tuned || !parameters) return id;
  const settings = Object.entries(parameters)
    .filter(([name, value]) => rule.parameters[name] !== value && !FILE_PARAMETERS.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return [id, ...settings].join(':');
}
