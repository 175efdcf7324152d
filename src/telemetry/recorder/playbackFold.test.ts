import { describe, expect, test } from 'vitest';
import { foldPlayback, NOT_STARTED, openDrafts, type ElementEvent } from './playbackFold.ts';

type Folded = [type: ElementEvent['type'], atMs: number, more?: Partial<ElementEvent>];

describe('stalls', () => {
  test('waiting before the first frame is join time', () => {
    expect(
      endedBy([
        ['waiting', 10],
        ['playing', 900],
      ]),
    ).toEqual([]);
  });

  test('waiting → playing after it is a stall', () => {
    const [stall] = endedBy([
      ['playing', 100],
      ['waiting', 5000, { playheadMs: 4000 }],
      ['playing', 6500],
    ]);
    expect(stall).toMatchObject({ kind: 'stall', atMs: 5000, playheadMs: 4000, durationMs: 1500 });
  });

  test('several waitings are one stall', () => {
    const ended = endedBy([
      ['playing', 100],
      ['waiting', 5000],
      ['waiting', 5600],
      ['playing', 6000],
    ]);
    expect(ended).toMatchObject([{ durationMs: 1000 }]);
  });

  test('the wait of a seek is no stall', () => {
    const ended = endedBy([
      ['playing', 100],
      ['seeking', 5000],
      ['waiting', 5001],
      ['playing', 5300],
    ]);
    expect(ended.map(({ kind }) => kind)).toEqual(['seek']);
  });

  test('a pause, a seek and the end close it', () => {
    for (const type of ['pause', 'seeking', 'ended', 'stop'] as const) {
      const ended = endedBy([
        ['playing', 100],
        ['waiting', 5000],
        [type, 5400],
      ]);
      expect(ended).toMatchObject([{ kind: 'stall', durationMs: 400 }]);
    }
  });

  test('waiting while paused is none', () => {
    expect(
      endedBy([
        ['playing', 1],
        ['pause', 2],
        ['waiting', 3, { paused: true }],
        ['playing', 9],
      ]),
    ).toEqual([]);
  });
});

test('after a stop, waiting is join time again', () => {
  const ended = endedBy([
    ['playing', 100],
    ['waiting', 5000],
    ['stop', 5400],
    ['seeking', 5500],
    ['waiting', 5600],
    ['playing', 9000],
  ]);
  expect(ended).toMatchObject([{ kind: 'stall', durationMs: 400 }]);
});

describe('seeks', () => {
  test('wait from seeking to playing', () => {
    const [seek] = endedBy([
      ['playing', 100],
      ['seeking', 5000, { beforeMs: 4900, playheadMs: 30_000 }],
      ['seeked', 5200],
      ['playing', 5300],
    ]);
    expect(seek).toMatchObject({ kind: 'seek', fromMs: 4900, toMs: 30_000, waitMs: 300 });
  });

  test('before the first frame are the player finding its start', () => {
    expect(
      endedBy([
        ['seeking', 10],
        ['seeked', 20],
        ['playing', 30],
      ]),
    ).toEqual([]);
  });

  test('overtaken by the next have no wait', () => {
    const ended = endedBy([
      ['playing', 1],
      ['seeking', 100],
      ['seeking', 200],
      ['playing', 500],
    ]);
    expect(ended).toMatchObject([{ waitMs: null, missing: { waitMs: 'not-applicable' } }, { waitMs: 300 }]);
  });

  test('while paused have no wait', () => {
    const ended = endedBy([
      ['playing', 1],
      ['pause', 50],
      ['seeking', 100, { paused: true }],
      ['seeked', 150, { paused: true }],
      ['playing', 9000],
    ]);
    expect(ended).toMatchObject([{ kind: 'seek', waitMs: null }]);
  });
});

test('what lasts is open, with its reason', () => {
  const { state } = run([
    ['playing', 100],
    ['waiting', 5000],
  ]);
  expect(openDrafts(state)).toMatchObject({
    stall: { atMs: 5000, durationMs: null, missing: { durationMs: 'in-flight' } },
    seek: null,
  });
});

function run(events: readonly Folded[]) {
  const ended = [];
  let state = NOT_STARTED;
  for (const [type, atMs, more] of events) {
    const step = foldPlayback(state, {
      type,
      atMs,
      playheadMs: atMs,
      beforeMs: atMs,
      paused: false,
      ...more,
    });
    state = step.state;
    ended.push(...step.ended);
  }
  return { state, ended };
}

const endedBy = (events: readonly Folded[]) => run(events).ended;
