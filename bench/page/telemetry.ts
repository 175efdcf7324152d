import { attachTelemetry } from '../../src/telemetry/shell/attachTelemetry.ts';
import { createIndexedDbStore } from '../../src/telemetry/shell/store/indexedDbStore.ts';
import { playStream } from './playStream.ts';

// Recording as our page records, without anything that shows it.
playStream(async (player, video) => {
  await attachTelemetry(player, video, { store: createIndexedDbStore() });
});
