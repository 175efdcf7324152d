import type { Player } from '../../player/player.ts';
import type { ViewerStep } from '../../shared/viewerScript.ts';

/** What a viewer can do to a run. */
interface Run {
  readonly player: Pick<Player, 'positionMs' | 'durationMs' | 'seek' | 'pause' | 'play'> & {
    readonly video: Pick<HTMLVideoElement, 'readyState'>;
  };
  phase(): string;
  stop(): Promise<void>;
}

/** How often the playhead is compared with a position: more often than a frame is drawn would show nothing. */
const EVERY_MS = 40;

/** HTMLMediaElement.HAVE_METADATA: the duration is known. */
const HAVE_METADATA = 1;

/**
 * Does to a run what a viewer's script says, step after step. Times count from this call, which belongs to the request to
 * play. Resolves after the last step, or when the run has ended. `onFault` receives why the run could not play on after a
 * pause.
 */
export async function followViewer(
  run: Run,
  steps: readonly ViewerStep[],
  onFault: (fault: unknown) => void,
): Promise<void> {
  const startMs = performance.now();
  for (const step of steps) {
    if (!(await isDue(run, step, startMs))) return;
    await act(run, step, onFault);
  }
}

const isOver = (run: Run): boolean => ['stopped', 'failed', 'ended'].includes(run.phase());

/** Resolves once it holds; to false where the run ends before. */
async function until(run: Run, holds: () => boolean): Promise<boolean> {
  while (!isOver(run) && !holds()) await later(EVERY_MS);
  return !isOver(run);
}

/** Resolves at the moment of a step; to false where the run ends before. */
async function isDue(run: Run, { when }: ViewerStep, startMs: number): Promise<boolean> {
  if (when.kind === 'position') return until(run, () => run.player.positionMs() >= when.ms);
  await later(startMs + when.ms - performance.now());
  return !isOver(run);
}

async function act(run: Run, { action, ms }: ViewerStep, onFault: (fault: unknown) => void): Promise<void> {
  const { player } = run;
  switch (action) {
    case 'seek-to':
    case 'seek-by':
      // Before there is metadata, dash.js ignores a seek, or replaces it by its own to the start.
      if (await until(run, () => player.video.readyState >= HAVE_METADATA))
        player.seek(withinStream(run, action === 'seek-to' ? ms : player.positionMs() + ms));
      return;
    case 'pause':
      player.pause();
      await later(ms);
      // Resolves with the next frame: a step that comes before does not wait for it.
      if (!isOver(run)) player.play().catch(onFault);
      return;
    case 'leave':
      return run.stop();
  }
}

const withinStream = ({ player }: Run, ms: number): number =>
  Math.min(player.durationMs() ?? Infinity, Math.max(0, ms));

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
