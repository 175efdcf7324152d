import type { Player } from '../../player/player.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import { vector } from '../vector.ts';
import { seekBar } from './seekBar.ts';
import { trackPickers } from './trackPickers.ts';
import { setTo } from '../setTo.ts';

const PLAY = 'M2.5 1v10L11 6z';
const PAUSE = 'M2 1h3v10H2zM7 1h3v10H7z';
const SPEAKER = 'M1 4h2.5L7 1v10L3.5 8H1z';
const WAVES = 'M9 3.5q2.5 2.5 0 5M10.8 1.8q4 4.2 0 8.4';
const CROSSED = 'M9 4l4 4M13 4l-4 4';
const CORNERS = 'M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8';

const TICKS = ['timeupdate', 'progress'];
const CHANGES = ['play', 'pause', 'volumechange', 'durationchange', 'seeked', 'loadedmetadata'];
/** Faded out, the controls are still there for a screen reader. */
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

/** The same condition as in video.css. */
function isSeen(root: HTMLElement, video: HTMLVideoElement, hovers: MediaQueryList): boolean {
  if (video.paused || !hovers.matches) return true;
  return root.parentElement?.matches(':hover, :focus-within') ?? true;
}

/** Calls back when a pointer or the focus brings the controls up. Returns the disposer. */
function whenSeen(root: HTMLElement, onSeen: () => void): () => void {
  const abort = new AbortController();
  for (const name of ['pointerenter', 'focusin'])
    root.parentElement?.addEventListener(name, onSeen, { signal: abort.signal });
  return () => abort.abort();
}

function volumeSlider(video: HTMLVideoElement): HTMLInputElement {
  const slider = element('input', {
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
  const made = element('button', { type: 'button', id }, text);
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
  const paths: [string, string][] = [[d, kind]];
  if (second !== undefined) paths.push([second, 'stroke']);
  host.replaceChildren(vector({ width: second === undefined ? 12 : 14, height: 12, paths }));
}
