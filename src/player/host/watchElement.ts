import { msFromSeconds } from '../../shared/units.ts';
import { onEvents } from '../../telemetry/shell/onEvents.ts';
import type { RuleHost } from './ruleHost.ts';

/** ms. A shorter wait is no stall: see the glossary. */
const MIN_STALL_MS = 100;

/**
 * Tells a rule of the seeks and stalls of a media element, whatever player feeds it. `onSeek` is called first: what was decided
 * was for another place. Returns the disposer.
 */
export function watchElement(
  video: HTMLMediaElement,
  host: Pick<RuleHost, 'tell' | 'nowMs'>,
  onSeek: () => void,
): () => void {
  let hasPlayed = false;
  let waitsSinceMs: number | null = null;
  const endWait = (): void => {
    const durationMs = waitsSinceMs === null ? 0 : host.nowMs() - waitsSinceMs;
    if (waitsSinceMs !== null && durationMs >= MIN_STALL_MS)
      host.tell({ kind: 'stall', atMs: waitsSinceMs, durationMs });
    waitsSinceMs = null;
  };
  const acts: Readonly<Record<string, () => void>> = {
    seeking() {
      waitsSinceMs = null;
      onSeek();
      host.tell({ kind: 'seek', atMs: host.nowMs(), toMs: msFromSeconds(video.currentTime) });
    },
    waiting() {
      if (hasPlayed && !video.seeking && !video.paused) waitsSinceMs ??= host.nowMs();
    },
    playing() {
      hasPlayed = true;
      endWait();
    },
    emptied() {
      hasPlayed = false;
      waitsSinceMs = null;
    },
  };
  return onEvents(video, Object.keys(acts), ({ type }) => acts[type]?.());
}
