import type { Player, Track } from '../../player/player.ts';
import { element } from '../element.ts';
import { setTo } from '../setTo.ts';

/** Pickers for audio (when there is a choice) and subtitles (when there are any). */
export function trackPickers(player: Player): { parts: readonly HTMLElement[]; update(): void } {
  const audio = element('select', { id: 'audio-track', 'aria-label': 'Audio track', title: 'Audio track' });
  const text = element('select', { id: 'text-track', 'aria-label': 'Subtitles', title: 'Subtitles' });
  audio.addEventListener('change', () => player.useAudioTrack(audio.value));
  text.addEventListener('change', () => player.useTextTrack(text.value === '' ? null : text.value));
  let drawn = '';
  const update = (): void => {
    const audioTracks = player.audioTracks();
    const textTracks = player.textTracks();
    const key = JSON.stringify([audioTracks, textTracks]);
    if (key === drawn) return;
    drawn = key;
    audio.replaceChildren(...audioTracks.map(optionOf));
    setTo(audio, 'hidden', audioTracks.length < 2);
    text.replaceChildren(element('option', { value: '' }, 'No subtitles'), ...textTracks.map(optionOf));
    text.value = textTracks.find(({ current }) => current)?.id ?? '';
    setTo(text, 'hidden', textTracks.length === 0);
  };
  update();
  return { parts: [audio, text], update };
}

function optionOf({ id, label, language, current }: Track): HTMLOptionElement {
  const name = label || language || id;
  return element('option', { value: id, selected: current }, name);
}
