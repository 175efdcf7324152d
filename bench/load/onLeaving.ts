/** What must be undone when this process leaves in the middle, with one listener for all. */
const pending = new Set<() => void>();
process.on('exit', () => {
  for (const undo of pending) undo();
});

/** Calls `undo` at the end of the process, unless what is returned is called first. `undo` must not wait. */
export function onLeaving(undo: () => void): () => void {
  pending.add(undo);
  return () => void pending.delete(undo);
}
