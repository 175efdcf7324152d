import type { Player, PlayerSetup } from '../../player/player.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';
import { formatThrown } from '../formatThrown.ts';
import type { Setup } from '../setup/setup.ts';
import { createRun, type Phase, type Run } from './run.ts';

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
  readonly video: HTMLVideoElement;
  readonly captions: HTMLDivElement;
  /** The phase changed in a way that the page must show. */
  readonly onChange: () => void;
  readonly onRun: (run: Run) => void;
  readonly onFault: (message: string) => void;
}

export function runner(options: Options): Runner {
  const { createPlayer, store, video, captions, onChange, onFault } = options;
  let run: Run | null = null;
  let pending: { phase: Phase; error: string | null } = { phase: 'idle', error: null };
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
    const { weights, ...rest } = setup;
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
    const made = (run = createRun(player, store));
    player.onFatal((message) => {
      onFault(message);
      void made.stop().finally(onChange);
    });
    player.onNotice(onFault);
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
