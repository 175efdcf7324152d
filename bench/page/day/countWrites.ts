import type { SessionStore } from '../../../src/telemetry/shell/store/sessionStore.ts';

/** A store that says when all that was recorded is written: a day must not pile up in memory before it. */
export function countWrites(inner: SessionStore): {
  readonly store: SessionStore;
  caughtUp(wanted: () => number): Promise<void>;
} {
  let written = 0;
  let wake: () => void = () => undefined;
  return {
    store: {
      ...inner,
      async flush(update) {
        await inner.flush(update);
        written += update.events.length;
        wake();
      },
    },
    async caughtUp(wanted) {
      while (written < wanted()) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
