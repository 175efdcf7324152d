import { rmdirSync } from 'node:fs';

/** What was refused before anything was played leaves no folder. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it.
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does something when the process ends by itself or by a signal. Where others listen for the signal, they end the work in good
 * order, and nothing is done before that. Answers how to take it back.
 */
export function atProcessEnd(act: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    act();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('exit', act);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('exit', act);
  return stop;
}
