/** Twice a second is as often as numbers can be read. */
const EVERY_MS = 500;

/** Calls `tick` twice a second while the page is visible, and at once when it becomes visible again. */
export function ticker(tick: () => void): void {
  setInterval(() => {
    if (!document.hidden) tick();
  }, EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) tick();
  });
}
