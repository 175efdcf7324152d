import { hasLadder, type BufferEvent } from '../event.ts';
import { onPlayer, type ElementSurroundings, type Surroundings } from './surroundings.ts';
import type { ScreenTracking } from './trackScreen.ts';

/** At most four samples a second and media type: as often as the charts redraw. */
const APART_MS = 250;

/** While it plays dash.js tells a level every 100 ms or so and samples need no timer; this one is for the last level. */
const SETTLE_MS = 1000;

interface Channel {
  sampledMs: number;
  levelMs: number;
  /** The newest level that came too soon after the last sample. */
  waiting: { readonly atMs: number; readonly levelMs: number } | null;
  timer: ReturnType<typeof setTimeout> | null;
}

type Sampled = Pick<ElementSurroundings, 'clock' | 'recording'>;

/** Buffer levels of dash.js. */
export function trackBuffer({ player, ...around }: Pick<Surroundings, 'player'> & Sampled): () => void {
  const samples = createBufferSamples(around);
  const off = onPlayer<{ mediaType?: string; bufferLevel?: number }>(player, {
    bufferLevelUpdated({ mediaType, bufferLevel = NaN }) {
      if (hasLadder(mediaType) && bufferLevel >= 0) samples.add(mediaType, Math.round(bufferLevel * 1000));
    },
  });
  return () => {
    off();
    samples.settle();
  };
}

/** Buffer levels of an element: what all of its tracks have at the playhead. Returns the disposer. */
export function trackElementBuffer(
  around: Sampled,
  { onPosition }: Pick<ScreenTracking, 'onPosition'>,
): () => void {
  const samples = createBufferSamples(around, { mediaType: 'not-supported' });
  onPosition(({ reading: { isSeeking, loadedToMs, playheadMs } }) => {
    if (!isSeeking) samples.add(null, Math.max(0, Math.round((loadedToMs ?? playheadMs) - playheadMs)));
  });
  return samples.settle;
}

/** Buffer levels of a player that has the buffer of each media type. Returns the disposer. */
export function trackTypedBuffers(
  around: Sampled,
  { onPosition }: Pick<ScreenTracking, 'onPosition'>,
  bufferMs: (mediaType: 'video' | 'audio') => number | null,
): () => void {
  const samples = createBufferSamples(around);
  onPosition(() => {
    for (const mediaType of ['video', 'audio'] as const) {
      const levelMs = bufferMs(mediaType);
      if (levelMs !== null) samples.add(mediaType, Math.round(levelMs));
    }
  });
  return samples.settle;
}

/** Records buffer levels when they change; the last of a burst is never lost. */
function createBufferSamples({ clock, recording }: Sampled, missing: BufferEvent['missing'] = {}) {
  const channels = new Map<BufferEvent['mediaType'], Channel>();
  const record = (mediaType: BufferEvent['mediaType'], atMs: number, levelMs: number): void => {
    const channel = channelOf(channels, mediaType);
    Object.assign(channel, { sampledMs: atMs, levelMs, waiting: null });
    recording.record({ kind: 'buffer', atMs, mediaType, levelMs, missing });
  };
  const settleOne = (mediaType: BufferEvent['mediaType']): void => {
    const { waiting } = channelOf(channels, mediaType);
    if (waiting) record(mediaType, waiting.atMs, waiting.levelMs);
  };
  const settleSoon = (mediaType: BufferEvent['mediaType'], channel: Channel): void => {
    channel.timer ??= setTimeout(() => {
      channel.timer = null;
      // A level that is so young has others behind it.
      if (channel.waiting && clock.nowMs() - channel.waiting.atMs < APART_MS) settleSoon(mediaType, channel);
      else settleOne(mediaType);
    }, SETTLE_MS);
  };
  const add = (mediaType: BufferEvent['mediaType'], levelMs: number): void => {
    const channel = channelOf(channels, mediaType);
    const atMs = clock.nowMs();
    channel.waiting = null;
    if (levelMs === channel.levelMs) return;
    if (atMs - channel.sampledMs >= APART_MS) return record(mediaType, atMs, levelMs);
    channel.waiting = { atMs, levelMs };
    settleSoon(mediaType, channel);
  };
  const settle = (): void => {
    for (const [mediaType, { timer }] of channels) {
      if (timer !== null) clearTimeout(timer);
      settleOne(mediaType);
    }
  };
  return { add, settle };
}

function channelOf(
  channels: Map<BufferEvent['mediaType'], Channel>,
  mediaType: BufferEvent['mediaType'],
): Channel {
  const channel = channels.get(mediaType) ?? {
    sampledMs: -APART_MS,
    levelMs: -1,
    waiting: null,
    timer: null,
  };
  channels.set(mediaType, channel);
  return channel;
}
