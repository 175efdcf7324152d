import type { Player, Track } from '../../player/player.ts';
import { byId, html, setText, setTo, svg } from '../dom.ts';
import { formatElapsed } from '../../shared/format.ts';

const PLAY = 'M2.5 1v10L11 6z';
const PAUSE = 'M2 1h3v10H2zM7 1h3v10H7z';
const SPEAKER = 'M1 4h2.5L7 1v10L3.5 8H1z';
const WAVES = 'M9 3.5q2.5 2.5 0 5M10.8 1.8q4 4.2 0 8.4';
const CROSSED = 'M9 4l4 4M13 4l-4 4';
const CORNERS = 'M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8';

const TICKS = ['timeupdate', 'progress'];
const CHANGES = ['play', 'pause', 'volumechange', 'durationchange', 'seeked', 'loadedmetadata'];
/** Time between two updates of controls that are faded out, ms: they are still there for a screen reader. */
const UNSEEN_EVERY_MS = 5000;

/** The controls below the picture, for one player. Returns what takes them away. */
export function controls(player: Player, toggleFullScreen: () => void): () => void {
  const { video } = player;
  const playButton = button('play', () => void (video.paused ? player.play() : player.pause()));
  const muteButton = button('mute', () => (video.muted = !video.muted));
  const volume = volumeSlider(video);
  const liveButton = button('live-edge', () => player.seekToLive(), 'Live');
  liveButton.classList.add('live-edge');
  const full = button('full-screen', toggleFullScreen);
  face(full, 'Full screen', CORNERS, 'stroke');
  const seek = seekBar(player);
  const tracks = trackPickers(player);
  const root = byId('transport', HTMLDivElement);
  root.replaceChildren(playButton, ...seek.parts, liveButton, ...tracks.parts, muteButton, volume, full);
  root.hidden = false;

  const update = (): void => {
    face(playButton, video.paused ? 'Play' : 'Pause', video.paused ? PLAY : PAUSE, 'solid');
    face(muteButton, video.muted ? 'Sound on' : 'Mute', SPEAKER, 'solid', video.muted ? CROSSED : WAVES);
    volume.value = String(video.muted ? 0 : video.volume);
    root.classList.toggle('playing', !video.paused);
    setTo(liveButton, 'hidden', !player.isLive());
    seek.update();
    tracks.update();
  };
  const stopSeeing = whenSeen(root, update);
  const hovers = matchMedia('(hover: hover)');
  let writtenMs = 0;
  // Four times a second; each write that nobody sees would still cost style, layout and paint.
  const tick = (): void => {
    const nowMs = performance.now();
    if (!isSeen(root, video, hovers) && nowMs - writtenMs < UNSEEN_EVERY_MS) return;
    writtenMs = nowMs;
    update();
  };
  for (const name of TICKS) video.addEventListener(name, tick);
  for (const name of CHANGES) video.addEventListener(name, update);
  const toggle = (): void => playButton.click();
  video.addEventListener('click', toggle);
  update();
  return () => {
    stopSeeing();
    for (const name of TICKS) video.removeEventListener(name, tick);
    for (const name of CHANGES) video.removeEventListener(name, update);
    video.removeEventListener('click', toggle);
    root.hidden = true;
    root.replaceChildren();
  };
}

/** Tells whether the controls are visible, by the condition of video.css. */
function isSeen(root: HTMLElement, video: HTMLVideoElement, hovers: MediaQueryList): boolean {
  if (video.paused || !hovers.matches) return true;
  return root.parentElement?.matches(':hover, :has(:focus-visible)') ?? true;
}

/** Calls back when a pointer or the focus brings the controls up. Returns the disposer. */
function whenSeen(root: HTMLElement, onSeen: () => void): () => void {
  const abort = new AbortController();
  for (const name of ['pointerenter', 'focusin'])
    root.parentElement?.addEventListener(name, onSeen, { signal: abort.signal });
  return () => abort.abort();
}

function volumeSlider(video: HTMLVideoElement): HTMLInputElement {
  const slider = html('input', {
    type: 'range',
    class: 'volume',
    id: 'volume',
    min: 0,
    max: 1,
    step: 0.05,
    'aria-label': 'Volume',
  });
  slider.addEventListener('input', () => {
    video.volume = slider.valueAsNumber;
    video.muted = slider.valueAsNumber === 0;
  });
  return slider;
}

function button(id: string, onClick: () => void, text = ''): HTMLButtonElement {
  const made = html('button', { type: 'button', id }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** Label and drawing of a button, written only when they change. */
function face(
  host: HTMLButtonElement,
  label: string,
  ...[d, kind, second]: [string, 'solid' | 'stroke', string?]
): void {
  const key = `${label}${second ?? ''}`;
  if (host.dataset['face'] === key) return;
  host.dataset['face'] = key;
  host.setAttribute('aria-label', label);
  host.title = label;
  const paths = [{ d, class: kind }];
  if (second !== undefined) paths.push({ d: second, class: 'stroke' });
  host.replaceChildren(svg({ width: second === undefined ? 12 : 14, height: 12 }, paths));
}

/** Position, what is buffered, and the slider that moves it. `update` follows the video's own events. */
function seekBar(player: Player): { parts: readonly HTMLElement[]; update(): void } {
  const played = html('span', { class: 'time' }, '0:00');
  const total = html('span', { class: 'time' });
  const buffered = html('span', { class: 'buffered' });
  const bar = html('span', { class: 'played' });
  const slider = html('input', {
    type: 'range',
    id: 'seek',
    min: 0,
    max: 0,
    step: 100,
    value: 0,
    'aria-label': 'Position',
  });
  const root = html('div', { class: 'seek' }, html('span', { class: 'track' }), buffered, bar, slider);
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
  while (host.children.length < buffered.length) host.append(html('i'));
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

/** Pickers for audio (when there is a choice) and subtitles (when there are any). */
function trackPickers(player: Player): { parts: readonly HTMLElement[]; update(): void } {
  const audio = html('select', { id: 'audio-track', 'aria-label': 'Audio track', title: 'Audio track' });
  const text = html('select', { id: 'text-track', 'aria-label': 'Subtitles', title: 'Subtitles' });
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
    text.replaceChildren(html('option', { value: '' }, 'No subtitles'), ...textTracks.map(optionOf));
    text.value = textTracks.find(({ current }) => current)?.id ?? '';
    setTo(text, 'hidden', textTracks.length === 0);
  };
  update();
  return { parts: [audio, text], update };
}

function optionOf({ id, label, language, current }: Track): HTMLOptionElement {
  const name = label || language || id;
  return html('option', { value: id, selected: current }, name);
}
