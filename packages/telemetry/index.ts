/**
 * `@pitwall/telemetry`: records what a dash.js player does as a session log, in any page. The README of this folder is that
 * of the package.
 */
export {
  sessionBlob,
  readStoredSource as storedSource,
  type SessionSource,
} from '../../src/telemetry/shell/store/sessionSource.ts';
export { createIndexedDbStore } from '../../src/telemetry/shell/store/indexedDbStore.ts';
export { attachTelemetry } from '../../src/telemetry/shell/attachTelemetry.ts';
export { createMemoryStore } from '../../src/telemetry/shell/store/memoryStore.ts';
export { readSession } from '../../src/telemetry/schema/readSession.ts';
export type {
  Fetched,
  RecordedFetch,
  Telemetry,
  TelemetryOptions,
} from '../../src/telemetry/shell/telemetry.ts';
export type { SessionStore, StoredSession } from '../../src/telemetry/shell/store/sessionStore.ts';
export type { SessionEvent, SessionHeader, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
export type * from '../../src/telemetry/event.ts';
export type { Result } from '../../src/shared/result.ts';
