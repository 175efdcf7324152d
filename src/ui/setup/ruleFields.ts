import { playerRules, type PickableRule } from '../../player/rules.ts';
import { byId, choose, html, setText } from '../dom.ts';
import type { LinkTexts } from './sharedLink.ts';
import { describeParameters, formatRuleText, splitRuleText } from './setup.ts';

/** The rule and what belongs to it: parameters, seed, segment sizes, weights. */
export interface RuleFields {
  /** As a link has them. */
  texts(): Pick<LinkTexts, 'rule' | 'sizes' | 'seed' | 'weights'>;
  /** Whether a person or a link has named a rule. */
  isChosen(): boolean;
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
  let isChosen = false;
  const describe = (): void => {
    const { about, example } = parametersAbout(picker.value);
    parameters.placeholder = example;
    for (const option of picker.options) setText(option, formatOption(option, picker, parameters));
    setText(byId('rule-about', HTMLElement), about);
    weights.show(weightsWanted(ruleOfOurs(picker.value)));
    if (weights.isWanting()) onWanted();
  };
  picker.addEventListener('change', () => {
    isChosen = true;
    // They were the other rule's.
    parameters.value = '';
    weights.clear();
    describe();
    onRule();
  });
  const file = byId('rule-file', HTMLInputElement);
  file.addEventListener('change', () => {
    void import('./ownRule.ts').then((own) => own.pickRuleFile(file, picker));
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
    isChosen: () => isChosen,
    label: () => picker.selectedOptions[0]?.text ?? '',
    weights: weights.text,
    fill(values) {
      if (values.rule) {
        isChosen = true;
        fillRule(picker, parameters, values.rule);
      }
      if (values.sizes) sizes.value = values.sizes;
      if (values.seed) seed.value = values.seed;
      if (values.weights) weights.fill(values.weights);
      describe();
    },
  };
}

function optionGroup(label: string, fits: (rule: PickableRule['rule']) => boolean): HTMLElement {
  const members = playerRules.filter(({ rule }) => fits(rule));
  return html(
    'optgroup',
    { label },
    ...members.map((each) => html('option', { value: each.id }, each.label)),
  );
}

function fillRule(picker: HTMLSelectElement, parameters: HTMLInputElement, text: string): void {
  const { id, parameters: typed } = splitRuleText(text);
  choose(picker, id);
  parameters.value = typed;
}

/** The picked one with its parameters, so that nobody takes it for the rule as it comes. */
function formatOption(
  { value, dataset }: HTMLOptionElement,
  picker: HTMLSelectElement,
  parameters: HTMLInputElement,
): string {
  const label = playerRules.find(({ id }) => id === value)?.label ?? dataset['label'] ?? `${value} (unknown)`;
  const typed = value === picker.value ? parameters.value.trim() : '';
  return typed === '' ? label : `${label} · ${typed}`;
}

const ruleOfOurs = (id: string) => playerRules.find((each) => each.id === id)?.rule ?? null;

const weightsWanted = (rule: PickableRule['rule']): Parameters<WeightsField['show']>[0] =>
  !rule?.withWeights ? 'nothing' : rule.shippedWeights === undefined ? 'a file' : 'maybe another';

function parametersAbout(id: string): ReturnType<typeof describeParameters> {
  const rule = ruleOfOurs(id) ?? undefined;
  const nothing = rule ? 'This rule has no parameters.' : 'A player’s own rules use its settings.';
  return describeParameters(rule, nothing);
}

/** The weights file of a rule that cannot decide without one: an address, or a file of the visitor's. */
interface WeightsField {
  /** What the rule needs: nothing, a file, or no more than a chance to replace the file that it comes with. */
  show(wanted: 'nothing' | 'a file' | 'maybe another'): void;
  /** A file is needed, and none is given. */
  isWanting(): boolean;
  /** The address for a link; '' for a file of the visitor's. */
  url(): string;
  /** null when not shown or empty. Rejects with one sentence. */
  text(): Promise<string | null>;
  fill(url: string): void;
  /** They were of another rule. */
  clear(): void;
}

const NEEDED = 'This neural net needs its weights.';
const REPLACEABLE = 'You can replace its weights.';

const formatUsed = ({ name }: File): string => `${name} is chosen; no link carries it.`;

function weightsField(onGiven: () => void): WeightsField {
  const field = byId('weights-field', HTMLElement);
  const address = byId('weights', HTMLInputElement);
  const picker = byId('weights-file', HTMLInputElement);
  const note = byId('weights-note', HTMLElement);
  const drop = byId('drop-weights', HTMLButtonElement);
  let file: File | null = null;
  let needed = false;
  const say = (): void => {
    drop.hidden = !file;
    setText(note, file ? formatUsed(file) : needed ? NEEDED : REPLACEABLE);
  };
  const given = (chosen: File | null): void => {
    file = chosen;
    say();
    onGiven();
  };
  byId('choose-weights', HTMLButtonElement).addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    const [chosen] = picker.files ?? [];
    // Else the same file, edited meanwhile, could not be chosen again.
    picker.value = '';
    if (!chosen) return;
    address.value = '';
    given(chosen);
  });
  address.addEventListener('change', () => given(null));
  drop.addEventListener('click', () => (address.focus(), given(null)));
  return {
    show(wanted) {
      field.hidden = wanted === 'nothing';
      needed = wanted === 'a file';
      say();
    },
    isWanting: () => needed && !file && address.value.trim() === '',
    url: () => (field.hidden ? '' : address.value.trim()),
    async text() {
      if (field.hidden) return null;
      if (file) return await file.text();
      const typed = address.value.trim();
      return typed === '' ? null : await loadWeights(typed);
    },
    fill: (url) => void (address.value = url),
    clear() {
      address.value = '';
      file = null;
    },
  };
}

/** Loads a file of weights by its address (relative to the page). Rejects with one sentence. */
async function loadWeights(typed: string): Promise<string> {
  const url = URL.parse(typed, document.baseURI);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`Weights: “${typed}” is not a web address.`);
  const response = await fetch(url).catch(() => null);
  if (!response) throw new Error(`Weights: no answer from ${url.host}, or no CORS.`);
  if (!response.ok) throw new Error(`Weights: ${url.host} answered ${response.status}.`);
  return await response.text();
}
