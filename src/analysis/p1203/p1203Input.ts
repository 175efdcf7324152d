import { ok, failed, type Result } from '../../shared/result.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { playedMs, playSpans } from '../playSpans.ts';
import { p1203Audio, type P1203Audio } from './p1203Audio.ts';
import { p1203Stalling } from './p1203Stalling.ts';
import { p1203Video, type P1203Video } from './p1203Video.ts';

/**
 * What the public implementation of ITU-T P.1203 (github.com/itu-p1203/itu-p1203, not free to bundle) takes, for mode 0.
 * Times are s of watched media, bitrates kbit/s.
 */
export interface P1203Input {
  readonly IGen: { readonly device: 'pc' | 'mobile'; readonly displaySize: string };
  readonly I11: { readonly streamId: number; readonly segments: readonly P1203Audio[] };
  readonly I13: { readonly streamId: number; readonly segments: readonly P1203Video[] };
  /** [place, duration] of the wait for the first frame, then of each stall. */
  readonly I23: { readonly streamId: number; readonly stalling: readonly (readonly [number, number])[] };
}

export interface P1203Options {
  readonly device: 'pc' | 'mobile';
  /** WIDTHxHEIGHT of the screen, pixels: no log knows it. */
  readonly displaySize: string;
  /** Frames per second; null: as counted in the log. */
  readonly fps: number | null;
}

/** The input of one session and, a sentence each, what was assumed; or why there is none. */
export function p1203Input(
  log: SessionLog,
  { device, displaySize, fps }: P1203Options,
): Result<{ readonly input: P1203Input; readonly notes: readonly string[] }> {
  if (playedMs(playSpans(log)) <= 0) return failed('Nothing was played.');
  const video = p1203Video(log, fps);
  if (!video.ok) return video;
  const audio = p1203Audio(log);
  const notes = [
    'Bitrates are those that the manifest declares.',
    ...(fps === null ? [`Frames per second are counted: ${video.value[0]!.fps}.`] : []),
    ...(audio.ok ? [] : [`Audio is left out: ${audio.error}`]),
  ];
  const input = {
    IGen: { device, displaySize },
    I11: { streamId: 1, segments: audio.ok ? audio.value : [] },
    I13: { streamId: 1, segments: video.value },
    I23: { streamId: 1, stalling: p1203Stalling(log) },
  };
  return ok({ input, notes });
}
