import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { describe, expect, test } from 'vitest';
import { audioBeside } from './audioBeside.ts';

interface Track {
  readonly type: string;
  readonly isWhole?: boolean;
}

/** What a rule gets that is asked about a track of one of the periods. */
function asked(
  periods: readonly (readonly Track[])[],
  { period = 0, type = 'video', levelS = 7 }: { period?: number; type?: string; levelS?: number } = {},
) {
  const getStreams = () => streams;
  const schedules = periods.map((tracks) =>
    tracks.map(() => ({ getPlaybackController: () => ({ getStreamController: () => ({ getStreams }) }) })),
  );
  const streams = periods.map((tracks, at) => ({
    getStreamProcessors: () =>
      tracks.map((track, place) => ({
        getType: () => track.type,
        isBufferingCompleted: () => track.isWhole ?? false,
        getScheduleController: () => schedules[at]![place],
      })),
  }));
  const place = periods[period]!.findIndex((track) => track.type === type);
  const context = {
    getMediaType: () => type,
    getScheduleController: () => schedules[period]![place],
  };
  const player = { getDashMetrics: () => ({ getCurrentBufferLevel: () => levelS }) };
  return audioBeside(player as unknown as MediaPlayerClass, context as unknown as RulesContext);
}

describe('the level of the audio beside the video', () => {
  const video: Track = { type: 'video' };
  const audio: Track = { type: 'audio' };
  const wholeAudio: Track = { type: 'audio', isWhole: true };

  test.each([
    ['while audio is loaded', asked([[video, audio]]), { audioBufferMs: 7000 }],
    ['0 before any of it came', asked([[video, audio]], { levelS: NaN }), { audioBufferMs: 0 }],
    ['not once all audio is loaded', asked([[video, wholeAudio]]), {}],
    ['not for audio itself', asked([[video, audio]], { type: 'audio' }), {}],
    ['not without audio', asked([[video, { type: 'text' }]]), {}],
    [
      'of a period that is loaded ahead, though all audio of the one before is there',
      asked(
        [
          [video, wholeAudio],
          [video, audio],
        ],
        { period: 1 },
      ),
      { audioBufferMs: 7000 },
    ],
    [
      'not of a period without audio after one with audio',
      asked([[video, audio], [video]], { period: 1 }),
      {},
    ],
  ])('%s', (_what, found, wanted) => {
    expect(found).toEqual(wanted);
  });
});
