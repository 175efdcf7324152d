import type { Player } from '../../player/player.ts';
import { endLogged } from './endLogged.ts';
import { firstFrame } from './firstFrame.ts';
import { liveSession, type LiveSession } from './liveSession.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';

/** Where a stream is between Start and its end. */
export type Phase = 'idle' | 'starting' | 'playing' | 'paused' | 'waiting' | 'ended' | 'stopped' | 'failed';

/** One playing of a stream on this page: its player and the session it records. */
export interface Run {
  readonly player: Player;
  readonly session: LiveSession;
  phase(): Phase;
  /** The sentence playback ended with; null while there is none. */
  error(): string | null;
  /** Ends playback, waits for the last request and closes the recording. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** Follows a player that was just made. */
export function createRun(player: Player, store: SessionStore): Run {
  const session = liveSession(player.telemetry, store, firstFrame(player.video));
  let error: string | null = null;
  // A player tells late listeners too: what ended it before this line is not lost.
  player.onFatal((message) => (error = message));
  let stopping: Promise<void> | null = null;
  let stopped = false;
  const logsEnd = endLogged(player.telemetry);
  const stop = (): Promise<void> =>
    (stopping ??= player.destroy().finally(() => {
      stopped = true;
      // The element remembers that it was playing: the next stream's play would then be no event.
      player.video.pause();
      session.finish();
    }));
  return {
    player,
    session,
    error: () => error,
    phase: () => phaseOf({ error, stopped, logsEnd: logsEnd(), video: player.video }),
    stop,
  };
}

interface Moment {
  readonly error: string | null;
  readonly stopped: boolean;
  readonly logsEnd: boolean;
  readonly video: HTMLVideoElement;
}

function phaseOf({ error, stopped, logsEnd, video }: Moment): Phase {
  if (error !== null) return 'failed';
  if (stopped) return 'stopped';
  if (video.ended) return logsEnd ? 'ended' : 'playing';
  if (video.paused) return 'paused';
  return video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA ? 'playing' : 'waiting';
}
