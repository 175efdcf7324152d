/** `@pitwall/telemetry/shaka`: records what Shaka Player plays and decides as a session log. The README of this folder is that of the package. */
export { attachShaka, type ShakaPlayer } from '../../src/telemetry/shell/shaka/attachShaka.ts';
export type {
  Fetched,
  RecordedFetch,
  SessionOptions,
  Telemetry,
} from '../../src/telemetry/shell/telemetry.ts';

export { createIndexedDbStore } from '../../src/telemetry/shell/store/indexedDbStore.ts';
export { createMemoryStore } from '../../src/telemetry/shell/store/memoryStore.ts';
export type { SessionStore, StoredSession } from '../../src/telemetry/shell/store/sessionStore.ts';
export type { SessionEvent, SessionHeader, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
