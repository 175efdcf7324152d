/**
 * `@pitwall/telemetry/element`: records what a video element plays as a session log, whatever player feeds it. The README of this
 * folder is that of the package.
 */
export { recordElement } from '../../src/telemetry/shell/recordElement.ts';
export type { ElementOptions, ElementTelemetry } from '../../src/telemetry/shell/telemetry.ts';

export { createIndexedDbStore } from '../../src/telemetry/shell/store/indexedDbStore.ts';
export { createMemoryStore } from '../../src/telemetry/shell/store/memoryStore.ts';
export type { SessionStore, StoredSession } from '../../src/telemetry/shell/store/sessionStore.ts';
export type { SessionEvent, SessionHeader, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
