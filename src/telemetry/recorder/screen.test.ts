import { describe, expect, test } from 'vitest';
import { EMPTY, FRAMES, play, type Step } from './screen.testing.ts';

describe('by the word of the element', () => {
  test('waiting before the first playing is join time', () => {
    expect(
      play([
        ['waiting', 10],
        ['playing', 900],
      ]).drafts,
    ).toEqual([]);
  });

  test('waiting → playing after it is a stall of both', () => {
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000, { playheadMs: 4000 }],
      ['playing', 6500],
    ]);
    expect(drafts).toMatchObject([
      { kind: 'stall', atMs: 5000, playheadMs: 4000, durationMs: 1500, stands: 'both' },
    ]);
  });

  test('a busy page hears of it late', () => {
    const { drafts } = play(
      [
        ['playing', 868],
        ['look', 890],
        ['waiting', 1215, { playheadMs: 924 }],
        ['frame', 2193, { playheadMs: 925 }],
        ['playing', 2202, { playheadMs: 933 }],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ kind: 'stall', atMs: 924, durationMs: 1269, stands: 'both' }]);
  });

  test('a page that was busy for longer than the playhead stood dates it back, too', () => {
    const { drafts } = play([
      ['playing', 1835, { playheadMs: 461_133 }],
      ['look', 1838, { playheadMs: 461_136 }],
      ['look', 2492, { playheadMs: 461_482 }],
      ['waiting', 2521, { playheadMs: 461_482 }],
      ['playing', 2561, { playheadMs: 461_536 }],
    ]);
    expect(drafts).toMatchObject([{ kind: 'stall', atMs: 2184, durationMs: 377, stands: 'both' }]);
  });

  test('a wait after a pause begins with its word', () => {
    const stood = { playheadMs: 5000 };
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000],
      ['pause', 8000, { ...stood, paused: true }],
      ['waiting', 60_000, stood],
      ['playing', 61_000, stood],
    ]);
    expect(drafts).toMatchObject([
      { atMs: 5000, durationMs: 3000 },
      { atMs: 60_000, durationMs: 1000 },
    ]);
  });

  test('several waitings are one stall', () => {
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000],
      ['waiting', 5600, { playheadMs: 5000 }],
      ['playing', 6000],
    ]);
    expect(drafts).toMatchObject([{ durationMs: 1000 }]);
  });

  test('waiting while paused is none', () => {
    const { drafts } = play([
      ['playing', 1],
      ['pause', 2],
      ['waiting', 3, { paused: true }],
      ['playing', 9],
    ]);
    expect(drafts).toEqual([]);
  });

  test.each(['pause', 'seeking', 'ended', 'stop'] as const)('%s ends a stall', (type) => {
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000],
      [type, 5400],
    ]);
    expect(drafts).toMatchObject([{ kind: 'stall', durationMs: 400 }]);
  });

  test('after a stop waiting is join time again', () => {
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000],
      ['stop', 5400],
      ['seeking', 5500],
      ['waiting', 5600],
      ['playing', 9000],
    ]);
    expect(drafts).toMatchObject([{ kind: 'stall', durationMs: 400 }]);
  });
});

