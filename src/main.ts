import './ui/tokens.css';
import './ui/styles/base.css';
import './ui/styles/start.css';
import './ui/styles/figures.css';
import './ui/styles/video.css';
import './ui/styles/panels.css';
import './ui/styles/floating.css';
import './ui/styles/narrow.css';
import { createPlayer, loadDash, warmPlayer } from './player/createPlayer.ts';
import type { Player, PlayerSetup } from './player/player.ts';
import { createIndexedDbStore } from './telemetry/shell/store/indexedDbStore.ts';
import { alertBar, formatThrown } from './ui/messages.ts';
import { isCompareLink, isTransferLink, linkedSetup, needsOtherPlayer } from './ui/setup/sharedLink.ts';
import { startPage } from './ui/startPage.ts';

// The compare view is a chunk of its own; who comes for it needs no player.
const openCompare = () => import('./ui/compare/openCompare.ts').then((compare) => compare.openCompare);
if (isCompareLink(location.search))
  openCompare()
    .then((open) => open())
    .catch((fault: unknown) => alertBar().say(formatThrown(fault)));
else if (isTransferLink(location.search))
  import('./ui/transfer/openTransfer.ts')
    .then(({ openTransfer }) => openTransfer())
    .catch((fault: unknown) => alertBar().say(formatThrown(fault)));
else startLive();

function startLive(): void {
  // dash.js is asked for at once, before the page comes to life, so that a link to a stream shows its first frame early.
  const { mpd, player } = linkedSetup(location.search);
  if (!needsOtherPlayer(mpd, player)) void loadDash();
  startPage({
    createPlayer: createAnyPlayer,
    // They follow once a stream that starts by itself is on screen.
    loadViews: () => import('./ui/session/sessionViews.ts'),
    openCompare,
    warm: (rule) => warmAnyPlayer(rule, player),
    store: createIndexedDbStore(),
  });
}

/** Does ahead what the first start of the linked player waits for. */
async function warmAnyPlayer(rule: string, player: string | null): Promise<void> {
  if (!needsOtherPlayer(null, player)) return warmPlayer(rule);
  const { warmOtherPlayer } = await import('./player/others/createOtherPlayer.ts');
  return warmOtherPlayer(player!, rule);
}

/** Other players than dash.js are chunks of their own. */
async function createAnyPlayer(setup: PlayerSetup): Promise<Player> {
  if (!needsOtherPlayer(setup.mpdUrl, setup.player)) return createPlayer(setup);
  const { createOtherPlayer } = await import('./player/others/createOtherPlayer.ts');
  return createOtherPlayer(setup);
}
