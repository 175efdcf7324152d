import type { SimTask } from './simTask.ts';
import type { Content } from '../../src/sim/content.ts';

/**
 * The content with audio of one bitrate, in segments as long as the video's. `kbps` undefined: as it is.
 * @throws Error in one sentence where the video brings audio of its own
 */
export function audioBeside(content: Content, kbps: number | undefined): Content {
  if (kbps === undefined) return content;
  const { segmentMs, segments } = content.video;
  if (content.audio)
    throw new Error(`${content.name}: --audio needs a video without audio; this one has its own.`);
  const sizeBytes = Math.ceil((kbps * segmentMs) / 8);
  const ladder = [{ bitrateKbps: kbps, width: null, height: null }];
  const sizesBytes = [Array.from({ length: segments }, () => sizeBytes)];
  return { ...content, audio: { ladder, segmentMs, segments, sizesBytes, initBytes: null } };
}

/** Bitrates of the audio that is played beside the video; null where there is none, or the model plays none. */
export function audioKbpsOf({ content, modelId }: Pick<SimTask, 'content' | 'modelId'>): number[] | null {
  const isPlayed = content.audio !== null && modelId === 'player';
  return isPlayed ? content.audio.ladder.map(({ bitrateKbps }) => bitrateKbps) : null;
}
