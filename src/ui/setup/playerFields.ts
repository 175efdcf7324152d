import { formatOf, PLAYERS, usualPlayer } from '../../player/others/createOtherPlayer.ts';
import { byId, choose, html, setText } from '../dom.ts';

/** What only dash.js takes. */
const DASH_ONLY = [
  ...['rule', 'rule-parameters', 'rule-file', 'sizes', 'seed', 'weights', 'preset', 'preset-parameters'],
  ...['steering', 'pathways', 'split', 'protection'],
];

/**
 * The choice of a player, where the address is of HLS or a player was named. Another one than dash.js decides by its own rule and
 * has its own settings: the fields of what it does not take say so. Returns what brings the form up to date.
 */
export function playerFields(): () => void {
  const mpd = byId('mpd', HTMLInputElement);
  const picker = byId('player', HTMLSelectElement);
  const own = [ownOption('rule'), ownOption('preset')];
  return () => {
    const format = formatOf(mpd.value.trim());
    const usual = usualPlayer(mpd.value.trim());
    offer(picker, format, usual);
    byId('player-field', HTMLElement).hidden = format === 'dash' && picker.value === '';
    const id = picker.value || usual;
    const named = PLAYERS.find((each) => each.id === id);
    const isDash = id === 'dashjs';
    const label = named?.label ?? id;
    own[0]!(isDash ? null : `${label}’s own rule`);
    own[1]!(isDash ? null : `of ${label} itself`);
    const why = `${label} decides by its own rule and its own settings.`;
    for (const each of DASH_ONLY) {
      const control = byId(each, HTMLElement) as HTMLInputElement;
      control.disabled = !isDash;
      control.title = isDash ? '' : why;
    }
    setText(
      byId('player-about', HTMLElement),
      isDash ? '' : `${why} Only dash.js takes rules, presets, steering, ranges at once and key systems.`,
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

/** An option that stands for what the player has of its own; null takes it away again, and what was picked comes back. */
function ownOption(id: string): (text: string | null) => void {
  const select = byId(id, HTMLSelectElement);
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
