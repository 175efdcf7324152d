/* global dashjs, pitwallTelemetry */
import { useRule } from './node_modules/@pitwall/abr/dist/packages/abr/dashjs.js';

const video = document.querySelector('video');
const player = dashjs.MediaPlayer().create();
let telemetry = await pitwallTelemetry.attachTelemetry(player, video);
const query = new URLSearchParams(location.search);
if (query.has('rule')) await useRule(player, video, query.get('rule'), { telemetry });
player.initialize(video, query.get('mpd'), true);

globalThis.consumer = {
  exported: async () => JSON.stringify(await telemetry.exportLog()),
  /** A second recording of the same player. */
  async again() {
    await telemetry.stop();
    player.reset();
    telemetry = await pitwallTelemetry.attachTelemetry(player, video);
    player.initialize(video, query.get('mpd'), true);
  },
  nextSource: () => player.attachSource(query.get('mpd')),
};
