import type { Draft } from '../../../src/telemetry/event.ts';

/** kbit/s of the synthetic stream, ascending: eight rungs of video, two of audio, like the demo's. */
export const BITRATES_KBPS = {
  video: [200, 400, 600, 800, 1000, 1500, 2500, 4000],
  audio: [64, 128],
} as const satisfies Record<'video' | 'audio', readonly number[]>;

const HEIGHTS = [180, 180, 270, 360, 360, 432, 576, 720];

/** What stands at the start of a log: the stream and its rungs. */
export function ladderDrafts(segmentMs: number): Draft[] {
  const ladder = (mediaType: 'video' | 'audio'): Draft => ({
    kind: 'ladder',
    atMs: 0,
    mediaType,
    periodId: '0',
    language: null,
    segmentMs,
    rungs: BITRATES_KBPS[mediaType].map((bitrateKbps, rung) => ({
      representationId: `${mediaType}-${rung}`,
      bitrateKbps,
      width: mediaType === 'video' ? Math.round((HEIGHTS[rung]! * 16) / 9) : null,
      height: mediaType === 'video' ? HEIGHTS[rung]! : null,
      codecs: mediaType === 'video' ? 'vp09.00.31.08' : 'opus',
    })),
    missing: { language: 'not-sent' },
  });
  const rule: Draft = { kind: 'rule', atMs: 0, rule: 'dashjs-dynamic', parameters: {}, missing: {} };
  return [rule, ladder('video'), ladder('audio')];
}
