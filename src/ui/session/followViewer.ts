import type { Player } from '../../player/player.ts';
import type { ViewerStep } from '../../shared/viewerScript.ts';

/** What a viewer can do to a run. */
interface Run {
  readonly player: Pick<Player, 'positionMs' | 'durationMs' | 'seek' | 'pause' | 'play'>;
  phase(): string;
  stop(): Promise<void>;
}

/** How often the playhead is compared with a position: more often than a frame is drawn would show nothing. */
const EVERY_MS = 40;

/**
 * Does to a run what a viewer's script says, step after step. Times count from this call, which belongs to the request to
 * play. Resolves after the last step, or when the run has ended.
 */
export async function followViewer(run: Run, steps: readonly ViewerStep[]): Promise<void> {
  const startMs = performance.now();
  for (const step of steps) {
    if (!(await isDue(run, step, startMs))) return;
    await act(run, step);
  }
}

const isOver = (run: Run): boolean => ['stopped', 'failed', 'ended'].includes(run.phase());

/** Resolves at the moment of a step; to false where the run ends before. */
async function isDue(run: Run, { when }: ViewerStep, startMs: number): Promise<boolean> {
  if (when.kind === 'time') {
    await later(startMs + when.ms - performance.now());
    return !isOver(run);
  }
  while (run.player.positionMs() < when.ms) {
    if (isOver(run)) return false;
    await later(EVERY_MS);
  }
  return !isOver(run);
}

async function act(run: Run, { action, ms }: ViewerStep): Promise<void> {
  const { player } = run;
  switch (action) {
    case 'seek-to':
      return player.seek(withinStream(run, ms));
    case 'seek-by':
      return player.seek(withinStream(run, player.positionMs() + ms));
    case 'pause':
      player.pause();
      await later(ms);
      if (!isOver(run)) await player.play();
      return;
    case 'leave':
      return run.stop();
  }
}

const withinStream = ({ player }: Run, ms: number): number =>
  Math.min(player.durationMs() ?? Infinity, Math.max(0, ms));

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