describe('the picture stands while the sound plays on', () => {
  test('from where the media ended to the first frame, though the element never waits', () => {
    const { drafts } = play(
      [
        ['playing', 100],
        ['look', 4900, { loadedToMs: 5000 }],
        ['look', 5200, EMPTY],
        ['look', 6900, EMPTY],
        ['look', 7000],
        ['frame', 7060],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([
      { kind: 'stall', atMs: 5000, playheadMs: 5000, durationMs: 2060, stands: 'picture' },
    ]);
  });

  test('the wait that Chromium reports 3 s later belongs to it', () => {
    const { drafts } = play(
      [
        ['playing', 100],
        ['look', 4900, { loadedToMs: 5000 }],
        ['look', 5200, EMPTY],
        ['waiting', 8000, EMPTY],
        ['playing', 9500, { playheadMs: 8000 }],
        ['frame', 9560],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ atMs: 5000, durationMs: 4560, stands: 'both' }]);
  });

  test('it ends with the first of the frames just before the element plays, not with the last', () => {
    const { drafts } = play(
      [
        ['playing', 100],
        ['waiting', 5000, EMPTY],
        ['frame', 5200, { playheadMs: 5000, ...EMPTY }],
        ['frame', 6300, { playheadMs: 5000 }],
        ['frame', 6380, { playheadMs: 5010 }],
        ['frame', 6470, { playheadMs: 5020 }],
        ['playing', 6480, { playheadMs: 5020 }],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ kind: 'stall', atMs: 5000, durationMs: 1300 }]);
  });

  test('a look that comes late dates its begin back, at any rate', () => {
    const { drafts } = play([
      ['playing', 0, { rate: 2, loadedToMs: 4000 }],
      ['look', 3000, { rate: 2, playheadMs: 6000, ...EMPTY }],
      ['look', 4000, { rate: 2, playheadMs: 8000 }],
    ]);
    expect(drafts).toMatchObject([{ atMs: 2000, durationMs: 2000, stands: 'picture' }]);
  });

  test('without frames it ends once media is at the playhead', () => {
    const { drafts } = play([
      ['playing', 100],
      ['look', 4900, { loadedToMs: 5000 }],
      ['look', 5200, EMPTY],
      ['look', 6000],
    ]);
    expect(drafts).toMatchObject([{ durationMs: 1000 }]);
  });

  test('a browser that ceases to report frames does not make a stall longer', () => {
    const { drafts } = play(
      [
        ['playing', 100],
        ['look', 4900, { loadedToMs: 5000 }],
        ['look', 5300, EMPTY],
        ['look', 6000],
        ['look', 9100],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ atMs: 5000, durationMs: 1000 }]);
  });

  test('a frame from before is no end, and a gap of less than 100 ms no begin', () => {
    const { drafts, screen } = play(
      [
        ['playing', 100],
        ['look', 4900, { loadedToMs: 5000 }],
        ['look', 5080, EMPTY],
        ['look', 5300, EMPTY],
        ['frame', 4990, EMPTY],
      ],
      FRAMES,
    );
    expect(drafts).toEqual([]);
    expect(screen.open().stall).toMatchObject({ atMs: 5000, durationMs: null });
    expect(
      play([
        ['playing', 100, { loadedToMs: 5000 }],
        ['look', 5080, EMPTY],
        ['look', 5200],
      ]).drafts,
    ).toEqual([]);
  });

  test('frames that keep up with the playhead: what stands is the sound', () => {
    const { drafts } = play(
      [
        ['playing', 100, { loadedToMs: 5000 }],
        ['look', 5200, EMPTY],
        ['frame', 5240, EMPTY],
        ['look', 5400, EMPTY],
        ['frame', 6200, EMPTY],
        ['look', 6210, EMPTY],
        ['look', 6500],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ atMs: 5000, durationMs: 1500, stands: 'sound' }]);
  });

  test('late frames of what the playhead has passed are no picture that moves', () => {
    const { drafts } = play(
      [
        ['playing', 100, { loadedToMs: 5000 }],
        ['look', 5400, EMPTY],
        ['frame', 7000, { ...EMPTY, playheadMs: 5900 }],
        ['look', 8000],
        ['frame', 8040],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ atMs: 5000, durationMs: 3040, stands: 'picture' }]);
  });

  test('a buffer that is replaced is empty for a moment, and the picture moves', () => {
    const { drafts } = play(
      [
        ['playing', 100, { loadedToMs: 5000 }],
        ['look', 5150, EMPTY],
        ['frame', 5180, EMPTY],
        ['look', 5400],
        ['frame', 5420],
      ],
      FRAMES,
    );
    expect(drafts).toEqual([]);
  });

  test('a stand that ends before a look could tell is found by its first frame', () => {
    const steps: Step[] = [
      ['playing', 100, { loadedToMs: 5000 }],
      ['frame', 4960, { loadedToMs: 5000 }],
      ['look', 5050, EMPTY],
      ['look', 5250, EMPTY],
      ['look', 5380],
      ['frame', 5394],
    ];
    expect(play(steps, FRAMES).drafts).toMatchObject([
      { kind: 'stall', atMs: 5000, playheadMs: 5000, durationMs: 394, stands: 'picture' },
    ]);
    const moving: Step = ['frame', 5394, { count: 11 }];
    expect(play([...steps.slice(0, 5), moving], FRAMES).drafts, 'frames were presented meanwhile').toEqual(
      [],
    );
    const pause: Step = ['pause', 5300];
    expect(play([...steps.slice(0, 4), pause, ['playing', 9000], ['frame', 9050]], FRAMES).drafts).toEqual(
      [],
    );
  });

  test('frames that are not reported any more are no stand', () => {
    const looks = Array.from({ length: 250 }, (_, index): Step => ['look', 5350 + 200 * index]);
    const steps: Step[] = [
      ['playing', 100, { loadedToMs: 5000 }],
      ['look', 5150, EMPTY],
      ...looks,
      ['frame', 55_300, { count: 900 }],
    ];
    expect(play(steps, FRAMES).drafts).toEqual([]);
  });

  test('a page that was busy meanwhile cannot tell', () => {
    const { drafts } = play(
      [
        ['playing', 100, { loadedToMs: 5000 }],
        ['look', 5150, EMPTY],
        ['frame', 5480, { count: 9 }],
      ],
      FRAMES,
    );
    expect(drafts).toEqual([]);
  });

  test('frames that came while the page was busy end it, not the first that the page was given', () => {
    const { drafts } = play(
      [
        ['playing', 1600],
        ['frame', 1681, { count: 2 }],
        ['waiting', 1714],
        ['playing', 1737],
        ['frame', 2074, { count: 11 }],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ kind: 'stall', atMs: 1714, durationMs: 24, stands: 'both' }]);
  });

  test('it is not dated back over a pause', () => {
    const { drafts } = play([
      ['playing', 100, { loadedToMs: 5000 }],
      ['look', 6000, EMPTY],
      ['pause', 6000, EMPTY],
      ['playing', 9000, { playheadMs: 6000, ...EMPTY }],
      ['look', 9500, { playheadMs: 6500, ...EMPTY }],
      ['look', 10_000, { playheadMs: 7000 }],
    ]);
    expect(drafts).toMatchObject([
      { atMs: 5000, durationMs: 1000 },
      { atMs: 9000, durationMs: 1000 },
    ]);
  });

  test('a playhead that was moved has not run out of media', () => {
    const { drafts } = play([
      ['playing', 100, { loadedToMs: 5000 }],
      ['look', 3000, { playheadMs: 60_000, isSeeking: true, ...EMPTY }],
      ['seeking', 3001, { playheadMs: 60_000, isSeeking: true, ...EMPTY }],
      ['playing', 3500, { playheadMs: 60_000 }],
    ]);
    expect(drafts.map(({ kind }) => kind)).toEqual(['seek']);
  });
});

