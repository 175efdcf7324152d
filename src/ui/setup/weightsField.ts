import { byId } from '../byId.ts';
import { setText } from '../setText.ts';
import { loadText } from './loadText.ts';

/** The weights file of a rule that cannot decide without one: an address, or a file of the visitor's. */
export interface WeightsField {
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

const NEEDED = 'This rule is a neural net: it needs its weights.';
const REPLACEABLE = 'It has its own weights; you can replace them.';

const formatUsed = ({ name }: File): string => `${name} is used. A link cannot carry a file.`;

export function weightsField(onGiven: () => void): WeightsField {
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
      return typed === '' ? null : await loadText(typed, 'The weights file');
    },
    fill: (url) => void (address.value = url),
    clear() {
      address.value = '';
      file = null;
    },
  };
}
