import { formatOf, PLAYERS, usualPlayer } from '../../player/others/createOtherPlayer.ts';
import type { Entry } from '../../shared/registry.ts';
import { byId, choose, html, setText } from '../dom.ts';

/** What only dash.js takes. */
const DASH_ONLY = ['sizes', 'preset', 'preset-parameters', 'steering', 'pathways', 'split', 'protection'];

/**
 * The choice of a player, where the address is of HLS or a player was named. Another one than dash.js has its own rule and its own
 * settings: the fields of what it does not take say so. Returns what brings the form up to date.
 */
export function playerFields(): () => void {
  const mpd = byId('mpd', HTMLInputElement);
  const picker = byId('player', HTMLSelectElement);
  const offerRules = ruleOptions();
  const offerPreset = ownPreset();
  return () => {
    const format = formatOf(mpd.value.trim());
    const usual = usualPlayer(mpd.value.trim());
    offer(picker, format, usual);
    byId('player-field', HTMLElement).hidden = format === 'dash' && picker.value === '';
    const id = picker.value || usual;
    const named = PLAYERS.find((each) => each.id === id);
    const isDash = id === 'dashjs';
    const label = named?.label ?? id;
    offerRules(isDash || !named ? null : { id: named.ownRule, label: `${label}’s own rule` });
    offerPreset(isDash ? null : `of ${label} itself`);
    const why = `${label} plays with its own settings.`;
    for (const each of DASH_ONLY) {
      const control = byId(each, HTMLElement) as HTMLInputElement;
      control.disabled = !isDash;
      control.title = isDash ? '' : why;
    }
    setText(
      byId('player-about', HTMLElement),
      isDash
        ? ''
        : `${why} Only dash.js takes presets, segment sizes, steering, ranges at once and key systems.`,
    );
  };
}

/** The players of a format, the usual one first and without a name in the link. */
function offer(picker: HTMLSelectElement, format: 'dash' | 'hls', usual: string): void {
  const { value } = picker;
  const others = PLAYERS.filter(({ id, plays }) => id !== usual && plays.some((each) => each === format));
  const label = PLAYERS.find(({ id }) => id === usual)?.label ?? usual;
  picker.replaceChildren(
    html('option', { value: '' }, label),
    ...others.map(({ id, label: name }) => html('option', { value: id }, name)),
  );
  choose(picker, value === usual ? '' : value);
}

/** Another player's own rule takes the place of those of dash.js. Takes null for dash.js: what was picked of its rules comes back. */
function ruleOptions(): (own: Entry | null) => void {
  const select = byId('rule', HTMLSelectElement);
  const ofDash = select.querySelector('optgroup')!;
  let before = valueOf(ofDash.firstElementChild!);
  let given = '';
  const isOfDash = (id: string): boolean => [...ofDash.children].some((each) => valueOf(each) === id);
  return (own) => {
    const { value } = select;
    if (isOfDash(value)) before = value;
    const isOfPlayer = isOfDash(value) || value === given;
    const ownId = own?.id ?? '';
    if (given !== '' && given !== ownId) optionOf(select, given)?.remove();
    given = ownId;
    ofDash.disabled = own !== null;
    if (own) showFirst(select, own);
    choose(select, isOfPlayer ? ownId || before : value);
    if (select.value !== value) clearParameters();
  };
}

/** A link may have named it before it was known. */
function showFirst(select: HTMLSelectElement, { id, label }: Entry): void {
  const option = optionOf(select, id) ?? html('option', { value: id });
  option.dataset['label'] = label;
  setText(option, label);
  if (select.firstChild !== option) select.prepend(option);
}

/** They were another rule's. */
function clearParameters(): void {
  const parameters = byId('rule-parameters', HTMLInputElement);
  parameters.value = '';
  parameters.dispatchEvent(new Event('input'));
}

const valueOf = (option: Element): string => (option as HTMLOptionElement).value;
const optionOf = (select: HTMLSelectElement, id: string): HTMLOptionElement | undefined =>
  [...select.options].find(({ value }) => value === id);

/** An option that stands for the settings of another player; null takes it away again, and what was picked comes back. */
function ownPreset(): (text: string | null) => void {
  const select = byId('preset', HTMLSelectElement);
  const option = html('option', { value: '' });
  let before: string | null = null;
  return (text) => {
    if (text === null) {
      option.remove();
      if (before !== null) choose(select, before);
      before = null;
      return;
    }
    setText(option, text);
    if (select.value !== '') before = select.value;
    if (!option.isConnected) select.prepend(option);
    select.value = '';
  };
}
