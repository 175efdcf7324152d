/** The one failure that ended playback. A later listener is called at once: the failure may precede any listener. */
export interface Fatal {
  /** Only the first counts: what follows is its consequence. */
  fail(message: string): void;
  onFatal(listener: (message: string) => void): () => void;
  readonly message: () => string | null;
}

export function createFatal(onFirst: (message: string) => void): Fatal {
  let first: string | null = null;
  const listeners = new Set<(message: string) => void>();
  return {
    fail(message) {
      if (first !== null) return;
      first = message;
      onFirst(message);
      for (const listener of listeners) listener(message);
    },
    onFatal(listener) {
      if (first !== null) listener(first);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    message: () => first,
  };
}
