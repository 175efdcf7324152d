import './ui/tokens.css';
import './ui/styles/base.css';
import './ui/styles/start.css';
import './ui/styles/figures.css';
import './ui/styles/video.css';
import './ui/styles/panels.css';
import './ui/styles/floating.css';
import './ui/styles/narrow.css';
import { createIndexedDbStore } from './telemetry/shell/indexedDbStore.ts';
import { startPage } from './ui/startPage.ts';

// dash.js is asked for at once, beside the page's own code, so that a link to a stream shows its first frame early.
const player = import('./player/createPlayer.ts').then(({ createPlayer, loadDash }) => {
  void loadDash();
  return createPlayer;
});
// The charts follow in their own chunk, once a stream that starts by itself is on screen.
const mountWall = () => import('./charts/shell/mountWall.ts').then((charts) => charts.mountWall);

startPage({ createPlayer: () => player, mountWall, store: createIndexedDbStore() });
