import type { FramesEvent } from '../telemetry/event.ts';

/** Frames of a whole session. The element counts from 0 again after a reload: only what was added counts. */
export interface FrameCount {
  decoded: number;
  dropped: number;
  seen: { readonly decoded: number; readonly dropped: number } | null;
}

export const noFrames = (): FrameCount => ({ decoded: 0, dropped: 0, seen: null });

export function addFrames(count: FrameCount, { decoded, dropped }: FramesEvent): void {
  const before = count.seen && count.seen.decoded <= decoded ? count.seen : { decoded: 0, dropped: 0 };
  count.decoded += decoded - before.decoded;
  count.dropped += Math.max(0, dropped - before.dropped);
  count.seen = { decoded, dropped };
}
