import type { RedrawPolicy } from './redrawPolicy.ts';
import type { PanelDrawing } from './panelDrawing.ts';
import { whenSeen } from './whenSeen.ts';

/** Follows what the page does to the chart panel: hidden or seen, wider or narrower, light or dark. Returns the disposer. */
export function listenToPage({
  host,
  drawing,
  policy,
}: {
  host: HTMLElement;
  drawing: PanelDrawing;
  policy: RedrawPolicy;
}): () => void {
  const restyle = (): void => {
    drawing.restyle();
    policy.now();
  };
  const abort = new AbortController();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', restyle, { signal: abort.signal });
  const observer = new ResizeObserver(restyle);
  observer.observe(host);
  const unwatch = whenSeen(host, (seen) => policy.setVisible(seen));
  return () => {
    abort.abort();
    observer.disconnect();
    unwatch();
  };
}
