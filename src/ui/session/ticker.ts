/** As often as the charts draw: numbers that change faster are not read, and each change costs a frame. */
const EVERY_MS = 1000;

/** Calls `tick` once a second while the page is visible, and at once when it becomes visible again. */
export function ticker(tick: () => void): void {
  setInterval(() => {
    if (!document.hidden) tick();
  }, EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) tick();
  });
}
