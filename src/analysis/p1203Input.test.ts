import { expect, test } from 'vitest';
import type { LadderEvent } from '../telemetry/event.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';
import { MIN_STALL_MS } from '../shared/stalls.ts';
import { exampleSession, framesSeen, playback, reading, rung, stalled } from './timeline/example.testing.ts';
import { p1203Input } from './p1203Input.ts';

const OPTIONS = { device: 'pc', displaySize: '1920x1080', fps: null } as const;

const audio = (codecs: string, bitratesKbps = [128]): SessionEvent => ({
  kind: 'ladder',
  id: 'a',
  atMs: 71,
  mediaType: 'audio',
  periodId: 'p0',
  language: null,
  segmentMs: 2000,
  rungs: bitratesKbps.map((bitrateKbps) => ({
    representationId: `a${bitrateKbps}`,
    bitrateKbps,
    width: null,
    height: null,
    codecs,
  })),
  missing: { language: 'not-sent' },
});

/** 2 s at 1000, 1 s at 4000, a stall of 1.5 s, 2 s more at 4000 kbit/s; 125 frames in 5 s. */
const played = (extra: readonly SessionEvent[] = []): SessionLog =>
  exampleSession([
    playback(100, 'play-requested'),
    playback(600, 'playing'),
    rung(600, 1),
    rung(2600, 2),
    playback(3600, 'waiting'),
    stalled(3600, 1500),
    playback(5100, 'playing'),
    framesSeen(7000, 125, 0),
    playback(7100, 'ended'),
    ...extra,
  ]);

