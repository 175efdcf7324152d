import { announce } from '../announce.ts';
import { byId } from '../byId.ts';
import type { Phase, Run } from '../session/run.ts';
import { controls } from './controls.ts';
import { idleScreen } from './idleScreen.ts';
import { keyboard } from './keyboard.ts';
import { soundHint } from './soundHint.ts';

export interface ScreenState {
  readonly phase: Phase;
  /** The page shows a session from a file: the picture is covered, nothing plays. */
  readonly opened: boolean;
}

/** The picture with its controls, keys and what covers it while nothing plays. */
export interface Screen {
  follow(run: Run): void;
  write(state: ScreenState): void;
}

export function screen({ run, onStart }: { run: () => Run | null; onStart: () => void }): Screen {
  const root = byId('screen', HTMLElement);
  const video = byId('video', HTMLVideoElement);
  const idle = idleScreen();
  const hint = soundHint(video);
  let removeControls: (() => void) | null = null;
  const toggleFullScreen = (): void => {
    const done = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    done.catch(() => announce('This browser does not allow full screen here.'));
  };
  const dropControls = (): void => {
    removeControls?.();
    removeControls = null;
  };
  byId('big-play', HTMLButtonElement).addEventListener('click', onStart);
  keyboard(() => (removeControls ? (run()?.player ?? null) : null), toggleFullScreen);
  return {
    follow({ player }) {
      const askedForSound = !video.muted;
      dropControls();
      removeControls = controls(player, toggleFullScreen);
      video.addEventListener('playing', () => hint(askedForSound && video.muted), { once: true });
    },
    write(state) {
      const [sentence, kind] = COVERS[state.opened ? 'opened' : state.phase] ?? [null, 'quiet'];
      idle(sentence, kind);
      byId('transport', HTMLElement).hidden = removeControls === null || sentence !== null;
      if (state.phase === 'stopped' || state.phase === 'failed') dropControls();
      if (sentence !== null) hint(false);
    },
  };
}

const COVERS: Readonly<Partial<Record<Phase | 'opened', readonly [string, 'startable' | 'busy' | 'quiet']>>> =
  {
    idle: [
      'Press Start. The picture appears here, and on the wall what carried each segment of it.',
      'startable',
    ],
    starting: ['Loading the stream…', 'busy'],
    stopped: ['Stopped. The recording stays on the wall.', 'startable'],
    failed: ['Playback ended. What happened stands at the top of the page.', 'startable'],
    opened: ['An opened session: nothing plays.', 'quiet'],
  };
