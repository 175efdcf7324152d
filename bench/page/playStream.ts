import { MediaPlayer, type MediaPlayerClass } from 'dashjs';
import { presets, settingsOf } from '../../src/player/presets.ts';
import { pick } from '../../src/shared/registry.ts';

/**
 * The page that ours is held against: dash.js and a video, with the settings of the same preset, and nothing else.
 * `?mpd=…&preset=…`; starts at once and muted with `&autoplay=1`, else by the button. `prepare` runs before `initialize`.
 */
export function playStream(
  prepare: (player: MediaPlayerClass, video: HTMLVideoElement) => Promise<void> | void,
): void {
  const query = new URLSearchParams(location.search);
  const video = document.querySelector('video');
  const button = document.querySelector('button');
  if (!video || !button) throw new Error('the bench page has no video or no button');
  const start = async (): Promise<void> => {
    const player = MediaPlayer().create();
    const settings = settingsOf(pick(presets, query.get('preset') ?? 'experiment'));
    player.updateSettings(settings as Parameters<MediaPlayerClass['updateSettings']>[0]);
    await prepare(player, video);
    player.initialize(video, query.get('mpd') ?? undefined, true);
  };
  button.addEventListener('click', () => void start());
  video.muted = query.get('autoplay') === '1';
  if (video.muted) void start();
}
