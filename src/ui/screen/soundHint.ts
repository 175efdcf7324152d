import { byId } from '../byId.ts';

/** Offers the sound back when the browser's autoplay policy allowed only a silent start. */
export function soundHint(video: HTMLVideoElement): (mutedByPolicy: boolean) => void {
  const button = byId('sound-on', HTMLButtonElement);
  button.addEventListener('click', () => (video.muted = false));
  video.addEventListener('volumechange', () => {
    if (!video.muted) button.hidden = true;
  });
  return (mutedByPolicy) => (button.hidden = !mutedByPolicy);
}
