import { byId } from '../byId.ts';
import { setText } from '../setText.ts';
import { loadText } from './loadText.ts';

/** The weights file of a rule that cannot decide without one: an address, or a file of the visitor's. */
export interface WeightsField {
  show(wanted: boolean): void;
  /** Shown, and still empty. */
  isWanting(): boolean;
  /** The address for a link; '' for a file of the visitor's. */
  url(): string;
  /** null when not shown or empty. Rejects with one sentence. */
  text(): Promise<string | null>;
  fill(url: string): void;
}

export function weightsField(onGiven: () => void): WeightsField {
  const field = byId('weights-field', HTMLElement);
  const address = byId('weights', HTMLInputElement);
  const picker = byId('weights-file', HTMLInputElement);
  const note = byId('weights-note', HTMLElement);
  const usual = note.textContent ?? '';
  let file: File | null = null;
  const given = (chosen: File | null): void => {
    file = chosen;
    setText(note, chosen ? `${chosen.name} is used. A link cannot carry a file.` : usual);
    onGiven();
  };
  byId('choose-weights', HTMLButtonElement).addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    const [chosen] = picker.files ?? [];
    if (!chosen) return;
    address.value = '';
    given(chosen);
  });
  address.addEventListener('change', () => given(null));
  return {
    show: (wanted) => void (field.hidden = !wanted),
    isWanting: () => !field.hidden && !file && address.value.trim() === '',
    url: () => (field.hidden ? '' : address.value.trim()),
    async text() {
      if (field.hidden) return null;
      if (file) return await file.text();
      const typed = address.value.trim();
      return typed === '' ? null : await loadText(typed, 'The weights file');
    },
    fill: (url) => void (address.value = url),
  };
}
