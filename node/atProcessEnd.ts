const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The newest first: it may lie in what an older one removes. */
let acts: readonly (() => void)[] = [];

/**
 * Does something when the process ends by itself or by a signal. Where others listen for the signal, they end the work in good
 * order, and nothing is done before that. Answers how to take it back.
 */
export function atProcessEnd(act: () => void): () => void {
  // One listener for all: each would take another one for somebody who ends the work.
  if (acts.length === 0) listen();
  acts = [act, ...acts];
  return () => {
    acts = acts.filter((each) => each !== act);
    if (acts.length === 0) stopListening();
  };
}

function actAll(): void {
  for (const act of acts) act();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  actAll();
  stopListening();
  process.kill(process.pid, signal);
}

function listen(): void {
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('exit', actAll);
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, onSignal);
  process.off('exit', actAll);
}
