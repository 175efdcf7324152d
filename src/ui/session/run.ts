import type { Player, PlayerSetup } from '../../player/player.ts';
import { firstFrame } from '../schedule.ts';
import { followViewer } from './followViewer.ts';
import { liveSession, type LiveSession, type LoadSessionViews } from './shownSession.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { formatThrown } from '../messages.ts';
import type { Setup } from '../setup/setup.ts';

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
function createRun(player: Player, { store, loadViews }: Pick<Options, 'store' | 'loadViews'>): Run {
  const session = liveSession(player.telemetry, store, { calm: firstFrame(player.video), loadViews });
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

/**
 * Whether the log has the end that the element is at. The attribute changes before the event that is recorded (HTML
 * §4.8.11.8), and a page that says "ended" promises a log that says it too.
 */
export function endLogged(telemetry: Pick<Telemetry, 'subscribe'>): () => boolean {
  let logged = false;
  telemetry.subscribe((event) => {
    if (event.kind !== 'playback') return;
    if (event.state === 'ended') logged = true;
    if (event.state === 'playing') logged = false;
  });
  return () => logged;
}

export type CreatePlayer = (setup: PlayerSetup) => Promise<Player>;

export interface StartOptions {
  readonly muted?: boolean;
  readonly resumeId?: string;
  readonly startMs?: number | null;
}

/** Starts and ends streams: at most one plays at a time, and a new one waits until the old one is closed. */
export interface Runner {
  start(setup: Setup, options?: StartOptions): Promise<void>;
  stop(): Promise<void>;
  run(): Run | null;
  pending(): { readonly phase: Phase; readonly error: string | null };
}

interface Options {
  readonly createPlayer: CreatePlayer;
  readonly store: SessionStore;
  readonly loadViews: LoadSessionViews;
  readonly video: HTMLVideoElement;
  readonly captions: HTMLDivElement;
  /** The phase changed in a way that the page must show. */
  readonly onChange: () => void;
  readonly onRun: (run: Run) => void;
  readonly onFault: (message: string) => void;
}

/** Not for what is resumed: that has had its viewer. */
function follow(run: Run, steps: Setup['viewer'], { onFault, onChange }: Options): void {
  const report = (fault: unknown): void => onFault(formatThrown(fault));
  void followViewer(run, steps, report).catch(report).finally(onChange);
}

export function runner(options: Options): Runner {
  const { createPlayer, store, video, captions, onChange, onFault } = options;
  let run: Run | null = null;
  let pending: ReturnType<Runner['pending']> = { phase: 'idle', error: null };
  const become = (phase: Phase, error: string | null = null): void => {
    pending = { phase, error };
    onChange();
  };
  const stop = async (): Promise<void> => {
    await run?.stop();
    onChange();
  };
  const begin = async (setup: Setup, { muted, resumeId, startMs }: StartOptions): Promise<void> => {
    await run?.stop();
    if (muted) video.muted = true;
    captions.replaceChildren();
    const { weights, viewer, ...rest } = setup;
    const player = await createPlayer({
      ...rest,
      weights: await weights(),
      video,
      captions,
      store,
      ...(resumeId !== undefined && { resumeId }),
      ...(startMs != null && { startMs }),
    });
    // Before anything else: each millisecond here is a millisecond of join time.
    player.play().catch((fault: unknown) => onFault(formatThrown(fault)));
    const made = (run = createRun(player, options));
    player.onFatal((message) => (onFault(message), void made.stop().finally(onChange)));
    player.onNotice(onFault);
    if (resumeId === undefined) follow(made, viewer, options);
    options.onRun(made);
    become('idle');
  };
  return {
    run: () => run,
    pending: () => pending,
    stop,
    async start(setup, startOptions = {}) {
      if (pending.phase === 'starting') return;
      become('starting');
      await begin(setup, startOptions).catch((fault: unknown) => {
        become('failed', formatThrown(fault));
        onFault(formatThrown(fault));
      });
    },
  };
}
