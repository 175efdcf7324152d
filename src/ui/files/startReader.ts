/** A worker that reads files; it takes what `Wanted` says. */
export const startReader = (): Worker =>
  new Worker(new URL('./fileReader.worker.ts', import.meta.url), { type: 'module' });