function inputOf(log: SessionLog, options: Parameters<typeof p1203Input>[1] = OPTIONS) {
  const made = p1203Input(log, options);
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

test('video, audio and waits in watched media time, as the public implementation names them', () => {
  const { input, notes } = inputOf(played([audio('mp4a.40.2')]));
  const video = { codec: 'vp9', fps: 25 };
  expect(input).toEqual({
    IGen: { device: 'pc', displaySize: '1920x1080' },
    I13: {
      streamId: 1,
      segments: [
        { ...video, bitrate: 1000, resolution: '640x360', start: 0, duration: 2 },
        { ...video, bitrate: 4000, resolution: '1280x720', start: 2, duration: 3 },
      ],
    },
    I11: {
      streamId: 1,
      segments: [{ codec: 'aaclc', bitrate: 128, start: 0, duration: 5 }],
    },
    I23: {
      streamId: 1,
      stalling: [
        [0, 0.5],
        [3, 1.5],
      ],
    },
  });
  expect(notes).toEqual([
    'Bitrates are those that the manifest declares.',
    'Frames per second are counted: 25.',
  ]);
});

test('a wait that is too short for a stall is no stalling event', () => {
  const { stalling } = inputOf(played([stalled(6000, MIN_STALL_MS - 1)])).input.I23;
  expect(stalling).toEqual(inputOf(played()).input.I23.stalling);
});

test.each([
  [[], 'the log has no audio ladder.'],
  [[audio('opus')], 'P.1203 knows AAC, HE-AAC, MP2 and AC-3, not "opus".'],
  [[audio('mp4a.40.5', [32, 64])], 'the log does not say which audio level was played.'],
])('audio that is not known is left out, with a note', (extra, why) => {
  const { input, notes } = inputOf(played(extra));
  expect(input.I11.segments).toEqual([]);
  expect(notes.at(-1)).toBe(`Audio is left out: ${why}`);
});

test('frames per second are those between two counts: the last count is old, and a seek decodes frames again', () => {
  const { events, ...header } = played();
  const counts = [
    [1000, 40],
    [2000, 65],
    // A seek: 30 frames up to the wanted one were decoded again.
    [2400, 105],
    [6000, 150],
    [6900, 172],
  ].map(([atMs, decoded]) => framesSeen(atMs!, decoded!, 0));
  const log = { ...header, events: [...events.filter(({ kind }) => kind !== 'frames'), ...counts] };
  const { I13 } = inputOf(log, OPTIONS).input;
  expect(I13.segments[0]!.fps).toBe(25);
});

test('frames per second as asked', () =>
  expect(inputOf(played(), { ...OPTIONS, fps: 50 }).input.I13.segments[0]!.fps).toBe(50));

const changed = (
  change: (rung: LadderEvent['rungs'][number]) => LadderEvent['rungs'][number],
): SessionLog => {
  const log = played();
  const events = log.events.map((event) =>
    event.kind === 'ladder' ? { ...event, rungs: event.rungs.map(change) } : event,
  );
  return { ...log, events };
};

test.each([
  [exampleSession([]), 'Nothing was played.'],
  [
    exampleSession([playback(0, 'playing'), playback(9, 'stopped')]),
    'No video was rendered while it played.',
  ],
  [
    { ...played(), events: played().events.filter(({ kind }) => kind !== 'frames') },
    /counted no frames: say how many/,
  ],
  [changed((each) => ({ ...each, codecs: 'av01.0.04M.08' })), /not "av01\.0\.04M\.08"/],
  [changed((each) => ({ ...each, codecs: '' })), 'The manifest names no codec for the level of 1000 kbit/s.'],
  [changed((each) => ({ ...each, width: null })), /no resolution for the level of 1000 kbit/],
  [changed((each) => ({ ...each, bitrateKbps: 7 })), 'No ladder has the rendered level of 1000 kbit/s.'],
])('what cannot be exported is a sentence: %#', (log, why) => {
  const made = p1203Input(log, OPTIONS);
  expect(made.ok ? '' : made.error).toMatch(why);
});

/** 8 s of media at a rate, 4 s at each level, a stall of 1 s between them, 25 frames in each second of media. */
const atRate = (rate: number): SessionLog => {
  const [half, whole] = [4000 / rate, 8000 / rate];
  const counts = [1000, 2000, 3000].map((mediaMs) => framesSeen(mediaMs / rate, mediaMs / 40, 0));
  return exampleSession([
    ...[reading(0, 'play-requested', 0), reading(0, 'playing', 0, rate), rung(0, 1), ...counts],
    ...[reading(half, 'waiting', 4000, rate), stalled(half, 1000), rung(half + 1000, 2)],
    ...[reading(half + 1000, 'playing', 4000, rate), reading(whole + 1000, 'ended', 8000, rate)],
  ]);
};

test.each([0.5, 1, 2])('media that was watched at %s× is as long as it is', (rate) => {
  const { I13, I23 } = inputOf(atRate(rate)).input;
  expect(I13.segments.map(({ start, duration, fps }) => [start, duration, fps])).toEqual([
    [0, 4, 25],
    [4, 4, 25],
  ]);
  expect(I23.stalling).toEqual([
    [0, 0],
    [4, 1],
  ]);
});

/** 25.4 s at 1000 kbit/s and 25 frames a second, then a stall of 20 s up to the end. */
const endsInStall = (extra: readonly SessionEvent[] = []): SessionLog =>
  exampleSession([
    ...[playback(0, 'play-requested'), playback(0, 'playing'), rung(0, 1)],
    ...[framesSeen(1000, 25, 0), framesSeen(2000, 50, 0), playback(25_400, 'waiting')],
    ...[stalled(25_400, 20_000), playback(45_400, 'stopped'), ...extra],
  ]);

test.each([
  // The reference implementation has a score for each whole second, 25, and drops stalls behind the last one.
  ['25.4 s', endsInStall(), 25],
  // Whole frames count: 25.4 s with sound in hundredths are 25 s as well.
  ['25.4 s with sound', endsInStall([audio('mp4a.40.2')]), 25],
])('a stall at the end of %s stands where the program has scores', (_, log, placeS) => {
  const { input, notes } = inputOf(log);
  expect(input.I23.stalling).toEqual([
    [0, 0],
    [placeS, 20],
  ]);
  expect(notes).toContain(
    'A stall after the last whole second is placed at its end: the program leaves out what is behind it.',
  );
});

test('whole frames of each segment count: 2.98 s and 2.03 s at 25 frames are 4 s', () => {
  const { input } = inputOf(
    exampleSession([
      ...[
        playback(0, 'playing'),
        rung(0, 1),
        rung(2980, 2),
        framesSeen(1000, 25, 0),
        framesSeen(2000, 50, 0),
      ],
      ...[playback(5010, 'waiting'), stalled(5010, 9000), playback(14_010, 'stopped')],
    ]),
  );
  expect(input.I13.segments.map(({ duration }) => duration)).toEqual([2.98, 2.03]);
  expect(input.I23.stalling.at(-1)).toEqual([4, 9]);
});

test('levels of one bitrate are known by their period and their place', () => {
  const levels = (atMs: number, periodId: string, rungs: readonly (readonly [number, number, string])[]) =>
    ({
      kind: 'ladder',
      id: periodId,
      atMs,
      mediaType: 'video',
      periodId,
      language: null,
      segmentMs: 2000,
      rungs: rungs.map(([bitrateKbps, height, codecs], index) => ({
        representationId: `${index}`,
        bitrateKbps,
        width: (height * 16) / 9,
        height,
        codecs,
      })),
      missing: { language: 'not-sent' },
    }) as SessionEvent;
  const shown = (atMs: number, toRung: number) => ({ ...rung(atMs, 1), toRung, bitrateKbps: 1200 });
  const resolutions = (ladders: readonly SessionEvent[]) => {
    const log = exampleSession([
      ...[playback(0, 'playing'), shown(0, 0), shown(2000, 1), playback(5000, 'stopped')],
      ...[framesSeen(1000, 25, 0), framesSeen(2000, 50, 0)],
    ] as readonly SessionEvent[]);
    const events = [...log.events.filter(({ kind }) => kind !== 'ladder'), ...ladders];
    return inputOf({ ...log, events }).input.I13.segments.map(({ resolution, codec }) => [resolution, codec]);
  };
  const avc = 'avc1.64001f';
  const periods = [
    levels(0, 'ad', [[1200, 360, avc], [4300, 1080, avc]]), // prettier-ignore
    levels(1000, 'film', [[300, 360, avc], [1200, 720, avc]]), // prettier-ignore
  ];
  const twoCodecs = [levels(0, 'p0', [[1200, 720, avc], [1200, 1080, 'hvc1.1.6.L120']])]; // prettier-ignore
  expect(resolutions(periods)).toEqual([['640x360', 'h264'], ['1280x720', 'h264']]); // prettier-ignore
  expect(resolutions(twoCodecs)).toEqual([['1280x720', 'h264'], ['1920x1080', 'h265']]); // prettier-ignore
});

test('a stall that is open at the end counts up to it, and a note says so', () => {
  const open = played().events.filter(({ atMs, kind }) => atMs < 3600 || kind === 'frames');
  const log = { ...played(), events: [...open, playback(3600, 'waiting'), stalled(3600, null)] };
  const { input, notes } = inputOf(log);
  expect(input.I23.stalling.at(-1)).toEqual([3, 3.5]);
  expect(notes.at(-1)).toBe('Audio is left out: the log has no audio ladder.');
  expect(notes.at(-2)).toBe('The last stall goes on at the end of the log and counts up to it.');
});
