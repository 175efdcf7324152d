import type { Surroundings } from './tracker.ts';

/** When the tab is hidden: browsers then slow timers and stop drawing frames. Visible is where a session starts. */
export function trackVisibility({ clock, recording }: Surroundings): () => void {
  let hiddenBefore = false;
  const onChange = (): void => {
    const hidden = document.visibilityState === 'hidden';
    if (hidden === hiddenBefore) return;
    hiddenBefore = hidden;
    recording.record({ kind: 'visibility', atMs: clock.nowMs(), hidden, missing: {} });
  };
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
