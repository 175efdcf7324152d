import type { SessionStore } from '../telemetry/index.ts';

/** Keeps nothing: for a player whose rules need measurements, and nobody a recording. */
export function createForgetfulStore(): SessionStore {
  return {
    begin: async () => undefined,
    flush: async () => undefined,
    end: async () => undefined,
    list: async () => [],
    header: async () => null,
    async *events() {},
    open: async () => [],
    snapshot: async () => null,
    event: async () => null,
    remove: async () => undefined,
  };
}
