import type { Player } from '../../player/player.ts';
import { element } from '../element.ts';
import { setText } from '../setText.ts';
import { formatElapsed } from '../../shared/format.ts';

/** Position, what is buffered, and the slider that moves it. `update` follows the video's own events. */
export function seekBar(player: Player): { parts: readonly HTMLElement[]; update(): void } {
  const played = element('span', { class: 'time' }, '0:00');
  const total = element('span', { class: 'time' });
  const buffered = element('span', { class: 'buffered' });
  const bar = element('span', { class: 'played' });
  const slider = element('input', {
    type: 'range',
    id: 'seek',
    min: 0,
    max: 0,
    step: 100,
    value: 0,
    'aria-label': 'Position',
  });
  const root = element('div', { class: 'seek' }, element('span', { class: 'track' }), buffered, bar, slider);
  let dragging = false;

  const write = (positionMs: number): void => {
    const durationMs = player.durationMs();
    slider.disabled = durationMs === null;
    bar.style.width = durationMs ? `${percent(positionMs / durationMs)}%` : '0';
    setText(played, formatElapsed(positionMs));
    setText(total, durationMs === null ? 'live' : formatElapsed(durationMs));
    const of = durationMs === null ? '' : ` of ${formatElapsed(durationMs)}`;
    slider.setAttribute('aria-valuetext', `${formatElapsed(positionMs)}${of}`);
  };
  const update = (): void => {
    const durationMs = player.durationMs();
    drawBuffered(buffered, player);
    if (dragging) return;
    slider.max = String(durationMs ?? 0);
    slider.value = String(player.positionMs());
    write(player.positionMs());
  };
  slider.addEventListener('input', () => {
    dragging = true;
    write(slider.valueAsNumber);
  });
  slider.addEventListener('change', () => {
    dragging = false;
    player.seek(slider.valueAsNumber);
  });
  return { parts: [played, root, total], update };
}

/** `video.buffered` is on the media element's clock; live windows count from their own start. */
function drawBuffered(host: HTMLElement, player: Player): void {
  const { buffered, currentTime } = player.video;
  const durationMs = player.durationMs();
  const shiftMs = player.positionMs() - currentTime * 1000;
  while (host.children.length > buffered.length) host.lastElementChild?.remove();
  while (host.children.length < buffered.length) host.append(element('i'));
  if (!durationMs) return;
  [...host.children].forEach((child, index) => {
    if (!(child instanceof HTMLElement)) return;
    const from = (buffered.start(index) * 1000 + shiftMs) / durationMs;
    const to = (buffered.end(index) * 1000 + shiftMs) / durationMs;
    child.style.left = `${percent(from)}%`;
    child.style.width = `${Math.max(0, percent(to) - percent(from))}%`;
  });
}

const percent = (fraction: number): number => Math.min(100, Math.max(0, fraction * 100));
