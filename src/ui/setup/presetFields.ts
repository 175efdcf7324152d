import { presets } from '../../player/presets.ts';
import { byId, choose, html, setText } from '../dom.ts';
import { describeParameters, formatRuleText, splitRuleText } from './setup.ts';

/** The preset and its parameters. */
export interface PresetFields {
  /** As a link has it: `experiment:bufferSeconds=8`. */
  text(): string;
  /** Name of the preset for people, with what was typed. */
  label(): string;
  fill(text: string): void;
}

export function presetFields(): PresetFields {
  const picker = byId('preset', HTMLSelectElement);
  const parameters = byId('preset-parameters', HTMLInputElement);
  picker.replaceChildren(...presets.map(({ id, label }) => html('option', { value: id }, label)));
  const describe = (): void => {
    const preset = presets.find(({ id }) => id === picker.value);
    const { about, example } = describeParameters(preset, 'These settings have no parameters.');
    parameters.placeholder = example;
    setText(byId('preset-about', HTMLElement), about);
  };
  const fill = (text: string): void => {
    const { id, parameters: typed } = splitRuleText(text);
    choose(picker, id);
    parameters.value = typed;
    describe();
  };
  // Before the form hears of it, and writes the link.
  picker.addEventListener('input', () => {
    // They were the other preset's.
    parameters.value = '';
    describe();
  });
  fill('experiment');
  return {
    text: () => formatRuleText({ id: picker.value, parameters: parameters.value }),
    label() {
      const typed = parameters.value.trim();
      const label = picker.selectedOptions[0]?.text ?? '';
      return typed === '' ? label : `${label} · ${typed}`;
    },
    fill,
  };
}
