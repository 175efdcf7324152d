import { playerRules, type PickableRule } from '../../player/rules.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import { setText } from '../setText.ts';
import type { LinkTexts } from './sharedLink.ts';
import { formatRuleText, splitRuleText } from './formatRule.ts';
import { weightsField, type WeightsField } from './weightsField.ts';

/** The rule and what belongs to it: parameters, seed, segment sizes, weights. */
export interface RuleFields {
  /** As a link has them. */
  texts(): Pick<LinkTexts, 'rule' | 'sizes' | 'seed' | 'weights'>;
  /** Name of the rule for people. */
  label(): string;
  /** Text of the weights file; null when the rule needs none or none was given. Rejects with one sentence. */
  weights(): Promise<string | null>;
  fill(values: Partial<Record<'rule' | 'sizes' | 'seed' | 'weights', string | null>>): void;
}

interface Listeners {
  /** Another rule, other parameters, or its weights have come. */
  readonly onRule: () => void;
  /** Something in here is wanted that only the open form shows. */
  readonly onWanted: () => void;
}

export function ruleFields({ onRule, onWanted }: Listeners): RuleFields {
  const picker = byId('rule', HTMLSelectElement);
  const parameters = byId('rule-parameters', HTMLInputElement);
  const sizes = byId('sizes', HTMLInputElement);
  const seed = byId('seed', HTMLInputElement);
  picker.replaceChildren(
    optionGroup('Of dash.js', (rule) => rule === null),
    optionGroup('Of the papers', (rule) => rule !== null),
  );
  const weights = weightsField(onRule);
  const describe = (): void => {
    const { about, example } = parametersAbout(picker.value);
    parameters.placeholder = example;
    for (const option of picker.options) setText(option, formatOption(option, picker, parameters));
    setText(byId('rule-about', HTMLElement), about);
    weights.show(weightsWanted(ruleOfOurs(picker.value)));
    if (weights.isWanting()) onWanted();
  };
  picker.addEventListener('change', () => {
    // They were the other rule's.
    parameters.value = '';
    weights.clear();
    describe();
    onRule();
  });
  parameters.addEventListener('input', describe);
  parameters.addEventListener('change', onRule);
  describe();
  return {
    texts: () => ({
      rule: formatRuleText({ id: picker.value, parameters: parameters.value }),
      sizes: sizes.value.trim(),
      seed: seed.value.trim(),
      weights: weights.url(),
    }),
    label: () => picker.selectedOptions[0]?.text ?? '',
    weights: weights.text,
    fill(values) {
      if (values.rule) fillRule(picker, parameters, values.rule);
      if (values.sizes) sizes.value = values.sizes;
      if (values.seed) seed.value = values.seed;
      if (values.weights) weights.fill(values.weights);
      describe();
    },
  };
}

function optionGroup(label: string, fits: (rule: PickableRule['rule']) => boolean): HTMLElement {
  const members = playerRules.filter(({ rule }) => fits(rule));
  return element(
    'optgroup',
    { label },
    ...members.map((each) => element('option', { value: each.id }, each.label)),
  );
}

function fillRule(picker: HTMLSelectElement, parameters: HTMLInputElement, text: string): void {
  const { id, parameters: typed } = splitRuleText(text);
  // A link may name a rule that this version does not have: Start then says so, instead of playing another one.
  if (![...picker.options].some(({ value }) => value === id))
    picker.append(element('option', { value: id }, `${id} (unknown)`));
  picker.value = id;
  parameters.value = typed;
}

/** The picked one with its parameters, so that nobody takes it for the rule as it comes. */
function formatOption(
  { value }: HTMLOptionElement,
  picker: HTMLSelectElement,
  parameters: HTMLInputElement,
): string {
  const label = playerRules.find(({ id }) => id === value)?.label ?? `${value} (unknown)`;
  const typed = value === picker.value ? parameters.value.trim() : '';
  return typed === '' ? label : `${label} · ${typed}`;
}

const ruleOfOurs = (id: string) => playerRules.find((each) => each.id === id)?.rule ?? null;

const weightsWanted = (rule: PickableRule['rule']): Parameters<WeightsField['show']>[0] =>
  !rule?.withWeights ? 'nothing' : rule.shippedWeights === undefined ? 'a file' : 'maybe another';

/** What can be set, as it is now; and as it would be typed. */
function parametersAbout(id: string): { readonly about: string; readonly example: string } {
  const rule = ruleOfOurs(id);
  if (!rule) return { about: 'Rules of dash.js use the numbers of the preset.', example: '' };
  const settings = Object.entries(rule.parameters).map(([name, value]) => `${name}=${value}`);
  if (!rule.tuned || settings.length === 0) return { about: 'This rule has no parameters.', example: '' };
  return { about: `Defaults: ${settings.join(', ')}.`, example: settings[0] ?? '' };
}