describe('seeks', () => {
  test('of the viewer wait from seeking to playing', () => {
    const { drafts } = play([
      ['playing', 100],
      ['seeking', 5000, { beforeMs: 4900, playheadMs: 30_000 }],
      ['waiting', 5001],
      ['seeked', 5200],
      ['playing', 5300],
    ]);
    expect(drafts).toMatchObject([{ kind: 'seek', fromMs: 4900, toMs: 30_000, waitMs: 300 }]);
  });

  test('before the first playing are the player finding its start', () => {
    expect(
      play([
        ['seeking', 10],
        ['seeked', 20],
        ['playing', 30],
      ]).drafts,
    ).toEqual([]);
  });

  test('replaced by the next one have no wait', () => {
    const { drafts } = play([
      ['playing', 1],
      ['seeking', 100],
      ['seeking', 200],
      ['playing', 500],
    ]);
    expect(drafts).toMatchObject([{ waitMs: null, missing: { waitMs: 'not-applicable' } }, { waitMs: 300 }]);
  });

  test('while paused have no wait', () => {
    const { drafts } = play([
      ['playing', 1],
      ['pause', 50],
      ['seeking', 100, { paused: true }],
      ['seeked', 150, { paused: true }],
      ['playing', 9000],
    ]);
    expect(drafts).toMatchObject([{ kind: 'seek', waitMs: null }]);
  });

  test('of the player out of a stall are jumps, and the stall goes on', () => {
    const { drafts } = play([
      ['playing', 100],
      ['waiting', 5000],
      ['seeking', 60_000, { by: 'player', beforeMs: 5000, playheadMs: 9000 }],
      ['seeked', 60_050],
      ['playing', 186_000, { playheadMs: 9000 }],
    ]);
    expect(drafts).toMatchObject([
      { kind: 'jump', fromMs: 5000, toMs: 9000, by: 'player' },
      { kind: 'stall', atMs: 5000, durationMs: 181_000 },
    ]);
  });

  test('of the player may be over before the element says that it plays', () => {
    const { drafts } = play(
      [
        ['playing', 100],
        ['waiting', 5000],
        ['seeking', 9000, { by: 'player', beforeMs: 5000, playheadMs: 8000 }],
        ['frame', 9100, { playheadMs: 8000 }],
        ['frame', 9500, { playheadMs: 8000 }],
        ['frame', 9540, { playheadMs: 8040 }],
        ['playing', 9900, { playheadMs: 8400 }],
      ],
      FRAMES,
    );
    expect(drafts).toMatchObject([{ kind: 'jump' }, { kind: 'stall', atMs: 5000, durationMs: 4540 }]);
  });

  test('of the player while it plays are a wait of theirs', () => {
    const { drafts } = play([
      ['playing', 100],
      ['seeking', 5000, { by: 'player', beforeMs: 5000, playheadMs: 6000 }],
      ['playing', 5030, { playheadMs: 6000 }],
    ]);
    expect(drafts).toMatchObject([{ kind: 'jump' }, { kind: 'stall', atMs: 5000, durationMs: 30 }]);
  });
});

test('what lasts is open, with its reason', () => {
  const { screen } = play([
    ['playing', 100],
    ['waiting', 5000],
  ]);
  expect(screen.open()).toMatchObject({
    stall: { atMs: 5000, durationMs: null, missing: { durationMs: 'in-flight' } },
    seek: null,
  });
});
