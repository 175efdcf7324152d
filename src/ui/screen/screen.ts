import { announce } from '../messages.ts';
import { byId, setText, setTo } from '../dom.ts';
import type { Phase, Run } from '../session/run.ts';
import { controls } from './controls.ts';
import { keyboard } from './keyboard.ts';

interface ScreenState {
  readonly phase: Phase;
  /** Whether a session from a file is on show. */
  readonly isCovered: boolean;
}

/** The picture with its controls, keys and what covers it while nothing plays. */
interface Screen {
  /** A start is asked for, with sound if the browser lets it. */
  expect(start: { sound: boolean }): void;
  follow(run: Run): void;
  write(state: ScreenState): void;
}

export function screen({
  run,
  onStart,
  stepDecision,
}: {
  run: () => Run | null;
  onStart: () => void;
  stepDecision: (step: -1 | 1) => void;
}): Screen {
  const root = byId('screen', HTMLElement);
  const video = byId('video', HTMLVideoElement);
  const idle = idleScreen();
  const hint = soundHint(video);
  let removeControls: (() => void) | null = null;
  let wantsSound = false;
  let isCovered = false;
  const toggleFullScreen = (): void => {
    const done = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    done.catch(() => announce('This browser does not allow full screen here.'));
  };
  const dropControls = (): void => {
    removeControls?.();
    removeControls = null;
  };
  byId('big-play', HTMLButtonElement).addEventListener('click', onStart);
  keyboard({
    // What is covered by an opened session, or hidden by the compare view, takes no keys.
    player: () => (removeControls && !isCovered && root.checkVisibility() ? (run()?.player ?? null) : null),
    toggleFullScreen,
    stepDecision,
  });
  return {
    expect({ sound }) {
      wantsSound = sound && !video.muted;
    },
    follow({ player }) {
      dropControls();
      removeControls = controls(player, toggleFullScreen);
      video.addEventListener('playing', () => hint(wantsSound && video.muted), { once: true });
    },
    write(state) {
      const [sentence, kind] = coverOf(state);
      isCovered = state.isCovered;
      idle(sentence, kind);
      setTo(byId('transport', HTMLElement), 'hidden', removeControls === null || sentence !== null);
      if (state.phase === 'stopped' || state.phase === 'failed') dropControls();
      if (sentence !== null) hint(false);
    },
  };
}

type Cover = readonly [sentence: string | null, kind: 'startable' | 'busy' | 'quiet'];

function coverOf(state: ScreenState): Cover {
  if (state.isCovered) return ['A saved session: nothing plays.', 'quiet'];
  return COVERS[state.phase] ?? [null, 'quiet'];
}

const COVERS: Readonly<Partial<Record<Phase, Cover>>> = {
  idle: ['Start the stream. The video appears here; charts show each segment’s protocol.', 'startable'],
  starting: ['Loading the stream…', 'busy'],
  stopped: ['Stopped. The charts show the recording.', 'startable'],
  failed: ['Not playing: the top of the page says why.', 'startable'],
};

/** What covers the picture while nothing plays: a sentence, and a big button when a start is possible. */
function idleScreen(): (sentence: string | null, state?: 'startable' | 'busy' | 'quiet') => void {
  const root = byId('idle', HTMLDivElement);
  const button = byId('big-play', HTMLButtonElement);
  return (sentence, state = 'quiet') => {
    setTo(root, 'hidden', sentence === null);
    root.classList.toggle('busy', state === 'busy');
    setTo(button, 'hidden', state === 'quiet');
    setTo(button, 'disabled', state === 'busy');
    if (sentence !== null) setText(byId('idle-text', HTMLElement), sentence);
  };
}

/** Offers the sound back when the browser's autoplay policy allowed only a silent start. */
function soundHint(video: HTMLVideoElement): (mutedByPolicy: boolean) => void {
  const button = byId('sound-on', HTMLButtonElement);
  button.addEventListener('click', () => (video.muted = false));
  video.addEventListener('volumechange', () => {
    if (!video.muted) button.hidden = true;
  });
  return (mutedByPolicy) => (button.hidden = !mutedByPolicy);
}
