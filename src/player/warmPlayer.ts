import { createPlayer } from './createPlayer.ts';
import type { Player } from './player.ts';

/** A manifest with nothing in it: read like any other, and nothing is asked for after it. */
const NOTHING = 'data:application/dash+xml,<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"/>';

/**
 * Makes a player, its recording and all, that plays nothing, and throws it away: the browser then has compiled what it
 * needs, a rule's own code and weights with it, and nobody waits for that between Start and the first frame. To be called
 * while the page has nothing else to do. Each player of dash.js has its own context (FactoryMaker.js), and a recording
 * without a store is kept in memory: nothing of it is left.
 */
export async function warmPlayer(rule: string): Promise<void> {
  // A rule that has no weights yet cannot be made ready; all else can.
  const player = await idlePlayer(rule).catch(() => idlePlayer('dashjs-dynamic'));
  await player.destroy();
}

const idlePlayer = (rule: string): Promise<Player> =>
  createPlayer({ mpdUrl: NOTHING, rule, presetId: 'experiment', video: document.createElement('video') });
