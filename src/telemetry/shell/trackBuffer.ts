import type { BufferEvent } from '../event.ts';
import { onPlayer, type Surroundings } from './tracker.ts';

/** At most four samples a second and media type: as often as the charts redraw. */
const APART_MS = 250;

interface Channel {
  sampledMs: number;
  levelMs: number;
  timer: ReturnType<typeof setTimeout> | null;
}

/** Buffer levels, when they change; the last of a burst is never lost. */
export function trackBuffer({ player, clock, recording }: Surroundings): () => void {
  const channels = new Map<BufferEvent['mediaType'], Channel>();
  const record = (mediaType: BufferEvent['mediaType'], channel: Channel, levelMs: number): void => {
    channel.sampledMs = clock.nowMs();
    channel.levelMs = levelMs;
    recording.record({ kind: 'buffer', atMs: channel.sampledMs, mediaType, levelMs, missing: {} });
  };
  const sample = (mediaType: BufferEvent['mediaType'], levelMs: number): void => {
    const channel = channels.get(mediaType) ?? { sampledMs: -APART_MS, levelMs: -1, timer: null };
    channels.set(mediaType, channel);
    if (channel.timer !== null) clearTimeout(channel.timer);
    channel.timer = null;
    if (levelMs === channel.levelMs) return;
    const waitMs = channel.sampledMs + APART_MS - clock.nowMs();
    if (waitMs <= 0) record(mediaType, channel, levelMs);
    else channel.timer = setTimeout(() => record(mediaType, channel, levelMs), waitMs);
  };
  const off = onPlayer<{ mediaType?: string; bufferLevel?: number }>(player, {
    bufferLevelUpdated({ mediaType, bufferLevel = NaN }) {
      if ((mediaType === 'video' || mediaType === 'audio') && bufferLevel >= 0)
        sample(mediaType, Math.round(bufferLevel * 1000));
    },
  });
  return () => {
    off();
    for (const { timer } of channels.values()) if (timer !== null) clearTimeout(timer);
  };
}
