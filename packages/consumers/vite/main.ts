import { MediaPlayer } from 'dashjs';
import { neural, parseRule } from '@pitwall/abr';
import { useRule } from '@pitwall/abr/dashjs';
import netAddress from '@pitwall/abr/models/neural.json?url';
import {
  attachTelemetry,
  createIndexedDbStore,
  readSession,
  sessionBlob,
  storedSource,
} from '@pitwall/telemetry';

/** `?mpd=…&rule=…`, and `&unrecorded` for a player that nobody records. */
const query = new URLSearchParams(location.search);
const video = document.querySelector('video')!;
const player = MediaPlayer().create();
const store = createIndexedDbStore('consumer');
const telemetry = query.has('unrecorded') ? null : await attachTelemetry(player, video, { store });
const rule = await useRule(player, video, parseRule(query.get('rule')!), telemetry ? { telemetry } : {});
player.initialize(video, query.get('mpd')!, true);

/** What the test asks of the page. */
const consumer = {
  /** Puts the net in charge, which comes as a file of its own. */
  async useNet(): Promise<void> {
    const weights = await (await fetch(netAddress)).text();
    const able = await neural.withWeights!(weights);
    if (!able.ok) throw new Error(able.error);
    rule.use(able.value);
  },
  /** bit/s of the video's representations, and of the one that is loaded. */
  bitrates: (): { all: number[]; current: number } => ({
    all: player.getRepresentationsByType('video').map(({ bandwidth }) => bandwidth),
    current: player.getCurrentRepresentationForType('video')!.bandwidth,
  }),
  stopRule: () => rule.stop(),
  activeRules: (): string[] =>
    Object.entries(player.getSettings().streaming?.abr?.rules ?? {})
      .filter(([, settings]) => settings?.active)
      .map(([name]) => name),
  /** The session as a file, out of IndexedDB, read back by the package. */
  async stored(): Promise<{ text: string; error: string | null; ids: string[] }> {
    await telemetry!.exportLog();
    const text = await (await sessionBlob(await storedSource(store, telemetry!.sessionId))).text();
    const read = readSession(text);
    return { text, error: read.ok ? null : read.error, ids: (await store.list()).map(({ id }) => id) };
  },
};

declare global {
  interface Window {
    consumer: typeof consumer;
  }
}
window.consumer = consumer;
