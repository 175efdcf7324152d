/** Calls back when what is drawn must be drawn anew: another width, or light and dark changed places. */
export function listenToLook(host: HTMLElement, onChange: () => void): void {
  new ResizeObserver(onChange).observe(host);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange);
}
